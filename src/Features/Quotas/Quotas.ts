import { Clock, Context, Effect, Layer } from "effect"
import type { ProviderCallError, RateLimited } from "../../Api/Errors.ts"
import type { ProviderQuota } from "../../Capacity/RateLimit.ts"
import type { ConnectionId } from "../../Domain/Ids.ts"
import { minOf } from "../../Domain/Lists.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import type { Provider, RawEndpoint, RawInput } from "../../Providers/Provider.ts"
import { isOfResource, type QuotaAccount } from "../../Providers/Quota.ts"
import { quotaLimits } from "../../Providers/QuotaSettings.ts"
import type { Caller } from "../../Providers/Sending/Caller.ts"
import type { Permit } from "../../Providers/Sending/Permit.ts"
import { figuresOf } from "./Bucket/Ask.ts"
import { emptyBucket, settled } from "./Bucket/Bucket.ts"
import { EndpointQuotas, type RequestQuotas } from "./EndpointQuotas.ts"
import { makeGovernor } from "./Governor.ts"
import { type Claim, LocalBucket, type Taken } from "./LocalBucket.ts"
import { LocalBuckets } from "./LocalBuckets.ts"
import { freePermit, type Held, HeldPermit } from "./Permit.ts"
import { quotaExhausted } from "./QuotaErrors.ts"
import { noteScarcest, quotaOf, stateOf } from "./QuotaFigures.ts"
import { type BucketUse, QuotaStore } from "./QuotaStore.ts"
import { makeReach } from "./Reach.ts"

export interface QuotaRequest {
  readonly provider: Provider
  readonly endpoint: RawEndpoint
  readonly input: RawInput
  readonly access: {
    /** Absent: nothing is counted. */
    readonly quotaAccount?: Effect.Effect<QuotaAccount, ProviderCallError>
  }
}

export interface QuotaUse extends ProviderQuota {
  readonly provider: string
  readonly connectionId: ConnectionId | null
  readonly resource: string | null
  readonly used: number
  readonly isReported: boolean
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
      const { isOff, quotas } = yield* quotaLimits(providers.flatMap((provider) => provider.quotas ?? []))
      const byName = new Map(isOff ? [] : quotas.map((quota) => [quota.name, quota]))
      const providerOf = new Map(
        providers.flatMap(({ id, quotas = [] }) => quotas.map(({ name }) => [name, id] as const))
      )
      const store = yield* QuotaStore
      const governor = yield* makeGovernor
      const reach = yield* makeReach
      const buckets = new LocalBuckets(governor.giveBackAhead, () => {
        byEndpoint = new WeakMap()
      })
      const uses = new Map<string, BucketUse>()
      let byEndpoint = new WeakMap<RawEndpoint, EndpointQuotas>()

      const quotasOf = (provider: Provider, endpoint: RawEndpoint): EndpointQuotas => {
        const known = byEndpoint.get(endpoint)
        if (known !== undefined) return known
        const quotas = (provider.quotas ?? []).flatMap(({ name, units }) =>
          units[endpoint.id] === undefined ? [] : byName.get(name) ?? []
        )
        const found = new EndpointQuotas(provider, endpoint, quotas, buckets)
        byEndpoint.set(endpoint, found)
        return found
      }

      const claimsOf = (
        found: RequestQuotas | undefined,
        { input }: QuotaRequest,
        caller: Caller,
        now: number
      ): ReadonlyArray<Claim> => {
        const budgets = caller.budgets.map((budget): Claim => ({
          bucket: buckets.of(quotaOf(budget), budget.holder),
          units: 1
        }))
        if (found === undefined) return budgets
        noteUses(found, caller, now)
        const claims = found.claimsOf(input)
        return budgets.length === 0 ? claims : [...budgets, ...claims]
      }

      const noteUses = (found: RequestQuotas, { connectionId }: Caller, now: number) => {
        if (connectionId === undefined || found.usedBy === connectionId && found.notedUntil > now) return
        found.usedBy = connectionId
        found.notedUntil = minOf(found.buckets.map((bucket) => noteUse(bucket, connectionId, found.resource, now)))
      }

      /** Written with the next list, or a second later. Returns until when it is noted. */
      const noteUse = (bucket: LocalBucket, connectionId: ConnectionId, resource: string | null, now: number) => {
        const known = bucket.uses.get(connectionId) ?? 0
        if (known > now) return known
        const window = Math.max(60_000, bucket.quota.windowSeconds * 1000)
        const until = now + window / 2
        bucket.uses.set(connectionId, until)
        if (uses.size === 0) governor.fork(Effect.delay(flushUses, 1000))
        uses.set(`${connectionId} ${bucket.key}`, {
          key: bucket.key,
          connectionId,
          quota: bucket.quota.name,
          resource: isOfResource(bucket.quota) ? resource : null,
          endsAt: now + 2 * window
        })
        return until
      }

      const flushUses = Effect.suspend(() => {
        const noted = [...uses.values()]
        uses.clear()
        return store.addUses(noted)
      })

      /** Units that were taken ahead of calls. */
      const takeAhead = (claims: ReadonlyArray<Claim>, { isBackground, member }: Caller, now: number) =>
        claims.every(({ bucket, units }) => bucket.has(units, now, isBackground))
          ? claims.map(({ bucket, units }): Taken => {
            const taken = bucket.take(member, units, now)
            if (bucket.wantsMore(now)) governor.startPump(bucket)
            return taken
          })
          : undefined

      const waitFor = Effect.fnUntraced(function*(claims: ReadonlyArray<Claim>, caller: Caller, now: number) {
        const { isBackground = false, member, priority, waitMillis } = caller
        const exit = yield* Effect.exit(
          governor.waitFor(claims, { member, priority, isBackground, deadline: now + waitMillis })
        )
        const after = yield* Clock.currentTimeMillis
        caller.waitMillis = Math.max(0, waitMillis - (after - now))
        return yield* Effect.mapError(exit, (exhausted) => {
          caller.scarcest = stateOf(exhausted.bucket, after)
          return quotaExhausted(exhausted, after)
        })
      })

      const take = (claims: ReadonlyArray<Claim>, caller: Caller, now: number) => {
        const taken = takeAhead(claims, caller, now)
        return taken === undefined ? waitFor(claims, caller, now) : Effect.succeed(taken)
      }

      const takeFor = (
        request: QuotaRequest,
        caller: Caller,
        found: RequestQuotas | undefined,
        reached: Held["reached"]
      ): Effect.Effect<Permit, RateLimited> =>
        Effect.clockWith((clock) => {
          const since = clock.currentTimeMillisUnsafe()
          const claims = claimsOf(found, request, caller, since)
          if (claims.length === 0) return Effect.succeed(freePermit)
          return Effect.mapEager(take(claims, caller, since), (taken) => {
            caller.budgets = []
            noteScarcest(claims, caller, since)
            return new HeldPermit(governor, clock, {
              request,
              claims,
              taken,
              reached,
              waited: clock.currentTimeMillisUnsafe() - since > longestUnnoticedMillis,
              take: (further, now) => take(further, caller, now)
            })
          })
        })

      const takeOf = (
        request: QuotaRequest,
        caller: Caller,
        quotas: EndpointQuotas,
        account: QuotaAccount
      ): Effect.Effect<Permit, RateLimited> => {
        const { input } = request
        const resource = quotas.resourceOf(input)
        if (resource === null) return takeFor(request, caller, quotas.of(input, account, null, true), undefined)
        const key = `${account.account} ${resource}`
        return Effect.flatMapEager(reach.find(key), (known) => {
          const reached: Held["reached"] = (now) => {
            const noted = reach.note(known, key, now)
            if (noted === undefined) return undefined
            const shared = quotas.of(input, account, resource, true)
            noteUses(shared, caller, now)
            return Effect.as(noted, shared.buckets)
          }
          return takeFor(request, caller, quotas.of(input, account, resource, known.isReached), reached)
        })
      }

      yield* Effect.addFinalizer(() =>
        Effect.forEach(buckets.all(), (bucket) => governor.giveBackAll(bucket), { discard: true })
      )

      return Quotas.of({
        take: (request, caller) => {
          const { access: { quotaAccount }, endpoint, provider } = request
          const quotas = quotasOf(provider, endpoint)
          if (quotas.isEmpty && caller.budgets.length === 0) return Effect.succeed(freePermit)
          return quotaAccount === undefined
            ? takeFor(request, caller, undefined, undefined)
            : Effect.flatMapEager(quotaAccount, (account) => takeOf(request, caller, quotas, account))
        },

        list: Effect.fn("Quotas.list")(function*(connectionIds) {
          yield* flushUses
          const found = yield* store.uses(connectionIds)
          const states = yield* store.read([...new Set(found.map(({ key }) => key))])
          const now = yield* Clock.currentTimeMillis
          const local = new Map([...buckets.all()].map((bucket) => [bucket.key, bucket]))
          const projects = new Set<string>()
          return found.flatMap(({ connectionId, key, quota: name, resource }): ReadonlyArray<QuotaUse> => {
            const quota = byName.get(name)
            const isProject = quota?.scope === "project"
            if (quota === undefined || isProject && projects.has(key)) return []
            if (isProject) projects.add(key)
            const bucket = settled(states.get(key) ?? emptyBucket, now)
            const own = local.get(key) ?? new LocalBucket(quota, "")
            const { isReported, limit, resetsAt, used } = figuresOf(bucket, own.rules, now)
            const units = Math.max(0, used - own.unused(now))
            return units === 0 ? [] : [{
              name,
              provider: providerOf.get(name) ?? "",
              connectionId: isProject ? null : connectionId,
              resource,
              windowSeconds: quota.windowSeconds,
              limit,
              used: units,
              remaining: Math.max(0, limit - units),
              resetsAt,
              isReported
            }]
          })
        })
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(QuotaStore.layer))

  static readonly layerMemory = this.layerNoDeps.pipe(Layer.provide(QuotaStore.layerMemory))
}

/** Rights are cached for longer than this. */
const longestUnnoticedMillis = 50
