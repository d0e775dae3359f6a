import {
  hashKey,
  keepPreviousData,
  type Mutation,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient
} from "@tanstack/react-query"
import { Effect } from "effect"
import { useId } from "react"
import { append } from "../../Domain/Lists.ts"
import type { PageRequest } from "../../Domain/Page.ts"
import { type Failure, run, type Service, service } from "./Service.ts"

/** Milliseconds. After failures the pauses double, up to a minute. */
const pollInterval = 5000
const maxPollInterval = 60_000
const fastPollInterval = 1000

const pageSize = 200

interface QueryOptions {
  /** Polls while the page is visible: every 5 s, or for a list every 5 s per page. */
  readonly live?: boolean
  readonly enabled?: boolean
  /** Asks again each time, and keeps no answer. */
  readonly fresh?: boolean
}

const pagesOf = (data: unknown): number => Array.isArray(data) ? Math.max(1, Math.ceil(data.length / pageSize)) : 1

const pause = (pages: number, failures: number) => Math.min(maxPollInterval, pollInterval * pages * 2 ** failures)

export const useServiceQuery = <A, E>(
  key: QueryKey,
  ask: (service: Service) => Effect.Effect<A, E>,
  { enabled = true, fresh = false, live = false }: QueryOptions = {}
) =>
  useQuery<A, Failure<E>>({
    queryKey: key,
    queryFn: ({ signal }) => run(ask(service), signal),
    placeholderData: keepPreviousData,
    ...fresh && { gcTime: 0, retry: false },
    enabled,
    refetchInterval: live
      ? ({ state }) => pause(pagesOf(state.data), state.fetchFailureCount)
      : false
  })

/** A page of the API has its entries in a field of their name. */
type Page<Name extends string, A> = Readonly<Record<Name, ReadonlyArray<A>>> & { readonly cursor: string | null }

/** Older entries stay while a filter changes. */
export const useServicePages = <Name extends string, A, E>(
  key: QueryKey,
  name: Name,
  ask: (service: Service, request: PageRequest) => Effect.Effect<Page<Name, A>, E>,
  { isChanging, live = false }: Pick<QueryOptions, "live"> & {
    /** Polls every second while this is true for one of the first entries. */
    readonly isChanging?: (entry: A) => boolean
  } = {}
) =>
  useInfiniteQuery<Page<Name, A>, Failure<E>, ReadonlyArray<A>, QueryKey, string | null>({
    queryKey: key,
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) => run(ask(service, pageParam === null ? {} : { cursor: pageParam }), signal),
    getNextPageParam: ({ cursor }) => cursor,
    select: ({ pages }) => pages.flatMap((page) => page[name]),
    placeholderData: keepPreviousData,
    refetchInterval: live
      ? ({ state: { data, fetchFailureCount } }) =>
        isChanging && fetchFailureCount === 0 && data?.pages[0]?.[name].some(isChanging)
          ? fastPollInterval
          : pause(data?.pages.length ?? 1, fetchFailureCount)
      : false
  })

export const maxEntries = 5000

/** The newest entries of all pages, under the key `[name]`. */
export const useServiceList = <Name extends string, A, E>(
  name: Name,
  list: (service: Service, query: PageRequest) => Effect.Effect<Page<Name, A>, E>,
  options?: QueryOptions
) =>
  useServiceQuery(
    [name],
    Effect.fnUntraced(function*(service: Service) {
      const entries: Array<A> = []
      let cursor: string | null = null
      do {
        const page: Page<Name, A> = yield* list(service, { limit: pageSize, ...cursor !== null && { cursor } })
        append(entries, page[name])
        cursor = page.cursor
      } while (cursor !== null && entries.length < maxEntries)
      return entries
    }),
    options
  )

/** Afterwards, queries whose key starts with one of `stale` are reloaded. */
export const useServiceMutation = <A, E, I = void>(
  change: (service: Service, input: I) => Effect.Effect<A, E>,
  stale: ReadonlyArray<string>
): UseMutationResult<A, Failure<E>, I> => {
  const queries = useQueryClient()
  const mutationKey = [useId()]
  const mutation = useMutation<A, Failure<E>, I>({
    mutationKey,
    mutationFn: (input) => run(change(service, input)),
    // A success shows once the lists have it. A failure shows immediately, also while nothing can be read.
    onSettled: (_, error) => {
      const reread = Promise.all(stale.map((key) => queries.invalidateQueries({ queryKey: [key] })))
      return error === null ? reread : undefined
    }
  })
  // The second click of a double click may come before the button is disabled.
  const mutate: typeof mutation.mutate = (...call) => {
    const predicate = ({ state }: Mutation) => hashKey([state.variables]) === hashKey([call[0]])
    if (queries.isMutating({ mutationKey, predicate }) === 0) mutation.mutate(...call)
  }
  return { ...mutation, mutate }
}

/**
 * A resource of the API: its list, under the key `[name]`, and changes. After a change the list is read again, and
 * other queries whose key starts with one of `stale`.
 */
export const resource = <Name extends string, A, E, Changes>(
  name: Name,
  list: (service: Service, query: PageRequest) => Effect.Effect<Page<Name, A>, E>,
  { live = false, served = true }: { readonly live?: boolean; readonly served?: boolean },
  changes: (
    change: <I, A, E>(
      ask: (service: Service, input: I) => Effect.Effect<A, E>,
      stale?: ReadonlyArray<string>
    ) => () => UseMutationResult<A, Failure<E>, I>
  ) => Changes
) => ({
  useList: (enabled = true) => useServiceList(name, list, { live, enabled: enabled && served }),
  ...changes((ask, stale = []) => () => useServiceMutation(ask, [name, ...stale]))
})
