import { Config, Context, Effect, Layer, Record, Schema } from "effect"

/** The places that requests go to, each with the setting that moves it and where it is by itself. */
export const origins = {
  gsc: { setting: "GSC_BASE_URL", url: "https://searchconsole.googleapis.com" },
  ga4Data: { setting: "GA4_DATA_BASE_URL", url: "https://analyticsdata.googleapis.com" },
  ga4Admin: { setting: "GA4_ADMIN_BASE_URL", url: "https://analyticsadmin.googleapis.com" },
  sitesearch: { setting: "SITESEARCH_BASE_URL", url: "https://ssl.bing.com" },
  gsheets: { setting: "GSHEETS_BASE_URL", url: "https://sheets.googleapis.com" },
  gdocs: { setting: "GDOCS_BASE_URL", url: "https://docs.googleapis.com" },
  googleToken: { setting: "GOOGLE_TOKEN_URL", url: "https://oauth2.googleapis.com/token" },
  googleRevoke: { setting: "GOOGLE_REVOKE_URL", url: "https://oauth2.googleapis.com/revoke" },
  googleAuth: { setting: "GOOGLE_AUTH_URL", url: "https://accounts.google.com/o/oauth2/v2/auth" },
  googleUserinfo: { setting: "GOOGLE_USERINFO_URL", url: "https://openidconnect.googleapis.com/v1/userinfo" },
  sitesearchToken: { setting: "SITESEARCH_TOKEN_URL", url: "https://www.bing.com/webmasters/oauth/token" },
  sitesearchAuth: { setting: "SITESEARCH_AUTH_URL", url: "https://www.bing.com/webmasters/oauth/authorize" }
} as const
export type Origin = keyof typeof origins

const HttpUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^\s/?#]+[^\s?#]*$/u, { message: "Expected an absolute http(s) URL without a query" }),
  Schema.makeFilter((url) => URL.canParse(url), { message: "Expected a URL with a valid host and port" })
)

/** Where each origin is in this process: no trailing slash. */
export class Origins extends Context.Service<Origins, Readonly<Record<Origin, string>>>()(
  "openaccounts/Providers/Origins"
) {
  static readonly layer = Layer.effect(
    Origins,
    Effect.gen(function*() {
      return yield* Config.all(
        Record.map(origins, ({ setting, url }) =>
          Config.schema(HttpUrl, setting).pipe(
            Config.withDefault(url),
            Config.map((value) => value.replace(/\/+$/, ""))
          ))
      )
    })
  )
}
