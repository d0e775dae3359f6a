import { Effect } from "effect"
import { LoopbackUpstream, type Recorded, type Reply } from "../../support/LoopbackUpstream.ts"
import { keyFile } from "../../support/ServiceAccountFile.ts"
import { freshGrant, seed } from "../../support/TestServer.ts"

export const clientId = "123456789012-abcdef.apps.googleusercontent.com"

export interface Script {
  readonly authorize?: string
  readonly secret?: Reply
  readonly refresh?: Reply
  readonly assertion?: Reply
  readonly api?: Readonly<Record<string, Reply>>
  readonly date?: string
  readonly isUnreachable?: boolean
}

export const refusal = (status: number, error: string, error_description = ""): Reply => ({
  status,
  body: { error, error_description }
})

export const denied = (reason?: string): Reply => ({
  status: 403,
  body: {
    error: {
      code: 403,
      message: "No.",
      status: "PERMISSION_DENIED",
      details: reason === undefined ? [] : [{ reason, domain: "googleapis.com" }]
    }
  }
})

const authError = (code: string) =>
  encodeURIComponent(Buffer.from(`\n${String.fromCharCode(code.length)}${code}\u0012\u0002No`).toString("base64"))

const authorize = ({ url }: Recorded, script: Script): Reply => {
  const isOther = url.includes("openaccounts-setup-check")
  const code = script.authorize ?? (isOther ? "redirect_uri_mismatch" : undefined)
  const location = code === undefined
    ? "https://accounts.google.com/v3/signin/identifier?opparams=x"
    : `https://accounts.google.com/signin/oauth/error?authError=${authError(code)}&flowName=GeneralOAuthFlow`
  return { status: 302, headers: { location }, body: "" }
}

const scope = [
  "webmasters.readonly",
  "analytics.readonly",
  "spreadsheets",
  "documents"
].map((name) => `https://www.googleapis.com/auth/${name}`).join(" ")

export const tokens = (fields: object = {}): Reply => ({
  body: { access_token: "ya29.scripted", expires_in: 3599, token_type: "Bearer", scope, ...fields }
})

const token = ({ body }: Recorded, { assertion, refresh, secret }: Script): Reply => {
  if (body.includes("jwt-bearer")) return assertion ?? tokens()
  if (body.includes("grant_type=refresh_token")) return refresh ?? tokens()
  return body.includes("code=setup-check")
    ? secret ?? refusal(400, "invalid_grant", "Malformed auth code.")
    : tokens({ refresh_token: "1//scripted" })
}

const healthy: Readonly<Record<string, Reply>> = {
  gsc: { body: { siteEntry: [{ siteUrl: "sc-domain:acme.com", permissionLevel: "siteOwner" }] } },
  ga4Admin: { body: { accountSummaries: [] } },
  ga4Data: denied(),
  gsheets: { body: { spreadsheetId: "shared" } },
  gdocs: refusal(404, "not_found")
}

/** Google as a right set-up finds it, but for what the script says. */
export const play = (script: Script) =>
  Effect.map(LoopbackUpstream, ({ handle }) =>
    handle((request) => {
      if (script.isUnreachable) return (response) => void response.destroy()
      const [, origin = ""] = request.url.split(/[/?]/)
      const reply = origin === "googleAuth"
        ? authorize(request, script)
        : origin === "googleToken"
        ? token(request, script)
        : script.api?.[origin] ?? healthy[origin] ?? { status: 404, body: {} }
      return script.date === undefined ? reply : { ...reply, headers: { ...reply.headers, date: script.date } }
    }))

/** A connection of each provider, by both ways to authenticate. */
export const connectAll = Effect.gen(function*() {
  const { connect, name, readOnly } = yield* seed()
  const credentials = { ...keyFile, subject: "robot@acme.com" }
  yield* connect({ provider: "ga4", credentials: freshGrant(`${name}-ga4`) })
  yield* connect({ provider: "gdocs", credentials: freshGrant(`${name}-gdocs`) })
  const sheets = yield* connect({
    provider: "gsheets",
    auth_type: "service_account",
    credentials,
    resources: ["gsheets:shared"]
  })
  return { readOnly, sheets }
})
