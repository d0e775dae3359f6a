import { Config, Data, Duration, Effect, Option, type Redacted, Schema } from "effect"
import { HttpServer } from "effect/http"
import { NetAddress } from "effect/net"

/** Where the API listens: `HOST` and `PORT`. */
export const listenAddress = Config.all({
  host: Config.NonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.schema(
    Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 65_535 })),
    "PORT"
  ).pipe(Config.withDefault(8787))
})

const RequestTimeout = Schema.DurationFromString.check(
  Schema.makeFilter((duration) => Duration.isFinite(duration) && Duration.toSeconds(duration) >= 1, {
    expected: "a duration of at least a second"
  })
)

/** What a client may take of the server that it is a client of: `REQUEST_TIMEOUT` and `MAX_CONNECTIONS`. */
export const connectionLimits = Config.all({
  requestTimeout: Config.schema(RequestTimeout, "REQUEST_TIMEOUT").pipe(Config.withDefault(Duration.minutes(5))),
  maxConnections: Config.schema(
    Schema.NumberFromString.check(Schema.isInt(), Schema.isGreaterThan(0)),
    "MAX_CONNECTIONS"
  ).pipe(Config.withDefault(10_000))
})

const PostgresUrl = Schema.RedactedFromValue(Schema.String.check(
  Schema.isPattern(/^postgres(ql)?:\/\/\S+$/u, {
    message: "Expected a URL like postgres://user:password@host/database"
  })
))

/** The Postgres server that holds the data, shared with other instances; none means the embedded database: `DATABASE_URL`. */
export const databaseUrl = Config.option(Config.schema(PostgresUrl, "DATABASE_URL"))

/** A Postgres server, and how to speak to it. */
export interface DatabaseServer {
  readonly url: Redacted.Redacted
  /** Past any pooler, for what needs a session: migrations and listening. */
  readonly directUrl: Redacted.Redacted
  /** `url` leads to a pooler that gives out a session for one transaction at a time. */
  readonly pooled: boolean
  readonly maxConnections: number
  /** How long a statement may take. */
  readonly timeout: Duration.Duration
}

export class DirectUrlMissing extends Data.TaggedError("DirectUrlMissing")<{ readonly message: string }> {}

/** `DATABASE_URL` and the other settings that begin with `DATABASE_`; none: the embedded database. */
export const databaseServer = Effect.gen(function*() {
  const url = yield* databaseUrl
  const pooler = yield* Config.Literals(["none", "transaction"], "DATABASE_POOLER").pipe(Config.withDefault("none"))
  const directUrl = yield* Config.option(Config.schema(PostgresUrl, "DATABASE_DIRECT_URL"))
  const maxConnections = yield* Config.schema(
    Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 1000 })),
    "DATABASE_MAX_CONNECTIONS"
  ).pipe(Config.withDefault(10))
  const timeout = yield* Config.Duration("DATABASE_TIMEOUT").pipe(Config.withDefault(Duration.seconds(10)))
  if (Option.isNone(url)) return Option.none()
  if (pooler === "transaction" && Option.isNone(directUrl)) {
    return yield* new DirectUrlMissing({
      message: "DATABASE_DIRECT_URL must be set when DATABASE_POOLER is transaction: " +
        "migrations and LISTEN need a session of their own, past the pooler"
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
  Schema.isPattern(/^https?:\/\/[^\s?#]+$/u, { message: "Expected an http(s) URL without a query" })
)

/** The public address, without `/v1` and without a slash at the end: `BASE_URL`, by default `HOST` and this port. */
const baseUrlAt = Effect.fnUntraced(function*(port: number) {
  const { host } = yield* listenAddress
  const url = yield* Config.schema(HttpUrl, "BASE_URL").pipe(
    Config.withDefault(`http://${host.includes(":") ? `[${host}]` : host}:${port}`)
  )
  return url.replace(/\/+$/, "")
})

/** The public address of a server with the same settings. */
export const baseUrl = Effect.flatMap(listenAddress, ({ port }) => baseUrlAt(port))

/** The public address of the server that listens here, which knows its port also where `PORT` is 0. */
export const ownBaseUrl = Effect.flatMap(
  HttpServer.HttpServer,
  ({ address }) => NetAddress.isUnixPathAddress(address) ? baseUrl : baseUrlAt(address.port)
)
