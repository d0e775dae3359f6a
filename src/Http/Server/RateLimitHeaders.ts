import { Clock, Duration, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { type ProviderQuota, type Quota, QuotaNote, type Quotas } from "../../Capacity/RateLimit.ts"

/**
 * `RateLimit` and `RateLimit-Policy` of https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10
 * with the caller's own limit and the scarcest quota of the provider, and the three headers of draft 6 for the first.
 */
export const rateLimitHeaders = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
  Effect.suspend(() => {
    const note: Quotas = { quota: undefined, provider: undefined }
    return Effect.provideService(
      Effect.flatMapEager(app, (response) =>
        note.quota === undefined && note.provider === undefined
          ? Effect.succeed(response)
          : Effect.map(
            Clock.currentTimeMillis,
            (now) => HttpServerResponse.setHeaders(response, headersOf(note, now))
          )),
      QuotaNote,
      note
    )
  })

const headersOf = ({ provider, quota }: Quotas, now: number) => {
  const items = [
    ...quota === undefined ? [] : [itemOf(quota)],
    ...provider === undefined ? [] : [itemOfProvider(provider, now)]
  ]
  return {
    ...quota === undefined ? {} : {
      "ratelimit-limit": `${quota.limit}`,
      "ratelimit-remaining": `${quota.remaining}`,
      "ratelimit-reset": `${quota.reset}`
    },
    "ratelimit": items.map(({ name, remaining, reset }) => `"${name}";r=${remaining};t=${reset}`).join(", "),
    "ratelimit-policy": items.map(({ limit, name, seconds }) =>
      `"${name}";q=${limit}${seconds === 0 ? "" : `;w=${seconds}`}`
    ).join(", ")
  }
}

const itemOf = ({ limit, name, remaining, reset, window }: Quota) => ({
  name: `${name}`,
  limit,
  remaining,
  reset,
  seconds: Duration.toSeconds(window)
})

const itemOfProvider = ({ limit, name, remaining, resetsAt, windowSeconds }: ProviderQuota, now: number) => ({
  name,
  limit,
  remaining,
  reset: Math.max(0, Math.ceil((resetsAt - now) / 1000)),
  seconds: windowSeconds
})
