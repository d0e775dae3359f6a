import { Config, Context, Duration, Effect, Layer, Result } from "effect"
import { BoundedDns } from "../../Outbound/BoundedDns.ts"
import { parsePublicUrl } from "../../Outbound/PublicAddress.ts"
import { makePublicHttp, type PublicRequestFailed } from "../../Outbound/PublicHttp.ts"

export const allowPrivate = Config.Boolean("WEBHOOK_ALLOW_PRIVATE").pipe(Config.withDefault(false))

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Response {
  readonly status: number
  /** The header `Retry-After` as it came. */
  readonly retryAfter: string | undefined
  /** The response body, at most 64 kB of it. */
  readonly body: string
}

export class WebhookHttp extends Context.Service<WebhookHttp, {
  /** Fails with the reason if the URL itself shows that it is not public. */
  readonly check: (url: string) => Result.Result<URL, string>
  /** Follows no redirect. */
  readonly post: (post: Post) => Effect.Effect<Response, PublicRequestFailed>
}>()("openaccounts/Features/Webhooks/WebhookHttp") {
  static readonly layerNoDeps = Layer.effect(
    WebhookHttp,
    Effect.gen(function*() {
      const options = { allowPrivate: yield* allowPrivate }
      const http = yield* makePublicHttp(options)

      return WebhookHttp.of({
        check: (url) =>
          Result.mapError(
            parsePublicUrl(url, options.allowPrivate),
            (reason) =>
              Result.isSuccess(parsePublicUrl(url, true))
                ? `${reason}. WEBHOOK_ALLOW_PRIVATE=true allows \`http\`, private addresses and every port`
                : reason
          ),
        post: (post) =>
          Effect.map(http.exchange({ ...post, method: "POST", timeout, maxBytes }), ({ body, headers, status }) => ({
            status,
            retryAfter: [headers["retry-after"]].flat()[0],
            body: new TextDecoder().decode(body)
          }))
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(BoundedDns))
}

export const timeout = Duration.seconds(10)

const maxBytes = 64 * 1024
