import { Clock, ConfigProvider, DateTime, Duration, Effect, Option, Schema } from "effect"
import { HttpClient } from "effect/http"
import { Ready } from "../../../Api/HealthApi.ts"
import { adminApi, serviceUrl } from "../../ApiClient.ts"
import { responseTimeout } from "./Check.ts"

export interface Reply {
  readonly url: string
  readonly status: number
  readonly clockSkew: Option.Option<Duration.Duration>
  readonly body: unknown
}

export const request = Effect.fnUntraced(function*(method: "get" | "head", url: string) {
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

const requestService = (path: string) =>
  Effect.catch(Effect.flatMap(serviceUrl, (url) => request("get", `${url}${path}`)), () => Effect.succeedNone)

const readStatus = Effect.option(
  Effect.timeout(Effect.flatMap(adminApi, (api) => api.status.read()), responseTimeout)
)

/** What the running service says about itself. `status` needs the admin token. */
export const askService = Effect.map(
  Effect.all([requestService("/healthz"), requestService("/readyz"), readStatus], { concurrency: "unbounded" }),
  ([healthz, readyz, status]) => ({
    healthz,
    readyz,
    ready: Option.flatMap(readyz, ({ body }) => Schema.decodeUnknownOption(Ready)(body)),
    status
  })
)
export type Running = Effect.Success<typeof askService>

/** The sandbox is a setting of the service, which the shell of `oa doctor` may not have. */
export const withProviderModeOf = ({ status }: Running) =>
  Option.match(status, {
    onNone: () => <A, E, R>(effect: Effect.Effect<A, E, R>) => effect,
    onSome: ({ provider_mode }) =>
      Effect.updateService(
        ConfigProvider.ConfigProvider,
        (environment) =>
          ConfigProvider.orElse(ConfigProvider.fromUnknown({ PROVIDER_MODE: provider_mode }), environment)
      )
  })
