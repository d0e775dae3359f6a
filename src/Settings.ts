import { Config, Data, Duration, Effect, type FileSystem, Option, type Path, type Redacted, Schema } from "effect"
import { HttpServer } from "effect/http"
import { NetAddress } from "effect/net"
import { DurationText, PositiveDuration } from "./Domain/Validation/DurationText.ts"

const Port = Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 65_535 }))

/** Settings as a layer of the service reads them at the start. `oa doctor` reads them too. */
export type StartSettings = Effect.Effect<
  unknown,
  { readonly message: string },
  FileSystem.FileSystem | Path.Path
>

/** What `oa doctor` says of a part of the installation. */
export interface Check extends Finding {
  readonly check: string
}

export interface Finding {
  readonly status: "ok" | "warning" | "problem" | "skipped"
  readonly detail: string
}

export type DoctorCheck = Effect.Effect<Check, never, FileSystem.FileSystem | Path.Path>

export const listenAddress = Config.all({
  host: Config.NonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.schema(Port, "PORT").pipe(Config.withDefault(8787))
})

export const isSandboxed = Config.Literals(["live", "sandbox"], "PROVIDER_MODE").pipe(
  Config.withDefault("live"),
  Config.map((mode) => mode === "sandbox")
)
/** None if neither is set: the main listener then has the management API. */
export const adminListenAddress = Config.all({
  host: Config.option(Config.NonEmptyString("ADMIN_HOST")),
  port: Config.option(Config.schema(Port, "ADMIN_PORT"))
}).pipe(Config.map(({ host, port }) =>
  Option.isNone(host) && Option.isNone(port) ? Option.none() : Option.some({
    host: Option.getOrElse(host, () => "127.0.0.1"),
    port: Option.getOrElse(port, () => 8788)
  })
))

const RequestTimeout = DurationText.check(
  Schema.makeFilter((duration) => Duration.isFinite(duration) && Duration.toSeconds(duration) >= 1, {
    expected: "a duration of at least a second"
  })
)

export const connectionLimits = Config.all({
  requestTimeout: Config.schema(RequestTimeout, "REQUEST_TIMEOUT").pipe(Config.withDefault(Duration.minutes(5))),
  maxConnections: Config.schema(
    Schema.NumberFromString.check(Schema.isInt(), Schema.isGreaterThan(0)),
    "MAX_CONNECTIONS"
  ).pipe(Config.withDefault(10_000))
})

export const PostgresUrl = Schema.RedactedFromValue(Schema.String.check(
  Schema.isPattern(/^postgres(ql)?:\/\/\S+$/u, {
    message: "Expected a URL like postgres://user:password@host/database"
  })
))

export const databaseSecrets = ["DATABASE_URL", "DATABASE_DIRECT_URL"]

export const databaseUrl = Config.option(Config.schema(PostgresUrl, "DATABASE_URL"))

export interface DatabaseServer {
  readonly url: Redacted.Redacted
  /** Without a pooler, because migrations and LISTEN need a session. */
  readonly directUrl: Redacted.Redacted
  readonly pooled: boolean
  readonly maxConnections: number
  readonly timeout: Duration.Duration
}

export class DirectUrlMissing extends Data.TaggedError("DirectUrlMissing")<{ readonly message: string }> {}

export const databaseServer = Effect.gen(function*() {
  const url = yield* databaseUrl
  const pooler = yield* Config.Literals(["none", "transaction"], "DATABASE_POOLER").pipe(Config.withDefault("none"))
  const directUrl = yield* Config.option(Config.schema(PostgresUrl, "DATABASE_DIRECT_URL"))
  const maxConnections = yield* Config.schema(
    Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 1000 })),
    "DATABASE_MAX_CONNECTIONS"
  ).pipe(Config.withDefault(10))
  const timeout = yield* Config.schema(PositiveDuration, "DATABASE_TIMEOUT").pipe(
    Config.withDefault(Duration.seconds(10))
  )
  if (Option.isNone(url)) return Option.none()
  if (pooler === "transaction" && Option.isNone(directUrl)) {
    return yield* new DirectUrlMissing({
      message: "DATABASE_DIRECT_URL must be set when DATABASE_POOLER is transaction: " +
        "migrations and LISTEN need a session, which the pooler does not keep"
    })
  }
  return Option.some<DatabaseServer>({
    url: url.value,
    directUrl: Option.getOrElse(directUrl, () => url.value),
    pooled: pooler === "transaction",
    maxConnections,
    timeout
  })
})

const HttpUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/(?!\S*\/v1\/*$)[^\s?#]+$/u, {
    message: "Expected an http(s) URL without a query, and without /v1"
  })
)

/** `localhost` for loopback addresses, because browsers allow no passkeys on an IP address. */
const defaultHost = (host: string): string =>
  host === "::1" || host.startsWith("127.") ? "localhost" : host.includes(":") ? `[${host}]` : host
export const urlOf = (host: string, port: number): string => `http://${defaultHost(host)}:${port}`

export const adminBaseUrl = Effect.flatMap(
  adminListenAddress,
  Option.match({ onNone: () => baseUrl, onSome: ({ host, port }) => Effect.succeed(urlOf(host, port)) })
)

const baseUrlAt = Effect.fnUntraced(function*(port: number) {
  const { host } = yield* listenAddress
  const url = yield* Config.schema(HttpUrl, "BASE_URL").pipe(
    Config.withDefault(urlOf(host, port))
  )
  return url.replace(/\/+$/, "")
})

export const baseUrl = Effect.flatMap(listenAddress, ({ port }) => baseUrlAt(port))

/** The public address of this server, also when `PORT` is 0. */
export const ownBaseUrl = Effect.flatMap(
  HttpServer.HttpServer,
  ({ address }) => NetAddress.isUnixPathAddress(address) ? baseUrl : baseUrlAt(address.port)
)

export const ownDashboardUrl = Effect.flatMap(
  adminListenAddress,
  Option.match({ onNone: () => ownBaseUrl, onSome: ({ host, port }) => Effect.succeed(urlOf(host, port)) })
)

export const serviceAccountFile = Config.option(Config.NonEmptyString("GOOGLE_SERVICE_ACCOUNT_FILE"))

const PrivacyUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/\S+$/u, { message: "Expected an http(s) URL" })
)

export const operator = Config.all({
  name: Config.schema(Schema.String.check(Schema.isPattern(/\S/u), Schema.isMaxLength(100)), "APP_NAME").pipe(
    Config.withDefault("OpenAccounts")
  ),
  logoFile: Config.option(Config.NonEmptyString("APP_LOGO_FILE")),
  privacyUrl: Config.option(Config.schema(PrivacyUrl, "APP_PRIVACY_URL"))
})
