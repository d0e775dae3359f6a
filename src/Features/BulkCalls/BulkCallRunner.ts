import { Cause, Clock, Duration, Effect, Layer, Option, Result, Semaphore } from "effect"
import type { CallError } from "../../Api/Errors.ts"
import { PayloadTooLarge } from "../../Api/Errors/RequestErrors.ts"
import { Auth } from "../../Auth/Auth.ts"
import { ClientRepo } from "../../Auth/ClientRepo.ts"
import { MeteredCalls } from "../../Calls/MeteredCalls.ts"
import { maxCalls } from "../../Capacity/Capacity.ts"
import { AccountResources } from "../../Connections/Bounds/AccountResources.ts"
import { BoundCalls } from "../../Connections/Bounds/BoundCalls.ts"
import { CachedConnections } from "../../Connections/CachedConnections.ts"
import { boundsOf } from "../../Domain/Access/Bounds.ts"
import { seesConnection } from "../../Domain/Access/Principal.ts"
import { resourceOf } from "../../Domain/Access/Resource.ts"
import { CallId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import type { DecryptionFailed } from "../../Secrets/Vault.ts"
import { LeaseLost } from "../../Sql/LeasedRows.ts"
import { KeptResults } from "../Results/Kept/KeptResults.ts"
import { BulkCallBounds } from "./BulkCallBounds.ts"
import { BulkCallRepo } from "./BulkCallRepo.ts"
import { makeMakeTable } from "./MakeTable.ts"
import { makeRunCall, type RunsOfCall } from "./RunCall.ts"
import type { Claim, Run } from "./StoredBulkCall.ts"

/** Bulk calls of this instance begin immediately. Polling finds those of an instance that has died. */
const pollInterval = Duration.seconds(3)

/** How long a bulk call may wait for quotas. */
const maxAge = Duration.toMillis(Duration.hours(24))

/** Concurrent runs of one bulk call. */
const concurrency = 8

/**
 * The runs of an instance begin one after the other, so that their responses leave time for other callers. A faster
 * pace would soon meet the quotas: Search Console has 1,200 requests a minute for a site and a user.
 */
const pace = Duration.millis(50)

/** A bulk call under way. */
interface Work extends RunsOfCall {
  /** How much of its bounds is used. Only this instance changes it. */
  readonly size: { runs: number; rows: number; bytes: number }
}

const makeWork = Effect.gen(function*() {
  const auth = yield* Auth
  const bounds = yield* BoundCalls
  const catalog = yield* Catalog
  const clients = yield* ClientRepo
  const connections = yield* CachedConnections
  const limits = yield* BulkCallBounds
  const makeTable = yield* makeMakeTable
  const repo = yield* BulkCallRepo
  const resources = yield* AccountResources
  const runCall = yield* makeRunCall
  const begins = yield* Semaphore.make(1)
  const places = yield* Semaphore.make(Math.max(1, Math.floor((yield* maxCalls) / 4)))

  /** What the account of a run lists, inside the bounds of its caller. */
  const listed = Effect.fnUntraced(function*({ claim, request, size }: Work, { connectionId }: Run) {
    const principal = yield* auth.ofHolder(claim.holder)
    const connection = Option.getOrUndefined(yield* connections.find(connectionId))
    if (connection === undefined || !seesConnection(principal, connection.id, connection.client_id)) return []
    const provider = yield* catalog.provider(request.provider)
    const found = (yield* resources.of(connectionId)).filter(({ allowed }) => allowed).map(({ resource }) => resource)
    const inside = yield* bounds.inside(boundsOf(principal, connection) ?? [], provider, found)
    const wanted = request.resources === "all" ? undefined : new Set(
      request.resources?.map((text) => {
        const name = text.startsWith(`${provider.id}:`) ? text.slice(provider.id.length + 1) : text
        return resourceOf(provider.id, provider.resourceName(name) ?? name)
      })
    )
    const chosen = found.filter((resource) => inside.has(resource) && (wanted?.has(resource) ?? true))
    // The runs for the resources replace the run that lists them.
    if (size.runs + chosen.length - 1 > limits.runs) {
      return yield* new PayloadTooLarge({
        message: `A bulk call has at most ${limits.runs} runs. The ${chosen.length} resources of this account do not ` +
          "fit. Ask fewer clients, or name the resources."
      })
    }
    size.runs += chosen.length - 1
    return chosen
  })

  const failed = Effect.fnUntraced(function*({ claim }: Work, run: Run, callId: CallId | null, error: CallError) {
    if (error._tag === "Unauthenticated") {
      yield* repo.cancel(claim.id)
      return yield* new LeaseLost()
    }
    const now = yield* Clock.currentTimeMillis
    const seconds = waitOf(error, now - (claim.startedAt?.getTime() ?? now))
    yield* seconds === undefined
      ? repo.save(claim, run, callId, error)
      : repo.postpone(claim, run, new Date(now + 1000 * Math.max(1, seconds)))
  })

  const runOne = Effect.fnUntraced(function*(work: Work, run: Run) {
    const { claim, size } = work
    if (run.isList) {
      const found = yield* Effect.result(listed(work, run))
      return yield* Result.isFailure(found)
        ? failed(work, run, null, found.failure)
        : repo.replace(claim, run, found.success)
    }
    const id = CallId.make(yield* newId("call"))
    const called = yield* Effect.result(runCall(id, work, run))
    if (Result.isFailure(called)) return yield* failed(work, run, id, called.failure)
    size.rows += called.success.rows
    size.bytes += called.success.table.length
    yield* repo.save(claim, run, id, called.success)
  })

  const runAll = Effect.fnUntraced(function*(work: Work) {
    const { claim, size } = work
    const isFull = () => size.rows > limits.rows || size.bytes > limits.bytes
    while (!isFull()) {
      const now = yield* Clock.currentTimeMillis
      const pending = yield* repo.pending(claim)
      if (pending.length === 0) return
      const waits = pending.map(({ dueAt }) => Math.max(0, (dueAt?.getTime() ?? now) - now))
      const wait = waits.reduce((least, each) => Math.min(least, each), Infinity)
      yield* Effect.sleep(wait)
      yield* Effect.forEach(
        pending.filter((_, index) => (waits[index] ?? 0) <= wait),
        (run) =>
          isFull() ? Effect.void : places.withPermit(
            Effect.andThen(begins.withPermit(Effect.sleep(pace)), runOne(work, run))
          ),
        { concurrency, discard: true }
      )
    }
  })

  const begin = Effect.fnUntraced(function*(claim: Claim) {
    const request = yield* repo.request(claim)
    const all = yield* connections.all(null, request.provider)
    const owners = yield* clients.findAll(all.flatMap(({ client_id }) => client_id ?? []))
    const names = new Map<string | null, string>(owners.map(({ id, name }) => [id, name]))
    const ownerCells = new Map(all.map(({ client_id, external_account, id, label }) => [
      id,
      [names.get(client_id) ?? null, client_id, id, external_account ?? label]
    ]))
    return { claim, request, ownerCells, size: { ...yield* repo.size(claim) } }
  })

  const work = Effect.fnUntraced(function*(claim: Claim) {
    const begun = yield* begin(claim)
    yield* runAll(begun)
    const truncated = yield* makeTable(claim, begun.request.provider)
    yield* repo.finish(claim, truncated)
  })

  /** Ends a bulk call whose encryption key is missing: it would fail again at every attempt. */
  const endUnreadable = (claim: Claim, { message }: DecryptionFailed) =>
    Effect.logError(`The bulk call ${claim.id} ended: ${message}`).pipe(
      Effect.andThen(repo.failAll(claim, { code: "internal_error", message: encryptionKeyMissing })),
      Effect.andThen(repo.finish(claim, false))
    )

  return (claim: Claim): Effect.Effect<void> =>
    repo.leases.keeping(
      claim.id,
      Effect.catchTag(work(claim), "DecryptionFailed", (error) => endUnreadable(claim, error))
    ).pipe(
      Effect.catchTag("LeaseLost", () => Effect.void),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.logError(`The bulk call ${claim.id} stopped`, cause)
      ),
      Effect.orDie
    )
})

const encryptionKeyMissing =
  "The service cannot decrypt this bulk call, because its encryption key is missing. Start the bulk call again."

/** The seconds until the window of the quota ends. `undefined` if waiting does not help. */
const waitOf = (error: CallError, age: number): number | undefined => {
  if (age > maxAge) return undefined
  if (error._tag === "RateLimited") {
    return error.details.limited_by === "budget"
      ? undefined
      : error.details.retry_after_seconds
  }
  // The refusal has emptied the quota. The next attempt is told how long to wait.
  return error._tag === "UpstreamError" && error.status === 429 ? 60 : undefined
}

/** Works on bulk calls, each in one instance. One that is under way at shutdown goes on elsewhere. */
export const BulkCallRunner = Layer.effectDiscard(Effect.gen(function*() {
  const repo = yield* BulkCallRepo
  const work = yield* makeWork
  yield* repo.leases.workOn({ claim: repo.claim, every: pollInterval, maxRunning: Infinity, name: "bulk calls", work })
})).pipe(Layer.provide([
  AccountResources.layer,
  BoundCalls.layer,
  BulkCallRepo.layer,
  CachedConnections.layer,
  KeptResults.layer,
  MeteredCalls
]))
