import { Config, Effect, Option, type Redacted, Schema } from "effect"

export const oidcSecrets = ["OIDC_CLIENT_SECRET"]

export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
}

const Issuer = Schema.String.check(
  Schema.isPattern(/^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/])[^\s?#]*$/u, {
    message: "Expected an https URL without a query; http is only for loopback addresses"
  })
)

const clientSecret = Config.Redacted("OIDC_CLIENT_SECRET")

/** The secret is read also without an issuer, so that one that is set twice stops the start. */
export const oidcSettings = Effect.gen(function*() {
  const issuer = yield* Config.option(Config.schema(Issuer, "OIDC_ISSUER"))
  yield* Config.option(clientSecret)
  if (Option.isNone(issuer)) return Option.none()
  return Option.some<OidcSettings>({
    issuer: issuer.value,
    clientId: yield* Config.NonEmptyString("OIDC_CLIENT_ID"),
    clientSecret: yield* clientSecret
  })
})
