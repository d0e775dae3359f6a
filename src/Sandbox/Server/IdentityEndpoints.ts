import { Clock, Effect, Option, Result } from "effect"
import * as Base64 from "effect/encoding/Base64"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { company } from "../Data/Company.ts"
import { notFoundPage } from "../HtmlPages.ts"
import { verifyAssertion } from "../Identity/Assertion.ts"
import {
  type Authorization,
  Identity,
  type IdentityName,
  normalizeScope,
  oauthClients,
  type OAuthError,
  oauthError,
  refusal
} from "../Identity/Identity.ts"
import { scopes } from "../Identity/Scopes.ts"
import { consentPage, errorPage } from "./ConsentPage.ts"
import { type App, bearerToken, bodyText, type FakeProvider, requestTarget } from "./FakeProvider.ts"

export const identityEndpoints: Effect.Effect<FakeProvider, never, Identity> = Effect.gen(function*() {
  const identity = yield* Identity
  return {
    apps: {
      googleAuth: authorize(identity, "google"),
      googleToken: token(identity, "google"),
      googleRevoke: revoke(identity),
      googleUserinfo: userinfo(identity),
      sitesearchAuth: authorize(identity, "sitesearch"),
      sitesearchToken: token(identity, "sitesearch")
    }
  }
})

const json = (body: unknown, status = 200) =>
  HttpServerResponse.jsonUnsafe(body, {
    status,
    headers: { "cache-control": "no-store" },
    contentType: "application/json; charset=UTF-8"
  })

const errorResponse = ({ error, error_description, status }: OAuthError) =>
  Effect.succeed(json({ error, error_description }, status))

const endpoint = (
  method: "GET" | "POST",
  respond: (
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>
): App =>
  Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    (request) =>
      request.method === method ? respond(request) : Effect.succeed(notFoundPage(requestTarget(request).path))
  )

const authorize = (identity: Identity["Service"], name: IdentityName): App =>
  endpoint("GET", (request) => {
    const { query } = requestTarget(request)
    const checked = checkAuthorization(name, query)
    if (Result.isFailure(checked)) return Effect.succeed(errorPage(checked.failure))
    const { redirectUri, scope } = checked.success
    const redirectBack = (params: Readonly<Record<string, string>>) => {
      const url = new URL(redirectUri)
      for (const [key, value] of Object.entries(params)) url.searchParams.set(key, value)
      const state = query.get("state")
      if (state !== null) url.searchParams.set("state", state)
      return HttpServerResponse.redirect(url, { status: 302 })
    }
    const wanted = new Set(scope.split(" "))
    const issue = (granted: string | undefined) =>
      granted === undefined
        ? Effect.succeed(redirectBack({ error: "access_denied" }))
        : Effect.map(
          identity.issueCode(name, { ...checked.success, scope: granted }),
          (code) => redirectBack({ code, scope: granted })
        )
    const consent = query.get("prompt") === "none" ? "allow" : query.get("consent")
    switch (consent) {
      case "allow":
        return issue(scope)
      case "part":
        return issue(normalizeScope(name, query.getAll("granted").filter((one) => wanted.has(one)).join(" ")))
      case "deny":
        return Effect.succeed(redirectBack({ error: "access_denied" }))
      default:
        return Effect.succeed(consentPage(checked.success, query))
    }
  })

const checkAuthorization = (
  name: IdentityName,
  query: URLSearchParams
): Result.Result<Authorization, OAuthError> => {
  if (query.get("client_id") !== oauthClients[name].id) {
    return refusal("invalid_client", "The OAuth client was not found.", 401)
  }
  const redirectUri = URL.parse(query.get("redirect_uri") ?? "")
  if (redirectUri === null || !/^https?:$/.test(redirectUri.protocol) || redirectUri.hash !== "") {
    return refusal("redirect_uri_mismatch", "Expected an absolute http(s) redirect_uri without a fragment.")
  }
  if (query.get("response_type") !== "code") {
    return refusal("unsupported_response_type", "Expected response_type=code.")
  }
  const scope = normalizeScope(name, query.get("scope") ?? "")
  if (scope === undefined) return refusal("invalid_scope", "Some requested scopes were invalid.")
  const challenge = query.get("code_challenge") ?? undefined
  return Result.succeed({
    account: query.get("login_hint") ?? company.account,
    scope,
    redirectUri: query.get("redirect_uri") ?? "",
    challenge: challenge === undefined || query.get("code_challenge_method") === "S256"
      ? challenge
      : hash("sha256", challenge, "base64url"),
    offline: name === "sitesearch" || query.get("access_type") === "offline"
  })
}

const token = (identity: Identity["Service"], name: IdentityName): App =>
  endpoint("POST", (request) =>
    Effect.gen(function*() {
      const form = new URLSearchParams(yield* bodyText)
      switch (form.get("grant_type")) {
        case "authorization_code":
          yield* authenticateClient(name, request, form)
          return yield* identity.redeemCode({
            identity: name,
            code: form.get("code") ?? "",
            redirectUri: form.get("redirect_uri") ?? "",
            verifier: form.get("code_verifier") ?? undefined
          })
        case "refresh_token":
          yield* authenticateClient(name, request, form)
          return yield* identity.refresh(name, form.get("refresh_token") ?? "")
        case "urn:ietf:params:oauth:grant-type:jwt-bearer": {
          if (name !== "google") break
          const now = yield* Clock.currentTimeMillis
          const { account, onBehalf, scope } = yield* Effect.fromResult(
            verifyAssertion(form.get("assertion") ?? "", now)
          )
          return yield* identity.issueServiceAccountToken({ account, scope, onBehalf })
        }
      }
      return yield* oauthError("unsupported_grant_type", `Invalid grant_type: ${form.get("grant_type") ?? ""}`)
    }).pipe(Effect.map((tokens) => json(tokens)), Effect.catch(errorResponse)))

const authenticateClient = (
  name: IdentityName,
  request: HttpServerRequest.HttpServerRequest,
  form: URLSearchParams
): Effect.Effect<void, OAuthError> => {
  const basic = /^Basic\s+(\S+)$/i.exec(request.headers["authorization"] ?? "")?.[1]
  const [basicId, basicSecret] = basic === undefined
    ? []
    : Result.getOrElse(Base64.decodeString(basic), () => "").split(":")
  const client = oauthClients[name]
  if ((form.get("client_id") ?? basicId) !== client.id) {
    return Effect.fail(oauthError("invalid_client", "The OAuth client was not found.", 401))
  }
  return (form.get("client_secret") ?? basicSecret) === client.secret
    ? Effect.void
    : Effect.fail(oauthError("invalid_client", "Unauthorized", 401))
}

const revoke = (identity: Identity["Service"]): App =>
  endpoint("POST", (request) =>
    Effect.gen(function*() {
      const form = new URLSearchParams(yield* bodyText)
      yield* identity.revoke(form.get("token") ?? requestTarget(request).query.get("token") ?? "")
      return json({})
    }).pipe(Effect.catch(errorResponse)))

const identityScopes: ReadonlySet<string> = new Set([scopes.openid, scopes.email, scopes.userinfoEmail])

const userinfo = (identity: Identity["Service"]): App =>
  endpoint("GET", (request) =>
    Effect.gen(function*() {
      const caller = yield* identity.verifyAccessToken("google", bearerToken(request) ?? "")
      if (Option.isNone(caller)) return yield* oauthError("invalid_request", "Invalid Credentials", 401)
      const { account, scope } = caller.value
      if (!scope.split(" ").some((name) => identityScopes.has(name))) {
        return yield* oauthError("insufficient_scope", "Request had insufficient authentication scopes.", 403)
      }
      const [name = account, domain] = account.split("@")
      return json({ sub: subjectOf(account), name, email: account, email_verified: true, hd: domain })
    }).pipe(Effect.catch(errorResponse)))

const subjectOf = (account: string): string =>
  (BigInt(`0x${hash("sha256", account)}`) % 10n ** 21n).toString().padStart(21, "1")
