import { Context, Effect, Layer, Option, Schedule, Stream } from "effect"
import { targetIssues } from "../../Api/Calls/CallApi.ts"
import { InvalidInput } from "../../Api/Errors.ts"
import { Auth } from "../../Auth/Auth.ts"
import { ClientRepo } from "../../Auth/ClientRepo.ts"
import { CachedConnections } from "../../Connections/CachedConnections.ts"
import { makeMissingConnection } from "../../Connections/MissingConnection.ts"
import { grantedOf, holderIdOf, type Principal } from "../../Domain/Access/Principal.ts"
import type { StoredConnection } from "../../Domain/Connection.ts"
import type { PageRequest } from "../../Domain/Page.ts"
import type { Issue } from "../../Domain/Validation/Issue.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { KeptResults } from "../Results/Kept/KeptResults.ts"
import { readPage } from "../Results/Kept/ReadPage.ts"
import { ResultAccess } from "../Results/Kept/ResultAccess.ts"
import { issuesOfSelect } from "../Results/Shaping/ResultsStep.ts"
import { BulkCallRepo } from "./BulkCallRepo.ts"
import { type BulkCall, BulkCallNotFound, maxConnections, type NewBulkCall } from "./Contract.ts"
import { placeOf } from "./Place.ts"
import { type EndedRun, type StoredBulkCall, summaryOf } from "./StoredBulkCall.ts"

const maxShown = 100
const previewRows = 20

const pollInterval = "500 millis"

const isOpen = ({ status }: StoredBulkCall) => status === "queued" || status === "running"

export const issuesOfBulkCall = Effect.fnUntraced(function*(
  { select }: Pick<NewBulkCall, "select">,
  sent: object
): Effect.fn.Return<ReadonlyArray<Issue>> {
  return [
    ...targetIssues(sent),
    ...select === undefined ? [] : yield* issuesOfSelect(select),
    ..."client_ids" in sent && "connection_ids" in sent
      ? [{ path: ["client_ids"], message: "Pass `connection_ids` or `client_ids`, not both" }]
      : []
  ]
})

const make = Effect.gen(function*() {
  const access = yield* ResultAccess
  const auth = yield* Auth
  const catalog = yield* Catalog
  const clients = yield* ClientRepo
  const connections = yield* CachedConnections
  const missing = yield* makeMissingConnection
  const repo = yield* BulkCallRepo
  const results = yield* KeptResults

  /** Every connection of a provider that the caller sees, by its id. */
  const seen = Effect.fnUntraced(function*(principal: Principal, provider: string) {
    const all = grantedOf(principal, yield* connections.all(principal.clientIds, provider))
    return new Map<string, StoredConnection>(all.map((connection) => [connection.id, connection]))
  })

  const named = Effect.fnUntraced(function*(principal: Principal, request: NewBulkCall) {
    const provider = yield* catalog.provider(request.provider)
    const all = yield* seen(principal, provider.id)
    const unknown = request.connection_ids?.find((id) => !all.has(id))
    if (unknown !== undefined) return yield* Effect.flip(missing.unknown(principal, provider, unknown))
    const [ids, owners] = [new Set(request.connection_ids), new Set<string | null>(request.client_ids)]
    const chosen = [...all.values()].filter(({ client_id, id, status }) =>
      status === "active" && (ids.size === 0 || ids.has(id)) && (owners.size === 0 || owners.has(client_id))
    )
    if (chosen.length === 0) {
      const inactive = all.get(request.connection_ids?.[0] ?? "")
      if (inactive !== undefined) return yield* Effect.flip(missing.inactive(principal, provider, inactive))
      return yield* Effect.flip(missing.noneActive(principal, provider))
    }
    if (chosen.length > maxConnections) {
      return yield* InvalidInput.at("connection_ids", `At most ${maxConnections} connections. Name fewer of them`)
    }
    return yield* inOrder(chosen)
  })

  /** Sorts connections by the names of their clients. */
  const inOrder = Effect.fnUntraced(function*(chosen: ReadonlyArray<StoredConnection>) {
    const found = yield* clients.findAll(chosen.flatMap(({ client_id }) => client_id ?? []))
    const places = new Map(found.map(({ id }, index) => [id, index]))
    const placeOf = ({ client_id }: StoredConnection) => client_id === null ? -1 : places.get(client_id) ?? -1
    return chosen.toSorted((one, other) => placeOf(one) - placeOf(other))
  })

  /** The connections that the caller sees now, and the counts of their runs. */
  const visible = Effect.fnUntraced(function*(principal: Principal, { id }: StoredBulkCall) {
    const counts = yield* repo.counts(id)
    const [first] = counts
    const one = first === undefined ? Option.none() : yield* connections.find(first.connectionId)
    const all = Option.isNone(one) ? new Map<string, StoredConnection>() : yield* seen(principal, one.value.provider)
    return { all, counts: counts.filter(({ connectionId }) => all.has(connectionId)) }
  })

  const find = Effect.fnUntraced(function*(principal: Principal, id: string) {
    const found = yield* repo.find(holderIdOf(principal), id)
    return Option.isSome(found) ? found.value : yield* new BulkCallNotFound()
  })

  /** Polls the bulk call until it ends. */
  const states = (principal: Principal, id: string) =>
    Stream.fromEffectSchedule(find(principal, id), Schedule.spaced(pollInterval)).pipe(
      Stream.takeUntil((bulk) => !isOpen(bulk))
    )

  const resultOf = Effect.fnUntraced(function*(principal: Principal, { resultId }: StoredBulkCall) {
    const result = yield* access.find(principal, resultId)
    const columns = yield* results.columns(result)
    const range = { offset: 0, limit: previewRows, form: { format: "json", limit: 200_000 } } as const
    const { body } = yield* readPage(results, principal.memberId, result, range)
    const page: { readonly rows: ReadonlyArray<ReadonlyArray<unknown>> } = JSON.parse(new TextDecoder().decode(body))
    const { bytes, expiresAt, id, rows } = result
    return { result: { id, columns, rows, bytes, expires_at: expiresAt }, preview: page.rows }
  })

  const show = Effect.fnUntraced(function*(
    principal: Principal,
    bulk: StoredBulkCall
  ): Effect.fn.Return<BulkCall> {
    const { all, counts } = yield* visible(principal, bulk)
    const ids = [...new Set(counts.map(({ connectionId }) => connectionId))]
    const failures = yield* repo.ended("failed", bulk.id, ids, maxShown)
    const parts = yield* repo.ended("partial", bulk.id, ids, maxShown)
    const byCode = new Map<string, number>()
    for (const { code, count } of counts) if (code !== null) byCode.set(code, (byCode.get(code) ?? 0) + count)
    const shown = bulk.status === "done" ? yield* Effect.option(resultOf(principal, bulk)) : Option.none()
    const accountOf = ({ callId, connectionId, resource }: EndedRun) => ({
      connection_id: connectionId,
      client_id: all.get(connectionId)?.client_id ?? null,
      resource,
      call_id: callId
    })
    return {
      ...summaryOf(bulk, counts),
      ...Option.getOrElse(shown, () => ({ result: null, preview: [] })),
      failures: failures.map((run) => ({
        ...accountOf(run),
        code: run.code ?? "internal_error",
        message: run.message ?? ""
      })),
      failures_by_code: Object.fromEntries(byCode),
      ...parts.length === 0 ? {} : { parts: parts.map((run) => ({ ...accountOf(run), page: run.page ?? {} })) }
    }
  })

  return {
    start: Effect.fn("BulkCalls.start")(function*(principal: Principal, request: NewBulkCall) {
      const { endpoint, input = {}, max_age, provider, resources, select, tool } = request
      const details = yield* issuesOfBulkCall(request, request)
      if (details.length > 0) return yield* new InvalidInput({ details })
      const operation = yield* catalog.operation(request)
      if (operation.writes) {
        return yield* InvalidInput.at(tool === undefined ? "endpoint" : "tool", "Only operations that read")
      }
      const place = resources === undefined ? undefined : yield* placeOf(operation, input)
      const resource = place === undefined ? (yield* operation.prepare(input)).resource : null
      const chosen = yield* named(principal, request)
      const holder = { memberId: principal.memberId, holder: holderIdOf(principal) }
      const asked = { provider, endpoint, tool, input, max_age, select, resources, place }
      const runs = chosen.map(({ id }, index) => ({
        place: index,
        connectionId: id,
        resource,
        isList: place !== undefined
      }))
      const id = yield* repo.add(holder, JSON.parse(JSON.stringify(asked)), runs)
      return yield* show(principal, yield* Effect.orDie(find(principal, id)))
    }),

    /** Waits at most `seconds` until it ends. Shows what the caller may still see by then. */
    get: Effect.fnUntraced(function*(principal: Principal, id: string, seconds: number) {
      yield* Effect.timeoutOption(Stream.runDrain(states(principal, id)), `${seconds} seconds`)
      const current = seconds === 0 ? principal : yield* auth.ofHolder(holderIdOf(principal))
      return yield* show(current, yield* find(current, id))
    }),

    list: Effect.fnUntraced(function*(principal: Principal, page: PageRequest) {
      const { cursor, items } = yield* repo.list(holderIdOf(principal), page)
      const bulk_calls = yield* Effect.forEach(
        items,
        (bulk) => Effect.map(visible(principal, bulk), ({ counts }) => summaryOf(bulk, counts))
      )
      return { bulk_calls, cursor }
    }),

    cancel: Effect.fnUntraced(function*(principal: Principal, id: string) {
      yield* repo.cancel((yield* find(principal, id)).id)
    }),

    /** A stream of its progress until it ends. Fails when its caller has ended. */
    progress: (principal: Principal, id: string) =>
      Effect.as(
        find(principal, id),
        Stream.mapEffect(
          Stream.ignore(states(principal, id)),
          Effect.fnUntraced(function*(bulk) {
            const current = yield* auth.ofHolder(holderIdOf(principal))
            return summaryOf(bulk, (yield* visible(current, bulk)).counts)
          })
        )
      )
  }
})

/** One reading operation, run through many connections. */
export class BulkCalls extends Context.Service<BulkCalls, Effect.Success<typeof make>>()(
  "openaccounts/Features/BulkCalls/BulkCalls"
) {
  static readonly layer = Layer.effect(BulkCalls, make).pipe(
    Layer.provide([BulkCallRepo.layer, CachedConnections.layer, KeptResults.layer, ResultAccess.layer])
  )
}
