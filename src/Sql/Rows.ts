import { Effect, Option, Predicate, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { defaultLimit, maxPageBytes, type Page, type PageRequest } from "../Domain/Page.ts"

/** A lock of rows until the end of the transaction. */
export type Lock = "FOR SHARE" | "FOR UPDATE"

export const lockOf = (sql: SqlClient.SqlClient, lock: Lock | undefined): Fragment =>
  lock === undefined ? sql`` : sql.literal(lock)

type Statement = Effect.Effect<ReadonlyArray<unknown>, SqlError>

/** Decodes rows. Errors are defects, but `orFail` fails with those of its statement. Hot paths cast rows instead. */
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

/** Decodes the only column of rows. Errors are defects. */
export const valuesOf = <A, I>(value: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(value))
  const all = (statement: Statement): Effect.Effect<ReadonlyArray<A>> =>
    Effect.orDie(
      Effect.flatMap(statement, (rows) =>
        decode(rows.flatMap((row) => Predicate.isObject(row) ? Object.values(row) : [])))
    )

  return {
    all,
    first: (statement: Statement): Effect.Effect<Option.Option<A>> =>
      Effect.map(all(statement), ([value]) => Option.fromUndefinedOr(value))
  }
}

/** Decodes the `count` that a statement selects. */
export const countOf = (statement: Statement): Effect.Effect<number> =>
  Effect.map(valuesOf(Schema.Int).all(statement), ([count = 0]) => count)

/** Reads a page of rows that are never long. */
export const selectPage = <A extends { readonly id: string }, E>(
  limit: number = defaultLimit,
  select: (count: number) => Effect.Effect<ReadonlyArray<A>, E>
): Effect.Effect<Page<A>> =>
  Effect.orDie(Effect.map(select(limit + 1), (rows) => {
    const items = rows.slice(0, limit)
    return { items, cursor: rows.length > limit ? items.at(-1)?.id ?? null : null }
  }))

/** The first rows of a page show how many more it has room for. */
const firstRows = 8

/** Selects rows after a cursor. A page ends early where its rows are long. */
export const selectFitting = <A extends { readonly id: string }, E>(
  { cursor, limit = defaultLimit }: PageRequest,
  select: (cursor: string | undefined, count: number) => Effect.Effect<ReadonlyArray<A>, E>
): Effect.Effect<Page<A>> =>
  Effect.orDie(Effect.gen(function*() {
    const items: Array<A> = []
    let bytes = 0
    while (true) {
      const fitting = items.length === 0 ? firstRows : Math.ceil((maxPageBytes - bytes) * items.length / bytes)
      const count = Math.min(limit + 1 - items.length, fitting)
      const rows = yield* select(items.at(-1)?.id ?? cursor, count)
      for (const row of rows) {
        const isFull = items.length === limit || items.length > 0 && bytes + sizeOf(row) > maxPageBytes
        if (isFull) return { items, cursor: items.at(-1)?.id ?? null }
        items.push(row)
        bytes += sizeOf(row)
      }
      if (rows.length < count) return { items, cursor: null }
    }
  }))

/** The approximate length of the value's JSON. */
const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return value.length + 4
  if (value instanceof Uint8Array) return value.length
  if (typeof value !== "object" || value === null) return 8
  return Object.entries(value).reduce((sum, [name, field]) => sum + name.length + sizeOf(field), 8)
}

/** Selects rows by descending id. `after` is the condition of rows after the cursor, `end` the order and the limit. */
export const selectNewest = <A extends { readonly id: string }, E>(
  sql: SqlClient.SqlClient,
  page: PageRequest,
  select: (after: Fragment, end: Fragment) => Effect.Effect<ReadonlyArray<A>, E>,
  id: Fragment = sql`id`
): Effect.Effect<Page<A>> =>
  selectFitting(page, (cursor, count) =>
    select(
      cursor === undefined ? sql`true` : sql`${id} < ${cursor}`,
      sql`ORDER BY ${id} DESC LIMIT ${count}`
    ))
