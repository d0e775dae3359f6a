import { Context, Effect, FiberSet, Layer } from "effect"
import type { ProviderCallError, RateLimited } from "../../Api/Errors.ts"
import { resourceOf } from "../../Domain/Access/Resource.ts"
import type { ConnectionId } from "../../Domain/Ids.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import type { Provider, RawEndpoint, RawInput } from "../../Providers/Provider.ts"
import { isOfResource, type QuotaAccount, subjectOf, unitsOf } from "../../Providers/Quota.ts"
import { quotaLimits } from "../../Providers/QuotaSettings.ts"
import { firstName } from "../../Providers/Resources.ts"
import type { Caller } from "../../Providers/Sending/Caller.ts"
import type { Permit } from "../../Providers/Sending/Permit.ts"
import { emptyBucket, figuresOf, isFresh, reservedUnits, windowOf, withTaken } from "./Bucket.ts"
import type { QuotaUse } from "./Contract.ts"
import { type BucketGrant, type BucketUnits, type LocalBucket, makeGovernor } from "./Governor.ts"
import { lessonsOf } from "./Learned.ts"
import { isBudget, quotaExhausted, quotaOf } from "./QuotaErrors.ts"
import { type BucketUse, QuotaStore } from "./QuotaStore.ts"
import { makeFindReach, type Reach } from "./Reach.ts"

type Grants = ReadonlyArray<BucketGrant>

export interface QuotaRequest {
  readonly provider: Provider
  readonly endpoint: RawEndpoint
  readonly input: RawInput
  readonly access: {
    /** Without it, nothing is counted. */
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
      const { bucketOf, now } = governor
      const findReach = yield* makeFindReach
      const fork = yield* FiberSet.makeRuntime<never, void, never>()
      const uses = new Map<string, BucketUse>()

      const flushUses = Effect.suspend(() => {
        const noted = [...uses].toSorted(([one], [other]) => one < other ? -1 : 1)
        uses.clear()
        return store.addUses(noted.map(([, use]) => use))
      })

      /** Notes for `list` that a connection has used a bucket. Stored with the next `list`, or a second later. */
      const noteUse = (bucket: LocalBucket, { connectionId }: Caller, resource: string | null) => {
        if (connectionId === undefined || (bucket.notedUntil.get(connectionId) ?? 0) > now()) return
        const { key, quota } = bucket
        const window = Math.max(60_000, windowOf(quota))
        bucket.notedUntil.set(connectionId, now() + window / 2)
        if (uses.size === 0) fork(Effect.delay(flushUses, 1000))
        uses.set(`${connectionId} ${key}`, {
          connection_id: connectionId,
          key,
          quota: quota.name,
          resource: isOfResource(quota) ? resource : null,
          ends_at: new Date(now() + 2 * window)
        })
      }

      const takeFor = (
        caller: Caller,
        wanted: ReadonlyArray<BucketUnits>,
        late?: Grants
      ): Effect.Effect<Grants, RateLimited> =>
        Effect.suspend(() => {
          const { isBackground: background = false, member, priority, waitMillis } = caller
          const since = now()
          const afterWait = <A>(result: A): A => {
            caller.waitMillis = Math.max(0, waitMillis - (now() - since))
            noteScarcest(wanted, caller, now())
            return result
          }
          const waiting = { background, member, priority, deadline: since + waitMillis }
          return Effect.mapBothEager(governor.take(wanted, waiting, late), {
            onFailure: (exhausted) => afterWait(quotaExhausted(exhausted, now())),
            onSuccess: afterWait
          })
        })

      /** Moves units to the buckets that count for all callers. */
      const countForAll = (grants: Grants, shared: ReadonlyArray<LocalBucket>): Effect.Effect<Grants> =>
        Effect.forEach(grants, (each) => {
          const { bucket: own, units, until } = each
          // The request has ended, so it has no slot.
          const bucket = own.quota.counts === "units" ? shared.find(({ quota }) => quota === own.quota) : undefined
          if (bucket === undefined || bucket === own) return Effect.succeed(each)
          governor.giveBack(each)
          return Effect.as(governor.change(bucket, (before) => withTaken(before, until, units)), { ...each, bucket })
        })

      const take = (request: QuotaRequest, caller: Caller): Effect.Effect<Permit, ProviderCallError> => {
        const { access: { quotaAccount }, endpoint, input, provider } = request
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
              const bucket = bucketOf(quota, subject)
              noteUse(bucket, caller, resource)
              return [bucket]
            })
          const wanted = [
            ...caller.budgets.map((budget) => ({ bucket: bucketOf(quotaOf(budget), budget.holder), units: 1 })),
            ...bucketsOf(reach?.isReached ?? true).flatMap((bucket) => {
              // A request for more than the limit gets the limit.
              const most = Math.max(1, bucket.quota.limit - reservedUnits(bucket.quota.limit))
              const units = Math.min(most, unitsOf(bucket.quota, endpoint.id, input))
              return units === 0 ? [] : [{ bucket, units }]
            })
          ]

          return Effect.map(takeFor(caller, wanted), (first): Permit => {
            caller.budgets = []
            let grants = first
            let attempts = 0
            let isEnded = false
            const keep = (all: Grants): void => {
              grants = all
            }
            return {
              waited: now() - since > longestUnnoticedMillis,
              attempt: () => {
                if (attempts++ > 0) {
                  const kept = grants.filter((each) => !isOfAttempt(each))
                  return Effect.map(takeFor(caller, first.filter(isOfAttempt)), (more) => keep([...kept, ...more]))
                }
                // Getting a new access token may have taken long.
                const isLate = grants.some((each) => !isFresh(each, now()))
                return isLate ? Effect.map(takeFor(caller, [], grants), keep) : undefined
              },
              isAttempted: () => attempts > 0,
              learn: (response) => {
                const error = provider.quotaError?.(response)
                const isSuccess = response.status < 300 && error === undefined
                const counted = isSuccess && reach?.note !== undefined
                  ? Effect.flatMap(reach.note, () => Effect.map(countForAll(grants, bucketsOf(true)), keep))
                  : Effect.void
                if (isSuccess && provider.quotaReport === undefined) return counted
                return Effect.flatMap(counted, () => {
                  const lessons = lessonsOf({ provider, input, grants, error, response })
                  const ended = lessons.flatMap(({ grant, isEnded }) => isEnded ? [grant] : [])
                  keep(grants.filter((each) => !ended.includes(each)))
                  return Effect.forEach(lessons, ({ change, grant }) => governor.change(grant.bucket, change), together)
                })
              },
              end: (wasSent) => {
                if (isEnded) return
                isEnded = true
                for (const each of grants) {
                  if (each.bucket.quota.counts !== "units" || !wasSent && attempts <= 1) governor.giveBack(each)
                }
              }
            }
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
          const local = new Map([...governor.buckets.values()].map((bucket) => [bucket.key, bucket]))
          const projects = new Set<string>()
          return found.flatMap(({ connection_id, key, quota: name, resource }): ReadonlyArray<QuotaUse> => {
            const quota = known.get(name)
            const isProject = quota?.scope === "project"
            if (quota === undefined || isProject && projects.has(key)) return []
            if (isProject) projects.add(key)
            const { bucket } = states.get(key) ?? { bucket: emptyBucket }
            const { isReported, resetsAt, ...figures } = figuresOf(bucket, quota, local.get(key)?.lease, at)
            return figures.used === 0 ? [] : [{
              name,
              provider: providers.find(({ quotas = [] }) => quotas.some((each) => each.name === name))?.id ?? "",
              connection_id: isProject ? null : connection_id,
              resource,
              window_seconds: quota.windowSeconds,
              ...figures,
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

/** Runs changes in one statement. */
const together = { concurrency: "unbounded", discard: true } as const

/** A slot is for all attempts, and a budget counts calls. */
const isOfAttempt = ({ bucket: { quota } }: BucketUnits): boolean => quota.counts === "units" && !isBudget(quota)

/** Keeps the quota with the least left for the response. */
const noteScarcest = (wanted: ReadonlyArray<BucketUnits>, caller: Caller, now: number): void => {
  for (const { bucket } of wanted) {
    const { quota, quota: { name, windowSeconds } } = bucket
    if (isBudget(quota) || quota.counts !== "units") continue
    const { limit, remaining, resetsAt } = figuresOf(bucket.bucket, quota, bucket.lease, now)
    const { scarcest } = caller
    const isScarcer = scarcest === undefined || remaining / limit < scarcest.remaining / scarcest.limit
    if (isScarcer) caller.scarcest = { name, limit, remaining, windowSeconds, resetsAt }
  }
}
