import { Context, Effect, FiberSet, Layer } from "effect"
import type { ProviderCallError, RateLimited } from "../../Api/Errors.ts"
import type { ProviderQuota } from "../../Capacity/RateLimit.ts"
import { resourceOf } from "../../Domain/Access/Resource.ts"
import type { ConnectionId } from "../../Domain/Ids.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import type { Provider, RawEndpoint, RawInput } from "../../Providers/Provider.ts"
import { isOfResource, type QuotaAccount, subjectOf, unitsOf } from "../../Providers/Quota.ts"
import { quotaLimits } from "../../Providers/QuotaSettings.ts"
import { firstName } from "../../Providers/Resources.ts"
import type { Caller } from "../../Providers/Sending/Caller.ts"
import type { Permit } from "../../Providers/Sending/Permit.ts"
import { emptyBucket, figuresOf, reservedUnits, settled, windowOf } from "./Bucket/Bucket.ts"
import type { QuotaUse } from "./Contract.ts"
import { type BucketGrant, type BucketUnits, type LocalBucket, makeGovernor, makeLocalBuckets } from "./Governor.ts"
import { makePermit } from "./Permit.ts"
import { isBudget, limitOf, quotaExhausted, quotaOf } from "./QuotaErrors.ts"
import { type BucketUse, QuotaStore } from "./QuotaStore.ts"
import { makeFindReach, type Reach } from "./Reach.ts"

export interface QuotaRequest {
  readonly provider: Provider
  readonly endpoint: RawEndpoint
  readonly input: RawInput
  readonly access: {
    /** Absent: nothing is counted. */
    readonly quotaAccount?: Effect.Effect<QuotaAccount, ProviderCallError>
  }
}

/** Keeps requests within the quotas of providers and the budgets of callers, over all instances of one database. */
export class Quotas extends Context.Service<Quotas, {
  /** Takes the units of a request, or waits for them at most as long as the caller. */
  readonly take: (request: QuotaRequest, caller: Caller) => Effect.Effect<Permit, ProviderCallError>
  /** Units used in the current windows, by these connections. */
  readonly list: (connectionIds: ReadonlyArray<ConnectionId>) => Effect.Effect<ReadonlyArray<QuotaUse>>
}>()("openaccounts/Features/Quotas/Quotas") {
  static readonly layerNoDeps = Layer.effect(
    Quotas,
    Effect.gen(function*() {
      const { providers } = yield* Catalog
      const limits = yield* quotaLimits(providers.flatMap(({ quotas = [] }) => quotas))
      const known = new Map((limits.isOff ? [] : limits.quotas).map((quota) => [quota.name, quota]))
      const store = yield* QuotaStore
      const governor = yield* makeGovernor
      const { now } = governor
      const findReach = yield* makeFindReach
      const fork = yield* FiberSet.makeRuntime<never, void, never>()
      const uses = new Map<string, BucketUse>()
      const buckets = makeLocalBuckets()
      yield* Effect.addFinalizer(() => governor.giveBackAll(buckets.all.values()))

      const flushUses = Effect.suspend(() => {
        const noted = [...uses.values()]
        uses.clear()
        return store.addUses(noted)
      })

      /** For the list of what a connection has used. Written with the next list, or a second later. */
      const noteUse = (bucket: LocalBucket, connectionId: ConnectionId, resource: string | null, now: number) => {
        if ((bucket.uses.get(connectionId) ?? 0) > now) return
        const { key, quota } = bucket
        const window = Math.max(60_000, windowOf(quota))
        bucket.uses.set(connectionId, now + window / 2)
        if (uses.size === 0) fork(Effect.delay(flushUses, 1000))
        const use = { key, connectionId, quota: quota.name, resource: isOfResource(quota) ? resource : null }
        uses.set(`${connectionId} ${key}`, { ...use, endsAt: now + 2 * window })
      }

      const takeFor = (
        caller: Caller,
        wanted: ReadonlyArray<BucketUnits>,
        late?: ReadonlyArray<BucketGrant>
      ): Effect.Effect<ReadonlyArray<BucketGrant>, RateLimited> =>
        Effect.suspend(() => {
          const { isBackground = false, member, priority, waitMillis } = caller
          const since = now()
          const waiting = { member, priority, ...isBackground && { background: true }, deadline: since + waitMillis }
          const ended = (): number => {
            const at = now()
            caller.waitMillis = Math.max(0, waitMillis - (at - since))
            return at
          }
          return Effect.mapBothEager(governor.take(wanted, waiting, late), {
            onFailure: (exhausted) => {
              const at = ended()
              caller.scarcest = stateOf(exhausted.bucket, at)
              return quotaExhausted(exhausted, at)
            },
            onSuccess: (grants) => {
              noteScarcest(wanted, caller, ended())
              return grants
            }
          })
        })

      const take = (request: QuotaRequest, caller: Caller): Effect.Effect<Permit, ProviderCallError> => {
        const { access: { quotaAccount }, endpoint, input, provider } = request
        const { budgets, connectionId } = caller
        const quotas = (provider.quotas ?? []).flatMap(({ name, units }) =>
          quotaAccount === undefined || units[endpoint.id] === undefined ? [] : known.get(name) ?? []
        )
        const resource = quotas.some(isOfResource) ? resourceNamedIn(request) : null

        const permit = (account?: QuotaAccount, reach?: Reach) => {
          const since = now()
          const bucketsOf = (isReached: boolean): ReadonlyArray<LocalBucket> =>
            quotas.flatMap((quota) => {
              const subject = account && subjectOf(quota.scope, account, resource, isReached)
              if (subject === undefined) return []
              const bucket = buckets.of(quota, subject)
              if (connectionId !== undefined) noteUse(bucket, connectionId, resource, since)
              return [bucket]
            })

          const wanted = [
            ...budgets.map((budget) => ({ bucket: buckets.of(quotaOf(budget), budget.holder), units: 1 })),
            ...bucketsOf(reach?.isReached ?? true).flatMap((bucket) => {
              // A request for more than the limit gets the limit.
              const most = Math.max(1, bucket.quota.limit - reservedUnits(bucket.quota.limit))
              const units = Math.min(most, unitsOf(bucket.quota, endpoint.id, input))
              return units === 0 ? [] : [{ bucket, units }]
            })
          ]
          return Effect.map(takeFor(caller, wanted), (grants) => {
            caller.budgets = []
            return makePermit(governor, {
              provider,
              input,
              grants,
              waited: now() - since > longestUnnoticedMillis,
              reached: reach?.note && Effect.map(reach.note, () => bucketsOf(true)),
              take: (units, late) => takeFor(caller, units, late)
            })
          })
        }

        if (quotaAccount === undefined || quotas.length === 0) return permit()
        return Effect.flatMapEager(quotaAccount, (account) =>
          resource === null
            ? permit(account)
            : Effect.flatMapEager(findReach(`${account.account} ${resource}`), (reach) => permit(account, reach)))
      }

      return Quotas.of({
        take: (request, caller) => Effect.suspend(() => take(request, caller)),

        list: Effect.fn("Quotas.list")(function*(connectionIds) {
          yield* flushUses
          const found = yield* store.uses(connectionIds)
          const states = yield* store.read([...new Set(found.map(({ key }) => key))])
          const at = now()
          const local = new Map([...buckets.all.values()].map((bucket) => [bucket.key, bucket]))
          const projects = new Set<string>()
          return found.flatMap(({ connectionId, key, quota: name, resource }): ReadonlyArray<QuotaUse> => {
            const quota = known.get(name)
            const isProject = quota?.scope === "project"
            if (quota === undefined || isProject && projects.has(key)) return []
            if (isProject) projects.add(key)
            const { isReported, limit, resetsAt, ...all } = figuresOf(
              settled(states.get(key) ?? emptyBucket, at),
              quota,
              at
            )
            const used = Math.max(0, all.used - (local.get(key)?.queue.lease?.units ?? 0))
            return used === 0 ? [] : [{
              name,
              provider: providers.find(({ quotas = [] }) => quotas.some((each) => each.name === name))?.id ?? "",
              connection_id: isProject ? null : connectionId,
              resource,
              window_seconds: quota.windowSeconds,
              limit,
              used,
              remaining: Math.max(0, limit - used),
              resets_at: new Date(resetsAt),
              source: isReported ? "reported" : "declared"
            }]
          })
        })
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(QuotaStore.layer))
}

/** Rights are cached for longer than this. */
const longestUnnoticedMillis = 50

const resourceNamedIn = ({ endpoint, input, provider }: QuotaRequest) => {
  const name = firstName(provider, endpoint.resources, input)
  return name === undefined ? null : resourceOf(provider.id, name)
}

/** Keeps the quota with the least left for the response. */
const noteScarcest = (wanted: ReadonlyArray<BucketUnits>, caller: Caller, now: number): void => {
  for (const { bucket } of wanted) {
    if (isBudget(bucket.quota) || bucket.quota.counts !== "units") continue
    const state = stateOf(bucket, now)
    const { scarcest } = caller
    const isScarcer = scarcest === undefined || state.remaining / state.limit < scarcest.remaining / scarcest.limit
    if (isScarcer) caller.scarcest = state
  }
}

const stateOf = (bucket: LocalBucket, now: number): ProviderQuota => {
  const { queue, quota: { name, windowSeconds } } = bucket
  const limit = limitOf(bucket)
  return {
    name,
    limit,
    remaining: Math.min(limit, Math.max(0, limit - (queue.reply?.used ?? 0) + (queue.lease?.units ?? 0))),
    windowSeconds,
    resetsAt: Math.max(now, queue.reply?.resetsAt ?? now + windowSeconds * 1000)
  }
}
