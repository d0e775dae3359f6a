import { Effect, Option, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { defaultLimit, type Page } from "../Domain/Page.ts"

type Statement = Effect.Effect<ReadonlyArray<unknown>, SqlError>

/** Decodes rows; failures are defects. The hot path (key look-up, rate limit, cache and log) casts its rows instead. */
export const rowsOf = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(row))
  const all = (statement: Statement): Effect.Effect<ReadonlyArray<A>> => Effect.orDie(Effect.flatMap(statement, decode))

  return {
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
