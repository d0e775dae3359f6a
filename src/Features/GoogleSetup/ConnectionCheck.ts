import { Effect, Option, Redacted, Schema } from "effect"
import { listedBy } from "../../Connections/ConnectionTests.ts"
import type { ConnectionTokens } from "../../Connections/ConnectionTokens.ts"
import type { Credentials } from "../../Connections/Credentials.ts"
import type { StoredConnection } from "../../Domain/Connection.ts"
import { scopesNotGranted } from "../../Domain/ScopeMeaning.ts"
import { isSuccessful, type UpstreamResponse } from "../../Outbound/UpstreamResponse.ts"
import { google } from "../../Providers/Google/IdentityProvider.ts"
import { signAssertion } from "../../Providers/OAuth/ServiceAccountAssertion.ts"
import type { Origin } from "../../Providers/Origins.ts"
import type { Provider, RawEndpoint, RawInput } from "../../Providers/Provider.ts"
import { bearer } from "../../Providers/RequestAuthentication.ts"
import { endpointUrl, upstreamUrl } from "../../Providers/UpstreamUrl.ts"
import type { Ask } from "./Ask.ts"
import { causeOfApi, causeOfToken } from "./Causes.ts"
import { errorOf } from "./ClientCheck.ts"
import type { Findings } from "./Findings.ts"

export interface ConnectionCheck {
  readonly ask: Ask
  readonly findings: Findings
  readonly originUrl: (origin: Origin) => string
  readonly tokens: ConnectionTokens["Service"]
  /** `undefined` if it is not configured. */
  readonly application: { readonly client_id: string; readonly client_secret: Redacted.Redacted } | undefined
}

const decodeTokens = Schema.decodeUnknownOption(Schema.Struct({
  access_token: Schema.NonEmptyString,
  scope: Schema.optionalKey(Schema.String),
  refresh_token_expires_in: Schema.optionalKey(Schema.Unknown)
}))

const noSuchFile = "openaccounts-setup-check"

/** Cheap reads that reach each API of a provider. None needs a resource that exists. */
const readInputs: Readonly<Record<string, RawInput>> = {
  "sites.list": {},
  "accountSummaries.list": { query: { pageSize: 200 } },
  "properties.getMetadata": { path: { property: "0" } },
  "spreadsheets.get": { path: { spreadsheetId: noSuchFile }, query: { fields: "spreadsheetId" } },
  "documents.get": { path: { documentId: noSuchFile }, query: { fields: "documentId" } }
}

const fileIn = ({ resources }: StoredConnection, provider: Provider): string | undefined =>
  resources?.flatMap((name) => name.startsWith(`${provider.id}:`) ? [name.slice(provider.id.length + 1)] : [])
    .find((name) => name !== "created")

/** Reads the first file of the connection's bounds, instead of one that does not exist. */
const readOf = (endpoint: RawEndpoint, connection: StoredConnection, provider: Provider) => {
  const input = readInputs[endpoint.id]
  if (input === undefined) return []
  const file = input.path !== undefined && provider.listResources === undefined
    ? fileIn(connection, provider)
    : undefined
  if (file === undefined) return [{ endpoint, input, isOwn: false }]
  const path = Object.fromEntries(Object.keys(input.path ?? {}).map((name) => [name, file]))
  return [{ endpoint, input: { ...input, path }, isOwn: true }]
}

/** Asks with the credentials of a connection, and stores nothing. */
export const checkConnection = Effect.fnUntraced(
  function*(check: ConnectionCheck, connection: StoredConnection, provider: Provider) {
    const { ask, findings, originUrl, tokens } = check
    const stored = yield* Effect.orElseSucceed(tokens.credentials(connection.id), Option.none)
    if (Option.isNone(stored)) return
    const who = `the connection ${connection.id}`
    noteHealth(connection, findings)
    const token = yield* tokenOf(check, connection, provider, stored.value.credentials)
    if (token === undefined) return
    const reads = provider.endpoints.flatMap((endpoint) => readOf(endpoint, connection, provider))
    for (const { endpoint, input, isOwn } of reads) {
      const response = yield* ask({
        method: endpoint.method,
        url: endpointUrl(upstreamUrl(originUrl(endpoint.origin)), endpoint.path, input),
        credential: { secret: token, authentication: provider.authentication[connection.auth_type] ?? bearer }
      })
      if (response !== undefined) noteRead(response, { provider, connection, findings, who, isOwn, endpoint })
    }
  }
)

const noteHealth = ({ auth_type, health, id }: StoredConnection, findings: Findings) => {
  if (auth_type !== "oauth") return
  for (const { code } of health.reasons) {
    if (code === "testing_mode") findings.note("consent_testing", "wrong", `Google ends the connection ${id} soon.`)
    if (code === "scopes_missing") {
      findings.note("scopes_granted", "wrong", `The connection ${id} lacks a scope that its sign-in asked for.`)
    }
  }
}

interface Read {
  readonly provider: Provider
  readonly connection: StoredConnection
  readonly findings: Findings
  readonly who: string
  /** Whether the read is about a file of the connection. */
  readonly isOwn: boolean
  readonly endpoint: RawEndpoint
}

const noteRead = (response: UpstreamResponse, { connection, endpoint, findings, isOwn, provider, who }: Read) => {
  const { json, status } = response
  const api = `api_enabled.${provider.id}`
  if (isSuccessful(status)) {
    findings.note(api, "ok")
    findings.note("scopes_granted", "ok")
    if (isOwn) findings.note("resource_shared", "ok")
    if (endpoint === provider.cheapestRead) noteListed(json, connection, provider, findings)
    return
  }
  if (status === 404) {
    findings.note(api, "ok")
    if (isOwn) findings.note("resource_shared", "wrong", `Google finds no file of ${who}.`, { provider })
    return
  }
  const cause = causeOfApi(json?.value, provider)
  const found = `${provider.name} answers ${status} to ${who}.`
  if (cause?.id === "resource_shared") {
    findings.note(api, "ok")
    const isAboutAll = endpoint === provider.cheapestRead
    if (isOwn || isAboutAll) findings.note("resource_shared", "wrong", found, { provider })
  } else if (cause !== undefined) {
    findings.note(cause.id, "wrong", found, { provider, activationUrl: cause.activationUrl })
  }
}

const noteListed = (
  json: UpstreamResponse["json"],
  { auth_type, id, resources }: StoredConnection,
  provider: Provider,
  findings: Findings
) => {
  const listed = listedBy(provider, json)
  if (listed === undefined) return
  const lacks = resources?.find((resource) => resource.startsWith(`${provider.id}:`) && !listed.includes(resource))
  if (lacks !== undefined) {
    findings.note("resource_shared", "wrong", `The connection ${id} does not reach ${lacks}.`, { provider })
  } else if (listed.length > 0) findings.note("resource_shared", "ok")
  else if (auth_type === "service_account") {
    findings.note("resource_shared", "wrong", `The service account of ${id} reaches nothing.`, { provider })
  }
}

/** An access token that is not stored. Google's refresh tokens stay as they are. */
const tokenOf = Effect.fnUntraced(function*(
  { application, ask, findings, originUrl }: ConnectionCheck,
  { id, scopes }: StoredConnection,
  provider: Provider,
  credentials: Credentials
) {
  const request = (fields: Readonly<Record<string, string | Redacted.Redacted>>) =>
    ask({ method: "POST", url: upstreamUrl(originUrl(google.token)), body: { _tag: "Form", fields } })

  if (credentials.type === "api_key") return undefined
  if (credentials.type === "service_account") {
    const asked = scopes.length > 0 ? scopes : provider.scopes.write
    const assertion = yield* Effect.option(signAssertion(credentials.key, asked))
    if (Option.isNone(assertion)) {
      findings.note("service_account_key", "wrong", `The key of the connection ${id} cannot sign.`)
      return undefined
    }
    const response = yield* request({
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion: assertion.value
    })
    const token = noteTokens(response, { findings, who: `the service account of ${id}`, isServiceAccount: true })
    if (token === undefined) return undefined
    for (const each of ["service_account_key", "service_account_deleted"]) findings.note(each, "ok")
    if (credentials.key.subject !== undefined) findings.note("delegation", "ok")
    return Redacted.make(token.access_token)
  }
  if (application === undefined) return undefined
  const { refresh_expires_at, refresh_token } = credentials.oauth
  if (refresh_expires_at !== undefined) {
    findings.note("consent_testing", "wrong", `Google gave the connection ${id} an end.`)
  }
  const response = yield* request({ grant_type: "refresh_token", refresh_token, ...application })
  const token = noteTokens(response, { findings, who: `the connection ${id}`, isServiceAccount: false })
  if (token === undefined) return undefined
  const isLimited = token.refresh_token_expires_in !== undefined
  findings.note("consent_testing", isLimited ? "wrong" : "ok", isLimited ? `Google ends the connection ${id}.` : null)
  for (const each of ["consent_user", "admin_policy"]) findings.note(each, "ok")
  noteScopes(token.scope?.split(" ") ?? scopes, id, provider, findings)
  return Redacted.make(token.access_token)
})

const noteScopes = (granted: ReadonlyArray<string>, id: string, provider: Provider, findings: Findings) => {
  const accepted = provider.endpoints.flatMap(({ id, scopes }) => id in readInputs ? scopes : [])
  if (granted.length === 0 || accepted.length === 0) return
  if (scopesNotGranted(accepted, granted).length < accepted.length) return
  findings.note("scopes_granted", "wrong", `The connection ${id} has no scope of ${provider.name}.`)
}

const noteTokens = (
  response: UpstreamResponse | undefined,
  { findings, isServiceAccount, who }: {
    readonly findings: Findings
    readonly who: string
    readonly isServiceAccount: boolean
  }
) => {
  const body = response?.json?.value
  const tokens = Option.getOrUndefined(decodeTokens(body))
  if (tokens !== undefined) return tokens
  const cause = causeOfToken(body, isServiceAccount)
  if (cause !== undefined) findings.note(cause, "wrong", `Google answers ${errorOf(body) ?? "an error"} to ${who}.`)
  return undefined
}
