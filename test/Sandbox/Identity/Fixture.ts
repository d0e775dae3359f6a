import { Effect } from "effect"
import { createHash } from "node:crypto"
import { scopes } from "../../../src/Sandbox/Identity/Scopes.ts"
import { at, clientOf, type ReceivedResponse, send } from "../SandboxFixture.ts"

export const redirectUri = "http://127.0.0.1:8787/connect/callback"
export const verifier = "a-verifier-of-at-least-forty-three-characters-0123"
export const codeChallenge = createHash("sha256").update(verifier).digest("base64url")

export const authorizationRequest = {
  client_id: clientOf("google").client_id,
  redirect_uri: redirectUri,
  response_type: "code",
  scope: `${scopes.webmastersReadonly} openid email`,
  access_type: "offline",
  state: "a state",
  code_challenge: codeChallenge,
  code_challenge_method: "S256"
}

export const authorize = (changed: Readonly<Record<string, string>> = {}) =>
  send("googleAuth", `?${new URLSearchParams({ ...authorizationRequest, ...changed })}`)

export const locationOf = ({ headers }: ReceivedResponse) => new URL(headers.get("location") ?? "")

export const consentCode = (changed: Readonly<Record<string, string>> = {}) =>
  Effect.map(
    authorize({ ...changed, consent: "allow" }),
    (received) => locationOf(received).searchParams.get("code") ?? ""
  )

export const exchangeCode = (code: string, changed: Readonly<Record<string, string>> = {}) =>
  send("googleToken", "", {
    form: {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...clientOf("google"),
      ...changed
    }
  })

export const refresh = (refreshToken: string, changed: Readonly<Record<string, string>> = {}) =>
  send("googleToken", "", {
    form: { grant_type: "refresh_token", refresh_token: refreshToken, ...clientOf("google"), ...changed }
  })

export const listSites = (token: string) => send("gsc", "/webmasters/v3/sites", { token })

export const errorOf = (
  { status, text }: ReceivedResponse
) => [status, at(text, "error"), at(text, "error_description")]
