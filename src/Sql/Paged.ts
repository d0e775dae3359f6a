import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Page } from "../Domain/Page.ts"
import { defaultLimit } from "../Domain/Page.ts"

/** Asks for one item more than a page holds, which tells whether there is another page. */
export const selectPage = <A extends { readonly id: string }>(
  limit: number = defaultLimit,
  select: (count: number) => Effect.Effect<ReadonlyArray<A>, SqlError>
): Effect.Effect<Page<A>> =>
  Effect.orDie(Effect.map(select(limit + 1), (rows) => {
    const items = rows.slice(0, limit)
    return { items, cursor: rows.length > limit ? items.at(-1)?.id ?? null : null }
  }))
