import { Duration, Effect, Schedule } from "effect"
import type { LoggedCall } from "../Domain/Call.ts"

interface Page {
  readonly calls: ReadonlyArray<LoggedCall>
  readonly cursor: string | null
}

/** As many as one page holds. */
const pageSize = 200

/** How far back new calls are looked for at a time: 2000 calls. */
const mostPages = 10

/** More than can come up again. */
const remembered = 3 * mostPages * pageSize

/**
 * Hands on the newest `first` calls and then every call as it ends, oldest first. An id holds the time at which its call
 * began, so a call that takes long shows up among older ones; a page that brings nothing new ends each look.
 */
export const followCalls = Effect.fnUntraced(function*<E, R, E2, R2>(
  { begin, first, list, print }: {
    readonly first: number
    readonly list: (page: { readonly limit: number; readonly cursor?: string }) => Effect.Effect<Page, E, R>
    readonly begin: (calls: ReadonlyArray<LoggedCall>) => Effect.Effect<void, E2, R2>
    readonly print: (calls: ReadonlyArray<LoggedCall>) => Effect.Effect<void, E2, R2>
  }
) {
  const start = yield* list({ limit: pageSize })
  // What came before this page is not new, though it has not been seen.
  const since = start.cursor === null ? "" : start.calls.at(-1)?.id ?? ""
  let seen = new Set<string>(start.calls.map(({ id }) => id))
  yield* begin(start.calls.slice(0, first).toReversed())

  const look = Effect.gen(function*() {
    const found: Array<LoggedCall> = []
    let page = yield* list({ limit: pageSize })
    for (let count = 1;; count++) {
      const unseen = page.calls.filter(({ id }) => id >= since && !seen.has(id))
      found.push(...unseen)
      if (unseen.length === 0 || page.cursor === null || count === mostPages) break
      page = yield* list({ limit: pageSize, cursor: page.cursor })
    }
    if (found.length === 0) return
    seen = new Set([...seen, ...found.map(({ id }) => id)].slice(-remembered))
    yield* print(found.toReversed())
  })
  return yield* Effect.schedule(look, Schedule.spaced(Duration.seconds(1)))
})
