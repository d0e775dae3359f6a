import { Config, Effect, Schema } from "effect"

/** Where the API listens: `HOST` and `PORT`. */
export const listenAddress = Config.all({
  host: Config.NonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.schema(
    Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 65_535 })),
    "PORT"
  ).pipe(Config.withDefault(8787))
})

const HttpUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^\s?#]+$/, { message: "Expected an http(s) URL without a query" })
)

/** The public address, without `/v1` and without a slash at the end: `BASE_URL`. */
export const baseUrl = Effect.gen(function*() {
  const { host, port } = yield* listenAddress
  const url = yield* Config.schema(HttpUrl, "BASE_URL").pipe(
    Config.withDefault(`http://${host.includes(":") ? `[${host}]` : host}:${port}`)
  )
  return url.replace(/\/+$/, "")
})
