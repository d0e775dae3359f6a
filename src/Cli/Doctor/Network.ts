import * as PgClient from "@effect/sql-pg/PgClient"
import { Array, Clock, Context, DateTime, Duration, Effect, Layer, Option, type Redacted } from "effect"
import { HttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { Origins } from "../../Providers/Origins.ts"
import { databaseServer } from "../../Settings.ts"
import { serviceUrl } from "../ApiClient.ts"
import { check, type Finding, isSandboxed, ok, patience, problem, skipped, warning } from "./Check.ts"

interface Answer {
  readonly url: string
  readonly status: number
  /** How far this machine's clock is from the answer's. */
  readonly skew: Option.Option<Duration.Duration>
}

/** None when nothing answers in time; any answer is one. */
const ask = Effect.fnUntraced(function*(method: "get" | "head", url: string) {
  const client = yield* HttpClient.HttpClient
  const { headers, status } = yield* Effect.timeout(client[method](url), patience)
  const now = yield* Clock.currentTimeMillis
  const skew = Option.map(
    DateTime.make(headers["date"] ?? ""),
    (date) => Duration.millis(Math.abs(DateTime.toEpochMillis(date) - now))
  )
  return { url, status, skew } satisfies Answer
}, Effect.option)

const service = (url: string, healthz: Option.Option<Answer>): Finding => {
  if (Option.isNone(healthz)) return problem(`nothing answers at ${url}`)
  const { status } = healthz.value
  return status === 200 ? ok(`answers at ${url}`) : problem(`what answers at ${url} says ${status}`)
}

const database = Effect.fnUntraced(function*(readyz: Option.Option<Answer>) {
  if (Option.isSome(readyz)) {
    return readyz.value.status === 200 ? ok("answers the service") : problem("does not answer the service")
  }
  const server = yield* databaseServer
  if (Option.isNone(server)) return skipped("the embedded one is open only while the service runs")
  const { directUrl, url } = server.value
  const versions = yield* Effect.forEach(url === directUrl ? [url] : [url, directUrl], version)
  return ok(`Postgres ${versions[0]} answers from here${versions.length === 1 ? "" : ", past the pooler too"}`)
})

/** Of the Postgres server at a URL. */
const version = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const client = yield* Layer.build(Layer.fresh(PgClient.layer({
    url,
    connectTimeout: patience,
    applicationName: "oa doctor",
    prepare: false
  })))
  const [row] = yield* Context.get(client, SqlClient.SqlClient)<{ readonly version: string }>`
    SELECT current_setting('server_version') AS version`
  return row?.version
}, Effect.scoped)

const egress = (hosts: ReadonlyArray<string>, answers: ReadonlyArray<Option.Option<Answer>>): Finding => {
  if (hosts.length === 0) return skipped("the sandbox stands in for the providers")
  const silent = hosts.filter((_, index) => Option.isNone(answers[index] ?? Option.none()))
  return silent.length === 0 ? ok(hosts.join("\n")) : problem(`no answer from\n${silent.join("\n")}`)
}

/** A service account's assertion is refused when it seems to come from the future, or from long ago. */
export const clockFinding = (skews: ReadonlyArray<Duration.Duration>): Finding => {
  if (skews.length === 0) return skipped("there is nothing to compare it with")
  const worst = skews.reduce((a, b) => Duration.max(a, b))
  // The header `Date` has whole seconds, and the way takes time.
  if (Duration.isLessThan(worst, Duration.seconds(5))) return ok("right to within seconds")
  const detail = `${Math.round(Duration.toSeconds(worst))} s off; set it, best with NTP`
  return Duration.isLessThan(worst, Duration.minutes(1)) ? warning(detail) : problem(detail)
}

/** Where requests to providers go; nowhere when the sandbox stands in for them, or the settings are wrong. */
const providerHosts = Effect.gen(function*() {
  if (yield* isSandboxed) return []
  const origins = Context.get(yield* Layer.build(Layer.fresh(Origins.layer)), Origins)
  return Array.dedupe(Object.values(origins).map((origin) => new URL(origin).origin))
}).pipe(Effect.scoped, Effect.catch(() => Effect.succeed([])))

const askService = (path: string) =>
  Effect.catch(Effect.flatMap(serviceUrl, (url) => ask("get", `${url}${path}`)), () => Effect.succeedNone)

/** What only a running service, its database and the internet can tell. */
export const networkChecks = Effect.gen(function*() {
  const hosts = yield* providerHosts
  const [healthz, readyz, ...answers] = yield* Effect.all([
    askService("/healthz"),
    askService("/readyz"),
    ...hosts.map((host) => ask("head", host))
  ], { concurrency: "unbounded" })
  const skews = Array.getSomes([healthz, ...answers]).flatMap(({ skew }) => Option.toArray(skew))
  return yield* Effect.all([
    check("service", Effect.map(serviceUrl, (url) => service(url, healthz))),
    check("database", database(readyz)),
    check("clock", Effect.succeed(clockFinding(skews))),
    check("egress", Effect.succeed(egress(hosts, answers)))
  ])
})
