import { Clock, Config, Effect, identity, Option, Result, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Provider, RawEndpoint, RawInput } from "../../Providers/Provider.ts"
import { type Quota, subjectOf, unitsOf } from "../../Providers/Quota.ts"
import { quotaLimits } from "../../Providers/QuotaSettings.ts"
import { firstResource } from "../../Providers/Resources.ts"
import { SandboxStore } from "../Data/SandboxStore.ts"
import { Identity } from "../Identity/Identity.ts"
import { type App, bearerToken, bodyText, requestTarget } from "./FakeProvider.ts"
import { refusalOf } from "./QuotaRefusals.ts"
import { makeMatcher, type Route } from "./Routes.ts"

export const isEnforced = Config.Literals(["on", "off"], "SANDBOX_QUOTAS").pipe(
  Config.withDefault("off"),
  Config.map((value) => value === "on")
)

const kind = "quota"

/** The start of a span, in epoch milliseconds, and the units that were taken in it. */
const Spans = Schema.Array(Schema.Tuple([Schema.Finite, Schema.Finite]))
const Counts = Schema.Record(Schema.String, Spans)
type Counts = typeof Counts.Type
const decodeCounts = Schema.decodeUnknownOption(Counts)
const countsIn = (stored: Option.Option<unknown>): Counts =>
  Option.getOrElse(Option.flatMap(stored, decodeCounts), () => ({}))

interface Endpoint extends Route {
  readonly endpoint: RawEndpoint
  readonly provider: Provider
}

interface Claim {
  readonly key: string
  readonly quota: Quota
  readonly units: number
}

/** Refuses as the providers do while `SANDBOX_QUOTAS=on`. Instances on one database count together. */
export const enforceQuotas = Effect.fnUntraced(function*(providers: ReadonlyArray<Provider>) {
  if (!(yield* isEnforced)) return (_: string, app: App): App => identity(app)
  const store = yield* SandboxStore
  const tokens = yield* Identity
  const { quotas } = yield* quotaLimits(providers.flatMap((provider) => provider.quotas ?? []))
  const limits = new Map(quotas.map((quota) => [quota.name, quota]))
  const underWay = new Map<string, number>()

  const accountOf = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
    const token = bearerToken(request)
    if (token === undefined) return requestTarget(request).query.get("apikey") ?? ""
    for (const name of ["google", "sitesearch"] as const) {
      const caller = yield* tokens.verifyAccessToken(name, token)
      if (Option.isSome(caller)) return caller.value.account
    }
    return ""
  })

  const claimsOf = (
    { endpoint, provider }: Endpoint,
    account: string,
    input: RawInput
  ): ReadonlyArray<Claim> =>
    (provider.quotas ?? []).flatMap(({ name }) => {
      const quota = limits.get(name)
      if (quota === undefined) return []
      const resource = firstResource(provider, endpoint.resources, input)
      const subject = subjectOf(quota.scope, { project: "sandbox", account }, resource, true)
      const units = unitsOf(quota, endpoint.id, input)
      return subject === undefined || units === 0 ? [] : [{ key: `${name} ${subject}`, quota, units }]
    })

  /** Takes all units or none. Returns the quota that has none left. */
  const take = (provider: string, claims: ReadonlyArray<Claim>, now: number) =>
    store.modify(kind, provider, (stored) => {
      const counts = countsIn(stored)
      const full = claims.find(({ key, quota, units }) =>
        quota.counts === "concurrent"
          ? (underWay.get(key) ?? 0) + units > quota.limit
          : unitsIn(counts, key, quota, now) + (quota.counts === "units" ? units : 0) >
            (quota.counts === "units" ? quota.limit : allowedErrors(quota) - 1)
      )
      if (full !== undefined) return Result.succeed({ result: full.quota })
      return Result.succeed({ result: undefined, next: withUnits(counts, claims, "units", now) })
    })

  const countError = (provider: string, claims: ReadonlyArray<Claim>, now: number) =>
    store.modify(
      kind,
      provider,
      (stored) => Result.succeed({ result: undefined, next: withUnits(countsIn(stored), claims, "server_errors", now) })
    )

  const changeUnderWay = (claims: ReadonlyArray<Claim>, change: 1 | -1) => {
    for (const { key, quota } of claims) {
      if (quota.counts === "concurrent") underWay.set(key, (underWay.get(key) ?? 0) + change)
    }
  }

  return (origin: string, app: App): App => {
    const find = makeMatcher(
      providers.flatMap((provider) =>
        provider.endpoints.flatMap((endpoint): ReadonlyArray<Endpoint> => {
          const { method, path } = endpoint
          return endpoint.origin.id === origin && (method === "GET" || method === "POST" || method === "PUT")
            ? [{ method, path, endpoint, provider }]
            : []
        })
      )
    )
    return Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { path, query } = requestTarget(request)
      const found = Option.getOrUndefined(find(request.method, path))
      if (found === undefined) return yield* app
      const { params, route } = found
      const body = request.method === "GET" ? undefined : Option.getOrUndefined(parse(yield* bodyText))
      const claims = claimsOf(route, yield* accountOf(request), { path: params, query: queryOf(query), body })
      const full = yield* take(route.provider.id, claims, yield* Clock.currentTimeMillis)
      if (full !== undefined) return refusalOf(route.provider.id, full)
      changeUnderWay(claims, 1)
      const response = yield* Effect.ensuring(app, Effect.sync(() => changeUnderWay(claims, -1)))
      if (response.status >= 500) yield* countError(route.provider.id, claims, yield* Clock.currentTimeMillis)
      return response
    })
  }
})

/** The limit of the service is two errors below that of the provider. */
const allowedErrors = ({ limit }: Quota): number => limit + 2

const spanOf = ({ windowSeconds }: Quota): number => Math.max(10, windowSeconds)

const unitsIn = (counts: Counts, key: string, { windowSeconds }: Quota, now: number): number =>
  (counts[key] ?? []).reduce((sum, [start, units]) => start > now - windowSeconds * 1000 ? sum + units : sum, 0)

const withUnits = (
  counts: Counts,
  claims: ReadonlyArray<Claim>,
  counted: Quota["counts"],
  now: number
): Counts => {
  const changed = claims.filter(({ quota }) => quota.counts === counted).map(({ key, quota, units }) => {
    const kept = (counts[key] ?? []).filter(([start]) => start > now - quota.windowSeconds * 1000)
    const last = kept.at(-1)
    const isSame = last !== undefined && now - last[0] < spanOf(quota)
    const spans: Counts[string] = isSame
      ? [...kept.slice(0, -1), [last[0], last[1] + units]]
      : [...kept, [now, units]]
    return [key, spans] as const
  })
  return { ...counts, ...Object.fromEntries(changed) }
}

const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

const queryOf = (query: URLSearchParams): Readonly<Record<string, string>> =>
  Object.fromEntries([...query].map(([name, value]) => [name, value.replace(/^"(.*)"$/s, "$1")]))
