import { Array, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { createServer } from "node:net"
import { Ready } from "../../../Api/HealthApi.ts"
import { ownedData } from "../../../Features/OwnedData.ts"
import { Origins } from "../../../Providers/Origins.ts"
import { originsOf } from "../../../Providers/Provider.ts"
import { providers } from "../../../Registrations.ts"
import { adminListenAddress, type Finding, isSandboxed, listenAddress, urlOf } from "../../../Settings.ts"
import { adminUrl, serviceUrl } from "../../ApiClient.ts"
import { check, ok, problem, skipped, warning } from "./Check.ts"
import { databaseChecks } from "./DatabaseCheck.ts"
import { type Reply, request, type Running } from "./Running.ts"

const service = (url: string, healthz: Option.Option<Reply>, mode = ""): Finding => {
  if (Option.isNone(healthz)) return problem(`nothing answers at ${url}`)
  const { status } = healthz.value
  return status === 200 ? ok(`answers at ${url}${mode}`) : problem(`${url} answers with status ${status}`)
}

const proxy = ({ ready }: Running): Finding => {
  if (Option.isNone(ready)) return skipped("the service does not answer")
  return ready.value.warnings?.includes("untrusted_proxy")
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

interface Address {
  readonly host: string
  readonly port: number
}

const isFree = ({ host, port }: Address) =>
  Effect.callback<Finding>((resume) => {
    const server = createServer()
    server.once("error", ({ message }) => resume(Effect.succeed(problem(`${host}:${port} is not free: ${message}`))))
    server.listen({ host, port }, () => server.close(() => resume(Effect.succeed(ok(`${host}:${port} is free`)))))
    return Effect.sync(() => void server.close())
  })

const decodeHealth = Schema.decodeUnknownOption(Ready)

/** Says what would stop a start, while no service answers at `OA_URL`. */
const canListen = Effect.fnUntraced(function*(address: Address) {
  const finding = yield* isFree(address)
  if (finding.status === "ok") return finding
  const url = urlOf(address.host, address.port)
  const reply = yield* request("get", `${url}/healthz`)
  const isService = Option.exists(reply, ({ body, status }) => status === 200 && Option.isSome(decodeHealth(body)))
  return isService
    ? warning(`a running service answers at ${url}; the other checks looked for it at ${yield* serviceUrl}`)
    : finding
})

const portCheck = ({ healthz }: Running) =>
  Option.isSome(healthz)
    ? Effect.succeed([])
    : Effect.all([
      Effect.flatMap(listenAddress, canListen).pipe(check("port")),
      Effect.flatMap(
        adminListenAddress,
        Option.match({ onNone: () => Effect.succeed(skipped("it is the same")), onSome: canListen })
      ).pipe(check("management port"))
    ])

const managementCheck = Effect.gen(function*() {
  if (Option.isNone(yield* adminListenAddress)) return []
  const url = yield* adminUrl
  const reply = yield* request("get", `${url}/healthz`)
  return [{ check: "management API", ...service(url, reply) }]
}).pipe(Effect.catch(() => Effect.succeed([])))

export const networkChecks = Effect.fnUntraced(function*(running: Running) {
  const { healthz, status } = running
  const hosts = yield* providerHosts
  const replies = yield* Effect.forEach(hosts, (host) => request("head", host), { concurrency: "unbounded" })
  const skews = Array.getSomes([healthz, ...replies]).flatMap(({ clockSkew }) => Option.toArray(clockSkew))
  const mode = Option.exists(status, ({ provider_mode }) => provider_mode === "sandbox") ? ", on the sandbox" : ""
  return [
    yield* Effect.map(serviceUrl, (url) => service(url, healthz, mode)).pipe(check("service")),
    ...yield* managementCheck,
    ...yield* portCheck(running),
    ...yield* Effect.provide(databaseChecks(running), ownedData()),
    { check: "proxy", ...proxy(running) },
    { check: "clock", ...checkClock(skews) },
    { check: "egress", ...egress(hosts, replies) }
  ]
})
