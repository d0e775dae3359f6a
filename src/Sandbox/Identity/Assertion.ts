import { Option, Result, Schema } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { normalizeScope, type OAuthError, refusal, type ServiceAccount } from "./Identity.ts"

const jsonPart = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeOption(Schema.fromJsonString(schema))
  return (part: string) => Option.flatMap(Result.getSuccess(Base64Url.decodeString(part)), decode)
}

const header = jsonPart(Schema.Struct({ alg: Schema.Literal("RS256") }))

const claims = jsonPart(Schema.Struct({
  iss: Schema.String,
  aud: Schema.String,
  iat: Schema.Number,
  exp: Schema.Number,
  scope: Schema.optionalKey(Schema.String),
  sub: Schema.optionalKey(Schema.String)
}))

const audiences: ReadonlySet<string> = new Set([
  "https://oauth2.googleapis.com/token",
  "https://www.googleapis.com/oauth2/v4/token",
  "https://accounts.google.com/o/oauth2/token"
])

const clockSkewSeconds = 300

/** Accepts any signature, because the sandbox knows no public keys. Key files made with `openssl` work. */
export const verifyAssertion = (
  assertion: string,
  nowMillis: number
): Result.Result<ServiceAccount, OAuthError> => {
  const [head = "", body = "", signature = "", ...rest] = assertion.split(".")
  const claimed = claims(body)
  if (rest.length > 0 || signature === "" || Option.isNone(header(head)) || Option.isNone(claimed)) {
    return refusal("invalid_grant", "Invalid JWT: malformed.")
  }
  const { aud, exp, iat, iss, scope = "", sub } = claimed.value
  const now = nowMillis / 1000
  if (!audiences.has(aud) && !isSandboxTokenUrl(aud)) {
    return refusal("invalid_grant", "Invalid JWT: Failed audience check.")
  }
  if (exp - iat > 3600 || exp <= now - clockSkewSeconds || iat > now + clockSkewSeconds) {
    return refusal(
      "invalid_grant",
      "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. " +
        "Check your iat and exp values in the JWT claim."
    )
  }
  if (!isEmail(iss)) return refusal("invalid_grant", "Invalid grant: account not found")
  if (sub !== undefined && !isEmail(sub)) return refusal("invalid_grant", "Not a valid email.")
  const normalized = normalizeScope("google", scope)
  return normalized === undefined
    ? refusal("invalid_scope", "Invalid OAuth scope or ID token audience provided.")
    : Result.succeed({ account: sub ?? iss, scope: normalized, onBehalf: sub !== undefined })
}

const isEmail = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text)

const isSandboxTokenUrl = (aud: string) => /^http:\/\/127\.0\.0\.1:\d+\/googleToken$/.test(aud)
