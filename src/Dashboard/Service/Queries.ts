import { keepPreviousData, type QueryKey, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Effect } from "effect"
import { run, type Service, service, type ServiceError } from "./Service.ts"

/** Milliseconds. After failures the pauses double, up to a minute. */
const pollInterval = 5000
const maxPollInterval = 60_000

interface AnswerOptions {
  /** Asks again every 5 s while the page is visible. */
  readonly live?: boolean
  readonly enabled?: boolean
}

/** What the service answers to `ask`. The previous answer stays until the next one is there. */
export const useAnswer = <A>(
  key: QueryKey,
  ask: (service: Service) => Effect.Effect<A, unknown>,
  { enabled = true, live = false }: AnswerOptions = {}
) =>
  useQuery<A, ServiceError>({
    queryKey: key,
    queryFn: ({ signal }) => run(ask(service), signal),
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: live
      ? ({ state }) => Math.min(maxPollInterval, pollInterval * 2 ** state.fetchFailureCount)
      : false
  })

/** Lists are read whole, up to this many entries. */
const maxEntries = 5000

/** All pages of a list, one after the other. */
export const allPages = <A, E>(
  page: (request: { readonly limit: number; readonly cursor?: string }) => Effect.Effect<
    { readonly items: ReadonlyArray<A>; readonly cursor: string | null },
    E
  >
): Effect.Effect<ReadonlyArray<A>, E> =>
  Effect.gen(function*() {
    const entries: Array<A> = []
    let cursor: string | null = null
    do {
      const next: { readonly items: ReadonlyArray<A>; readonly cursor: string | null } = yield* page({
        limit: 200,
        ...cursor === null ? {} : { cursor }
      })
      entries.push(...next.items)
      cursor = next.cursor
    } while (cursor !== null && entries.length < maxEntries)
    return entries
  })

/** A request that changes something. Afterwards every answer whose key starts with one of `stale` is asked for again. */
export const useChange = <A, I = void>(
  change: (service: Service, input: I) => Effect.Effect<A, unknown>,
  stale: ReadonlyArray<string>
) => {
  const queries = useQueryClient()
  return useMutation<A, ServiceError, I>({
    mutationFn: (input) => run(change(service, input)),
    onSettled: () => Promise.all(stale.map((key) => queries.invalidateQueries({ queryKey: [key] })))
  })
}
