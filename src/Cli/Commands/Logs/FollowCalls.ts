import { Duration, Effect, Schedule } from "effect"
import type { LoggedCall } from "../../../Domain/Calls/Call.ts"
import { append } from "../../../Domain/Lists.ts"

interface Page {
  readonly calls: ReadonlyArray<LoggedCall>
  readonly cursor: string | null
}

const maxPageSize = 200

const maxPagesPerPoll = 10

const maxSeen = 3 * maxPagesPerPoll * maxPageSize

/**
 * Prints the newest `first` calls, then every call as it ends, oldest first. Ids sort by start time, so a slow call
 * appears below faster ones: each poll reads pages until one has no new call.
 */
export const followCalls = Effect.fnUntraced(function*<E, R, E2, R2>(
  { first, list, print, printFirst }: {
    readonly first: number
    readonly list: (page: { readonly limit: number; readonly cursor?: string }) => Effect.Effect<Page, E, R>
    readonly printFirst: (calls: ReadonlyArray<LoggedCall>) => Effect.Effect<void, E2, R2>
    readonly print: (calls: ReadonlyArray<LoggedCall>) => Effect.Effect<void, E2, R2>
  }
) {
  const start = yield* list({ limit: maxPageSize })
  const since = start.cursor === null ? "" : start.calls.at(-1)?.id ?? ""
  let seen = new Set<string>(start.calls.map(({ id }) => id))
  yield* printFirst(start.calls.slice(0, first).toReversed())

  const poll = Effect.gen(function*() {
    const found: Array<LoggedCall> = []
    let page = yield* list({ limit: maxPageSize })
    for (let count = 1;; count++) {
      const unseen = page.calls.filter(({ id }) => id >= since && !seen.has(id))
      append(found, unseen)
      if (unseen.length === 0 || page.cursor === null || count === maxPagesPerPoll) break
      page = yield* list({ limit: maxPageSize, cursor: page.cursor })
    }
    if (found.length === 0) return
    seen = new Set([...seen, ...found.map(({ id }) => id)].slice(-maxSeen))
    yield* print(found.toReversed())
  })
  return yield* Effect.schedule(poll, Schedule.spaced(Duration.seconds(1)))
})
