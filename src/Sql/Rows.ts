import { Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { defaultLimit, type Page, type PageRequest } from "../Domain/Page.ts"

type Statement = Effect.Effect<ReadonlyArray<unknown>, SqlError>

/** Decodes rows; failures are defects, but those of the statement of `orFail`. The hot path (key look-up, rate limit, cache and log) casts its rows instead. */
export const rowsOf = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(row))
  const orFail = (statement: Statement): Effect.Effect<ReadonlyArray<A>, SqlError> =>
    Effect.flatMap(statement, (rows) => Effect.orDie(decode(rows)))
  const all = (statement: Statement): Effect.Effect<ReadonlyArray<A>> => Effect.orDie(orFail(statement))

  return {
    orFail,
    all,
    first: (statement: Statement): Effect.Effect<Option.Option<A>> =>
      Effect.map(all(statement), ([row]) => Option.fromUndefinedOr(row))
  }
}

export const selectPage = <A extends { readonly id: string }, E>(
  limit: number = defaultLimit,
  select: (count: number) => Effect.Effect<ReadonlyArray<A>, E>
): Effect.Effect<Page<A>> =>
  Effect.orDie(Effect.map(select(limit + 1), (rows) => {
    const items = rows.slice(0, limit)
    return { items, cursor: rows.length > limit ? items.at(-1)?.id ?? null : null }
  }))

/** Selects rows by descending id. `after` is the condition of rows after the cursor, `end` the order and the limit. */
export const selectNewest = <A extends { readonly id: string }, E>(
  sql: SqlClient.SqlClient,
  { cursor, limit }: PageRequest,
  select: (after: Fragment, end: Fragment) => Effect.Effect<ReadonlyArray<A>, E>,
  id: Fragment = sql`id`
): Effect.Effect<Page<A>> =>
  selectPage(
    limit,
    (count) =>
      select(cursor === undefined ? sql`true` : sql`${id} < ${cursor}`, sql`ORDER BY ${id} DESC LIMIT ${count}`)
  )
