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

export class WebhookHttp extends Context.Service<WebhookHttp, {
  /** Fails with the reason if the URL itself shows that it is not public. */
  readonly check: (url: string) => Result.Result<URL, string>
  /** Returns the status of the response. Follows no redirect. */
  readonly post: (post: Post) => Effect.Effect<number, PublicRequestFailed>
}>()("openaccounts/Webhooks/WebhookHttp") {
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
          Effect.map(http.exchange({ ...post, method: "POST", timeout, maxBytes }), ({ status }) => status)
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(BoundedDns))
}

export const timeout = Duration.seconds(10)

const maxBytes = 64 * 1024
