import { Array, Clock, Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { HttpClient } from "effect/http"
import { Ready } from "../../../Api/HealthApi.ts"
import { Origins } from "../../../Providers/Origins.ts"
import { originsOf } from "../../../Providers/Provider.ts"
import { providers } from "../../../Server.ts"
import { adminListenAddress, isSandboxed } from "../../../Settings.ts"
import { adminUrl, serviceUrl } from "../../ApiClient.ts"
import { check, type Finding, ok, problem, responseTimeout, skipped, warning } from "./Check.ts"
import { database } from "./DatabaseCheck.ts"

interface Reply {
  readonly url: string
  readonly status: number
  readonly clockSkew: Option.Option<Duration.Duration>
  readonly body: unknown
}

const request = Effect.fnUntraced(function*(method: "get" | "head", url: string) {
  const client = yield* HttpClient.HttpClient
  const response = yield* Effect.timeout(client[method](url), responseTimeout)
  const { headers, status } = response
  const body = yield* Effect.orElseSucceed(Effect.timeout(response.json, responseTimeout), () => null)
  const now = yield* Clock.currentTimeMillis
  const clockSkew = Option.map(
    DateTime.make(headers["date"] ?? ""),
    (date) => Duration.millis(Math.abs(DateTime.toEpochMillis(date) - now))
  )
  return { url, status, clockSkew, body } satisfies Reply
}, Effect.option)

const service = (url: string, healthz: Option.Option<Reply>): Finding => {
  if (Option.isNone(healthz)) return problem(`nothing answers at ${url}`)
  const { status } = healthz.value
  return status === 200 ? ok(`answers at ${url}`) : problem(`${url} answers with status ${status}`)
}

const isReady = Schema.is(Ready)

const proxy = (readyz: Option.Option<Reply>): Finding => {
  if (Option.isNone(readyz) || !isReady(readyz.value.body)) return skipped("the service does not answer")
  return readyz.value.body.warnings?.includes("untrusted_proxy")
    ? warning("X-Forwarded-For comes from outside TRUSTED_PROXIES. The log of the service names the address")
    : ok("no X-Forwarded-For from outside TRUSTED_PROXIES within the last hour")
}

const egress = (hosts: ReadonlyArray<string>, replies: ReadonlyArray<Option.Option<Reply>>): Finding => {
  if (hosts.length === 0) return skipped("the sandbox replaces the providers")
  const unreachable = hosts.filter((_, index) => Option.isNone(replies[index] ?? Option.none()))
  return unreachable.length === 0
    ? ok(hosts.join("\n"))
    : problem(
      `no answer from\n${unreachable.join("\n")}\nA service on the sandbox is checked with PROVIDER_MODE=sandbox.`
    )
}

/** Providers reject service account assertions whose timestamps are off. */
export const checkClock = (skews: ReadonlyArray<Duration.Duration>): Finding => {
  if (skews.length === 0) return skipped("no response to compare it with")
  const worst = skews.reduce((a, b) => Duration.max(a, b))
  // `Date` has a resolution of one second, and the response takes time to arrive.
  if (Duration.isLessThan(worst, Duration.seconds(5))) return ok("correct within seconds")
  const detail = `${Math.round(Duration.toSeconds(worst))} s off: synchronize it with NTP`
  return Duration.isLessThan(worst, Duration.minutes(1)) ? warning(detail) : problem(detail)
}

const providerHosts = Effect.gen(function*() {
  if (yield* isSandboxed) return []
  const origins = originsOf(providers)
  const urlOf = Context.get(yield* Layer.build(Layer.fresh(Origins.layer(origins))), Origins)
  return Array.dedupe(origins.map((origin) => new URL(urlOf(origin)).origin))
}).pipe(Effect.scoped, Effect.catch(() => Effect.succeed([])))

const requestService = (path: string) =>
  Effect.catch(Effect.flatMap(serviceUrl, (url) => request("get", `${url}${path}`)), () => Effect.succeedNone)

const managementCheck = Effect.gen(function*() {
  if (Option.isNone(yield* adminListenAddress)) return []
  const url = yield* adminUrl
  return [yield* check("management API", Effect.map(request("get", `${url}/healthz`), (reply) => service(url, reply)))]
}).pipe(Effect.catch(() => Effect.succeed([])))

export const networkChecks = Effect.gen(function*() {
  const hosts = yield* providerHosts
  const [healthz, readyz, ...replies] = yield* Effect.all([
    requestService("/healthz"),
    requestService("/readyz"),
    ...hosts.map((host) => request("head", host))
  ], { concurrency: "unbounded" })
  const skews = Array.getSomes([healthz, ...replies]).flatMap(({ clockSkew }) => Option.toArray(clockSkew))
  return [
    yield* check("service", Effect.map(serviceUrl, (url) => service(url, healthz))),
    ...yield* managementCheck,
    yield* check("database", database(Option.map(readyz, ({ status }) => status))),
    yield* check("proxy", Effect.succeed(proxy(readyz))),
    yield* check("clock", Effect.succeed(checkClock(skews))),
    yield* check("egress", Effect.succeed(egress(hosts, replies)))
  ]
})
