import { Duration, Effect, identity, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { type Quota, QuotaNote, RateLimit } from "../../Capacity/RateLimit.ts"

/** https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-06 */
export const rateLimitHeaders = Effect.map(
  RateLimit,
  ({ policy }) =>
    Option.isNone(policy) ?
      identity :
      <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
        Effect.suspend(() => {
          const note: { quota: Quota | undefined } = { quota: undefined }
          return app.pipe(
            Effect.map((response) =>
              note.quota === undefined ? response : HttpServerResponse.setHeaders(response, headersOf(note.quota))
            ),
            Effect.provideService(QuotaNote, note)
          )
        })
)

const headersOf = ({ limit, remaining, reset, window }: Quota) => ({
  "ratelimit-limit": `${limit}`,
  "ratelimit-remaining": `${remaining}`,
  "ratelimit-reset": `${reset}`,
  "ratelimit-policy": `${limit};w=${Duration.toSeconds(window)}`
})
