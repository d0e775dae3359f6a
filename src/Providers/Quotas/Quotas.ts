import { Clock, Context, Effect, Layer } from "effect"
import type { ProviderCallError, RateLimited } from "../../Api/Errors.ts"
import type { ProviderQuota } from "../../Capacity/RateLimit.ts"
import type { ConnectionId } from "../../Domain/Ids.ts"
import type { Provider, RawEndpoint, RawInput } from "../Provider.ts"
import { type Quota, type QuotaAccount, subjectOf, unitsOf } from "../Quota.ts"
import { firstResource } from "../Resources.ts"
import { figuresOf } from "./Bucket/Ask.ts"
import { emptyBucket, settled } from "./Bucket/Bucket.ts"
import { type Claim, isLate, makeGovernor, type Taken } from "./Governor.ts"
import { type Answered, learn } from "./Learning.ts"
import { LocalBucket } from "./LocalBucket.ts"
import type { QuotaCaller } from "./QuotaCaller.ts"
import { budgetPrefix, quotaExhausted } from "./QuotaErrors.ts"
import { noteScarcest, quotaOf, stateOf } from "./QuotaFigures.ts"
import { quotaLimits } from "./QuotaSettings.ts"
import { type BucketUse, QuotaStore } from "./QuotaStore.ts"

export interface QuotaRequest {
  readonly provider: Provider
  readonly endpoint: RawEndpoint
  readonly input: RawInput
  readonly access: {
    /** Absent: nothing is counted. */
    readonly quotaAccount?: Effect.Effect<QuotaAccount, ProviderCallError>
  }
}

/** The units of one request, for as long as it is under way. */
export interface Permit {
  /** True if the request waited, so that its caller may have lost rights. */
  readonly waited: boolean
  /** Before each attempt. The first has its units, each further one takes new ones. */
  readonly attempt: () => Effect.Effect<void, RateLimited> | undefined
  /** False for a client of a team's own that ignores the permit. */
  readonly isAttempted: () => boolean
  /** After each answer. */
  readonly learn: (answer: Answered) => Effect.Effect<void>
  /** Once. Units of a request that was not sent come back. */
  readonly end: (wasSent: boolean) => void
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
  readonly take: (request: QuotaRequest, caller: QuotaCaller) => Effect.Effect<Permit, ProviderCallError>
  /** What was taken in the windows that run, through these connections. */
  readonly list: (connectionIds: ReadonlyArray<ConnectionId>) => Effect.Effect<ReadonlyArray<QuotaUse>>
}>()("openaccounts/Providers/Quotas/Quotas") {
  static readonly layerNoDeps = (providers: ReadonlyArray<Provider>) =>
    Layer.effect(
      Quotas,
      Effect.gen(function*() {
        const { isOff, quotas } = yield* quotaLimits(providers.flatMap((provider) => provider.quotas ?? []))
        const byName = new Map(quotas.map((quota) => [quota.name, quota]))
        const providerOf = new Map(
          providers.flatMap(({ id, quotas = [] }) => quotas.map(({ name }) => [name, id] as const))
        )
        const store = yield* QuotaStore
        const governor = yield* makeGovernor
        const buckets = new Map<string, LocalBucket>()
        const uses = new Map<string, BucketUse>()
        const byEndpoint = new WeakMap<RawEndpoint, ReadonlyArray<Quota>>()

        const quotasOf = (provider: Provider, endpoint: RawEndpoint): ReadonlyArray<Quota> => {
          const known = byEndpoint.get(endpoint)
          if (known !== undefined) return known
          const found = isOff ?
            [] :
            (provider.quotas ?? []).flatMap(({ name, units }) =>
              units[endpoint.id] === undefined ? [] : byName.get(name) ?? []
            )
          byEndpoint.set(endpoint, found)
          return found
        }

        const bucketOf = (quota: Quota, subject: string): LocalBucket => {
          const name = `${quota.name} ${subject}`
          const known = buckets.get(name)
          // The limit of a budget can change.
          if (known?.rules.limit === quota.limit) return known
          if (known !== undefined) governor.giveBackAhead(known)
          else if (buckets.size >= maxBuckets) forgetIdle()
          const bucket = new LocalBucket(quota, subject)
          buckets.set(name, bucket)
          return bucket
        }

        const forgetIdle = () => {
          for (const [name, { isIdle }] of buckets) if (isIdle) buckets.delete(name)
        }

        const claimsOf = (
          quotas: ReadonlyArray<Quota>,
          { endpoint, input, provider }: QuotaRequest,
          account: QuotaAccount | undefined,
          caller: QuotaCaller,
          now: number
        ): ReadonlyArray<Claim> => {
          const claims = caller.budgets.map((budget): Claim => ({
            bucket: bucketOf(quotaOf(budget), budget.holder),
            units: 1
          }))
          if (account === undefined) return claims
          const resource = quotas.some(isOfResource) ? firstResource(provider, endpoint.resources, input) : null
          for (const quota of quotas) {
            const units = unitsOf(quota, endpoint.id, input)
            const subject = subjectOf(quota.scope, account, resource)
            if (units === 0 || subject === undefined) continue
            const bucket = bucketOf(quota, subject)
            noteUse(bucket, caller, resource, now)
            claims.push({ bucket, units })
          }
          return claims
        }

        /** Written with the next list, or a second later. */
        const noteUse = (bucket: LocalBucket, { connectionId }: QuotaCaller, resource: string | null, now: number) => {
          if (connectionId === undefined || (bucket.uses.get(connectionId) ?? 0) > now) return
          const window = Math.max(60_000, bucket.quota.windowSeconds * 1000)
          bucket.uses.set(connectionId, now + window / 2)
          if (uses.size === 0) governor.fork(Effect.delay(flushUses, 1000))
          uses.set(`${connectionId} ${bucket.key}`, {
            key: bucket.key,
            connectionId,
            quota: bucket.quota.name,
            resource: isOfResource(bucket.quota) ? resource : null,
            endsAt: now + 2 * window
          })
        }

        const flushUses = Effect.suspend(() => {
          const noted = [...uses.values()]
          uses.clear()
          return store.addUses(noted)
        })

        /** Units that were taken ahead of calls. */
        const takeAhead = (claims: ReadonlyArray<Claim>, { isBackground, member }: QuotaCaller, now: number) =>
          claims.every(({ bucket, units }) => bucket.has(units, now, isBackground))
            ? claims.map(({ bucket, units }): Taken => {
              const lease = bucket.take(member, units, now)
              if (bucket.wantsMore(now)) governor.startPump(bucket)
              return { bucket, units, lease }
            })
            : undefined

        const waitFor = Effect.fnUntraced(function*(claims: ReadonlyArray<Claim>, caller: QuotaCaller, now: number) {
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

        const takeFor = (
          request: QuotaRequest,
          caller: QuotaCaller,
          quotas: ReadonlyArray<Quota>,
          account: QuotaAccount | undefined
        ): Effect.Effect<Permit, RateLimited> =>
          Effect.clockWith((clock) => {
            const now = clock.currentTimeMillisUnsafe()
            const claims = claimsOf(quotas, request, account, caller, now)
            if (claims.length === 0) return Effect.succeed(freePermit)
            const permit = (taken: ReadonlyArray<Taken>) => {
              caller.budgets = []
              noteScarcest(claims, caller, now)
              return permitOf(request, caller, claims, taken, clock.currentTimeMillisUnsafe() - now, clock)
            }
            const taken = takeAhead(claims, caller, now)
            return taken === undefined
              ? Effect.map(waitFor(claims, caller, now), permit)
              : Effect.succeed(permit(taken))
          })

        const permitOf = (
          { input, provider }: QuotaRequest,
          caller: QuotaCaller,
          claims: ReadonlyArray<Claim>,
          first: ReadonlyArray<Taken>,
          waitedMillis: number,
          clock: Clock.Clock
        ): Permit => {
          let taken = first
          let attempts = 0
          let isEnded = false
          const again = (now: number) => {
            const further = claims.filter(({ bucket }) => isPerAttempt(bucket))
            const ahead = takeAhead(further, caller, now)
            return Effect.map(ahead === undefined ? waitFor(further, caller, now) : Effect.succeed(ahead), (more) => {
              taken = [...taken.filter(({ bucket }) => !isPerAttempt(bucket)), ...more]
            })
          }
          // Getting a new access token may have taken long.
          const renewLate = (now: number) => {
            if (!taken.some((each) => isLate(each, now))) return undefined
            const renewed = Effect.forEach(taken, (each) =>
              isLate(each, now) ? governor.renew(each) : Effect.succeed(each), {
              concurrency: "unbounded"
            })
            return Effect.map(renewed, (all) => {
              taken = all
            })
          }
          return {
            waited: waitedMillis > longestUnnoticedMillis,
            attempt: () =>
              (attempts++ > 0 ? again : renewLate)(clock.currentTimeMillisUnsafe()),
            isAttempted: () =>
              attempts > 0,
            learn: (answer) => {
              if (answer.status < 300 && provider.quotaReport === undefined) {
                return Effect.void
              }
              return Effect.map(learn(governor, { provider, input, taken }, answer), (released) => {
                if (released.length > 0) {
                  taken = taken.filter((each) => !released.includes(each))
                }
              })
            },
            end: (wasSent) => {
              if (isEnded) return
              isEnded = true
              for (const each of taken) {
                if (each.bucket.holds) governor.release(each.bucket, each.units)
                else if (!wasSent && attempts <= 1) governor.giveBack([each])
              }
            }
          }
        }

        yield* Effect.addFinalizer(() =>
          Effect.forEach(buckets.values(), (bucket) => governor.giveBackAll(bucket), { discard: true })
        )

        return Quotas.of({
          take: (request, caller) => {
            const { access: { quotaAccount }, endpoint, provider } = request
            const quotas = quotasOf(provider, endpoint)
            if (quotas.length === 0 && caller.budgets.length === 0) return Effect.succeed(freePermit)
            return quotaAccount === undefined
              ? takeFor(request, caller, quotas, undefined)
              : Effect.flatMap(quotaAccount, (account) => takeFor(request, caller, quotas, account))
          },

          list: Effect.fn("Quotas.list")(function*(connectionIds) {
            yield* flushUses
            const found = yield* store.uses(connectionIds)
            const states = yield* store.read([...new Set(found.map(({ key }) => key))])
            const now = yield* Clock.currentTimeMillis
            const local = new Map([...buckets.values()].map((bucket) => [bucket.key, bucket]))
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

  static readonly layer = (providers: ReadonlyArray<Provider>) =>
    Quotas.layerNoDeps(providers).pipe(Layer.provide(QuotaStore.layer))

  static readonly layerMemory = (providers: ReadonlyArray<Provider>) =>
    Quotas.layerNoDeps(providers).pipe(Layer.provide(QuotaStore.layerMemory))

  /** Counts nothing. */
  static readonly layerOff = Layer.succeed(Quotas, {
    take: () => Effect.succeed(freePermit),
    list: () => Effect.succeed([])
  })
}

/** Rights are cached for longer than this. */
const longestUnnoticedMillis = 50

const maxBuckets = 10_000

const isOfResource = ({ scope }: Quota): boolean => scope === "resource" || scope === "project_resource"

/** Counts to no quota. */
const freePermit: Permit = {
  waited: false,
  attempt: () => undefined,
  isAttempted: () => true,
  learn: () => Effect.void,
  end: () => {}
}

const isPerAttempt = ({ holds, quota }: LocalBucket): boolean => !holds && !quota.name.startsWith(budgetPrefix)
