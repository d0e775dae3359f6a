import { Duration, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { MetLimits, type ProviderQuota } from "../../Capacity/RateLimit.ts"

/**
 * `RateLimit` and `RateLimit-Policy` of https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10
 * with the caller's own limit and the scarcest quota of the provider, and the three headers of draft 6 for the first.
 */
export const rateLimitHeaders = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
  Effect.suspend(() => {
    const met: MetLimits = { rate: undefined, provider: undefined }
    return Effect.provideService(
      Effect.flatMapEager(app, (response) =>
        response.headers["ratelimit"] === undefined
          ? Effect.map(
            quotaHeaders,
            (headers) => headers === noHeaders ? response : HttpServerResponse.setHeaders(response, headers)
          )
          : Effect.succeed(response)),
      MetLimits,
      met
    )
  })

/** The headers for what the service has counted so far. */
export const quotaHeaders = Effect.flatMap(
  MetLimits,
  (met) =>
    met === undefined
      ? Effect.succeed(noHeaders)
      : Effect.clockWith((clock) => Effect.succeed(headersOf(met, clock.currentTimeMillisUnsafe())))
)

const noHeaders: Readonly<Record<string, string>> = {}

const headersOf = ({ provider, rate }: MetLimits, now: number): Readonly<Record<string, string>> => {
  if (rate === undefined) return provider === undefined ? noHeaders : itemOf(provider, secondsUntil(provider, now))
  const own = itemOf({ ...rate, windowSeconds: Duration.toSeconds(rate.window) }, rate.reset)
  const scarcest = provider === undefined ? undefined : itemOf(provider, secondsUntil(provider, now))
  return {
    "ratelimit-limit": `${rate.limit}`,
    "ratelimit-remaining": `${rate.remaining}`,
    "ratelimit-reset": `${rate.reset}`,
    ...scarcest === undefined ? own : {
      "ratelimit": `${own.ratelimit}, ${scarcest.ratelimit}`,
      "ratelimit-policy": `${own["ratelimit-policy"]}, ${scarcest["ratelimit-policy"]}`
    }
  }
}

const itemOf = (
  { limit, name, remaining, windowSeconds }: Pick<ProviderQuota, "limit" | "name" | "remaining" | "windowSeconds">,
  reset: number
) => ({
  "ratelimit": `"${name}";r=${remaining};t=${reset}`,
  "ratelimit-policy": `"${name}";q=${limit}${windowSeconds === 0 ? "" : `;w=${windowSeconds}`}`
})

const secondsUntil = ({ resetsAt }: ProviderQuota, now: number): number =>
  Math.max(0, Math.ceil((resetsAt - now) / 1000))
