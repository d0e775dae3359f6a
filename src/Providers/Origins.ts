import { Config, Context, Effect, Layer, Schema } from "effect"

export interface Origin {
  readonly id: string
  readonly setting: string
  /** The default, without a trailing slash. */
  readonly url: string
}

const HttpUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^\s/?#]+[^\s?#]*$/u, { message: "Expected an absolute http(s) URL without a query" }),
  Schema.makeFilter((url) => URL.canParse(url), { message: "Expected a URL with a valid host and port" })
)

export class Origins extends Context.Service<Origins, (origin: Origin) => string>()("openaccounts/Providers/Origins") {
  static readonly layer = (origins: ReadonlyArray<Origin>) =>
    Layer.effect(
      Origins,
      Effect.gen(function*() {
        const urls = new Map<string, string>()
        for (const { id, setting, url } of origins) {
          const configured = yield* Config.schema(HttpUrl, setting).pipe(Config.withDefault(url))
          urls.set(id, configured.replace(/\/+$/, ""))
        }
        return (origin) => urls.get(origin.id) ?? origin.url
      })
    )
}
