import { Effect, Redacted } from "effect"
import type { UpstreamResponse } from "../../Outbound/UpstreamResponse.ts"
import { google } from "../../Providers/Google/IdentityProvider.ts"
import type { Origin } from "../../Providers/Origins.ts"
import { upstreamUrl, withQuery } from "../../Providers/UpstreamUrl.ts"
import { isClientId, type Project } from "./Advice.ts"
import type { Ask } from "./Ask.ts"
import { authErrorCode, causeOfToken, isAccepted } from "./Causes.ts"
import type { Findings } from "./Findings.ts"

interface ClientCheck {
  readonly ask: Ask
  readonly findings: Findings
  readonly originUrl: (origin: Origin) => string
  readonly project: Project
  readonly secret: Redacted.Redacted
}

/** An address that no client has. If Google accepts it too, its responses say nothing about addresses. */
const otherRedirectUri = "https://openaccounts-setup-check.example.com/connect/callback"

/** Google responds with the page only to browsers, in their language. */
const browserHeaders = {
  accept: "text/html",
  "accept-language": "en",
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"
}

/** Checks the client without a person, so Google grants nothing. */
export const checkClient = Effect.fnUntraced(function*(check: ClientCheck) {
  const { findings, project, secret } = check
  checkAddress(project.redirectUri, findings)
  if (project.clientId === "") findings.note("client_id", "todo", "GOOGLE_CLIENT_ID is not set.")
  if (Redacted.value(secret) === "") findings.note("client_secret", "todo", "GOOGLE_CLIENT_SECRET is not set.")
  if (project.clientId === "") {
    for (const id of ["client_deleted", "redirect_uri"]) findings.note(id, "todo", "There is no client yet.")
    return
  }
  yield* checkRedirect(check)
  if (Redacted.value(secret) !== "") yield* checkSecret(check)
})

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

const isRefusedHost = (host: string): boolean =>
  !host.includes(".") ||
  /^[\d.]+$|^\[|\.(?:local|lan|test|invalid|internal|home|corp|localdomain|localhost)$/.test(host)

/** Google's rules for redirect URIs. */
const checkAddress = (redirectUri: string, findings: Findings) => {
  const { hash, hostname, protocol, username } = new URL(redirectUri)
  if (loopback.test(hostname)) return findings.note("base_url", "ok", `${redirectUri} works on this machine only.`)
  const isRefused = protocol !== "https:" || isRefusedHost(hostname) || hash !== "" || username !== ""
  if (isRefused) findings.note("base_url", "wrong", `Google refuses the redirect address ${redirectUri}.`)
  else findings.note("base_url", "ok")
}

const pageOf = ({ headers, text }: UpstreamResponse): string => headers["location"] ?? text.slice(0, 100_000)

const checkRedirect = Effect.fnUntraced(function*({ ask, findings, originUrl, project }: ClientCheck) {
  const authorize = (redirectUri: string) =>
    Effect.map(
      ask({
        method: "GET",
        url: withQuery(upstreamUrl(originUrl(google.authorize)), {
          client_id: project.clientId,
          redirect_uri: redirectUri,
          response_type: "code",
          scope: google.extraScopes.join(" ")
        }),
        headers: browserHeaders
      }),
      (response) => response === undefined ? "" : pageOf(response)
    )

  const page = yield* authorize(project.redirectUri)
  const code = authErrorCode(page)
  if (code !== undefined) return noteRefusal(code, project, findings)
  if (!isAccepted(page)) {
    if (!isClientId(project.clientId)) {
      findings.note("client_id", "wrong", "GOOGLE_CLIENT_ID is no client ID of Google.")
    }
    return
  }
  for (const id of ["client_id", "client_deleted"]) findings.note(id, "ok")
  const control = authErrorCode(yield* authorize(otherRedirectUri))
  if (control === "redirect_uri_mismatch") findings.note("redirect_uri", "ok", project.redirectUri)
  else findings.note("redirect_uri", "unknown", "Google's answer does not tell a registered address from another.")
})

const noteRefusal = (code: string, project: Project, findings: Findings) => {
  const found = `Google's sign-in page answers ${code} for the client and ${project.redirectUri}.`
  if (code === "invalid_client") return findings.note("client_id", "wrong", found)
  findings.note("client_id", "ok")
  if (code === "invalid_request") return findings.note("base_url", "wrong", found)
  const cause = causeOfToken({ error: code }, false)
  if (cause !== undefined) findings.note(cause, "wrong", found)
  if (cause === "redirect_uri") findings.note("client_deleted", "ok")
}

/** Sends a made-up code: Google checks the client and its secret first. */
const checkSecret = Effect.fnUntraced(function*({ ask, findings, originUrl, project, secret }: ClientCheck) {
  const response = yield* ask({
    method: "POST",
    url: upstreamUrl(originUrl(google.token)),
    body: {
      _tag: "Form",
      fields: {
        grant_type: "authorization_code",
        code: "setup-check",
        redirect_uri: project.redirectUri,
        client_id: project.clientId,
        client_secret: secret
      }
    }
  })
  const body = response?.json?.value
  const code = errorOf(body)
  if (code === undefined) return
  if (code === "invalid_grant") {
    for (const id of ["client_id", "client_secret", "client_deleted"]) findings.note(id, "ok")
    return
  }
  const cause = causeOfToken(body, false)
  if (cause !== undefined) findings.note(cause, "wrong", `Google's token endpoint answers ${code} for the client.`)
})

export const errorOf = (body: unknown): string | undefined => {
  const error = typeof body === "object" && body !== null && "error" in body ? body.error : undefined
  return typeof error === "string" && /^\w{1,60}$/.test(error) ? error : undefined
}
