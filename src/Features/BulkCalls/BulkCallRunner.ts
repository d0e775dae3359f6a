import { Cause, Clock, Duration, Effect, FiberMap, Layer, Option, Result, Semaphore } from "effect"
import type { CallError } from "../../Api/Errors.ts"
import { Auth } from "../../Auth/Auth.ts"
import { MeteredCalls } from "../../Calls/MeteredCalls.ts"
import { maxCalls } from "../../Capacity/Capacity.ts"
import { AccountResources } from "../../Connections/Bounds/AccountResources.ts"
import { BoundCalls } from "../../Connections/Bounds/BoundCalls.ts"
import { CachedConnections } from "../../Connections/CachedConnections.ts"
import { boundsOf } from "../../Domain/Access/Bounds.ts"
import { seesConnection } from "../../Domain/Access/Principal.ts"
import { resourceOf } from "../../Domain/Access/Resource.ts"
import { type BulkCallId, CallId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { KeptResults } from "../Results/Kept/KeptResults.ts"
import { BulkCallRepo, LeaseLost } from "./BulkCallRepo.ts"
import { makeMakeTable, maxRows } from "./MakeTable.ts"
import { makeRunCall } from "./RunCall.ts"
import type { BulkRequest, Claim, Run } from "./StoredBulkCall.ts"

/** Finds bulk calls that wait, and those of an instance that has died. */
const pollInterval = Duration.millis(500)
const renewEvery = Duration.seconds(1)

/** How long a bulk call may wait for quotas. */
const maxAge = Duration.toMillis(Duration.hours(24))

/** Concurrent runs of one bulk call. Its responses leave time for others. */
const concurrency = 16

const makeWork = Effect.gen(function*() {
  const auth = yield* Auth
  const bounds = yield* BoundCalls
  const catalog = yield* Catalog
  const connections = yield* CachedConnections
  const makeTable = yield* makeMakeTable
  const repo = yield* BulkCallRepo
  const resources = yield* AccountResources
  const runCall = yield* makeRunCall
  const places = yield* Semaphore.make(Math.max(1, Math.floor((yield* maxCalls) / 4)))

  /** What the account of a run lists, inside the bounds of its caller. */
  const listed = Effect.fnUntraced(function*(claim: Claim, request: BulkRequest, { connectionId }: Run) {
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
    return found.filter((resource) => inside.has(resource) && (wanted?.has(resource) ?? true))
  })

  const failed = Effect.fnUntraced(function*(claim: Claim, run: Run, callId: CallId | null, error: CallError) {
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

  const runOne = Effect.fnUntraced(function*(claim: Claim, request: BulkRequest, run: Run) {
    if (run.isList) {
      const found = yield* Effect.result(listed(claim, request, run))
      yield* Result.isFailure(found)
        ? failed(claim, run, null, found.failure)
        : repo.replace(claim, run, found.success)
      return
    }
    const id = CallId.make(yield* newId("call"))
    const ended = yield* Effect.result(runCall(id, claim, request, run))
    yield* Result.isFailure(ended) ? failed(claim, run, id, ended.failure) : repo.save(claim, run, id, ended.success)
  })

  const runAll = Effect.fnUntraced(function*(claim: Claim, request: BulkRequest) {
    while ((yield* repo.rows(claim)) < maxRows) {
      const now = yield* Clock.currentTimeMillis
      const pending = yield* repo.pending(claim)
      if (pending.length === 0) return
      const due = pending.filter(({ dueAt }) => dueAt === null || dueAt.getTime() <= now)
      if (due.length === 0) yield* Effect.sleep(pollInterval)
      yield* Effect.forEach(due, (run) => places.withPermit(runOne(claim, request, run)), {
        concurrency,
        discard: true
      })
    }
  })

  const work = Effect.fnUntraced(function*(claim: Claim) {
    const request = yield* repo.request(claim)
    yield* runAll(claim, request)
    const truncated = yield* makeTable(claim, request.provider)
    yield* repo.finish(claim, truncated)
  })

  return (claim: Claim): Effect.Effect<void> =>
    Effect.raceFirst(work(claim), Effect.forever(Effect.delay(repo.renew(claim), renewEvery))).pipe(
      Effect.catchTag("LeaseLost", () => Effect.void),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.logError(`The bulk call ${claim.id} stopped`, cause)
      ),
      Effect.onInterrupt(() => repo.release(claim))
    )
})

/** In seconds, until the window of a quota ends. */
const waitOf = (error: CallError, age: number): number | undefined => {
  if (age > maxAge) return undefined
  if (error._tag === "RateLimited") {
    return error.details.limited_by === "budget"
      ? undefined
      : error.details.retry_after_seconds
  }
  // For a minute at least, the governor has emptied the quota. It says then how long the next attempt waits.
  return error._tag === "UpstreamError" && error.status === 429 ? 60 : undefined
}

/** Works on bulk calls, each in one instance. One that is under way at shutdown goes on elsewhere. */
export const BulkCallRunner = Layer.effectDiscard(Effect.gen(function*() {
  const repo = yield* BulkCallRepo
  const work = yield* makeWork
  const running = yield* FiberMap.make<BulkCallId>()

  yield* Effect.flatMap(repo.claim, (claimed) =>
    Option.isNone(claimed)
      ? Effect.sleep(pollInterval)
      : Effect.asVoid(FiberMap.run(running, claimed.value.id, work(claimed.value), { onlyIfMissing: true }))).pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(Effect.logWarning("Bulk calls could not be found", cause), Effect.sleep(pollInterval))
      ),
      Effect.forever,
      Effect.forkScoped
    )
})).pipe(Layer.provide([
  AccountResources.layer,
  BoundCalls.layer,
  BulkCallRepo.layer,
  CachedConnections.layer,
  KeptResults.layer,
  MeteredCalls
]))
