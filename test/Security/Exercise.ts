import { Effect } from "effect"
import type { Handler, LoopbackUpstream, Recorded } from "../support/LoopbackUpstream.ts"
import type { ServerProcess } from "../support/ServerProcess.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { given } from "./Secrets.ts"

export const settings = (upstream: string, collector: string) => ({
  GSC_BASE_URL: `${upstream}/gsc`,
  SITESEARCH_BASE_URL: `${upstream}/sitesearch`,
  GSHEETS_BASE_URL: `${upstream}/gsheets`,
  GOOGLE_TOKEN_URL: `${upstream}/token`,
  GOOGLE_REVOKE_URL: `${upstream}/revoke`,
  GOOGLE_USERINFO_URL: `${upstream}/userinfo`,
  SITESEARCH_TOKEN_URL: `${upstream}/token`,
  GOOGLE_CLIENT_ID: "canary-google-id",
  GOOGLE_CLIENT_SECRET: given.googleClientSecret,
  SITESEARCH_CLIENT_ID: "canary-sitesearch-id",
  SITESEARCH_CLIENT_SECRET: given.sitesearchClientSecret,
  METRICS_TOKEN: given.metricsToken,
  UPSTREAM_TIMEOUT: "2 seconds",
  LOG_LEVEL: "trace",
  OTEL_EXPORTER_OTLP_ENDPOINT: collector,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${given.collectorToken}`
})

const grant = { access_token: given.accessToken, refresh_token: given.refreshToken, expires_at: "2099-01-01T00:00:00Z" }
const opaque = {
  access_token: given.opaqueAccessToken,
  refresh_token: given.opaqueRefreshToken,
  expires_at: "2099-01-01T00:00:00Z"
}
const expired = { expires_at: "2020-01-01T00:00:00Z" }

/** All that a provider could know of a request, as one that is careless with its errors would tell it. */
const echo = ({ body, headers, url }: Recorded) =>
  [url, JSON.stringify(headers), body, decodeURIComponent(body.replaceAll("+", " "))].join(" ")

const isToken = ({ url }: Recorded) => url.startsWith("/token")

const good: Handler = (request) => {
  if (isToken(request)) {
    return {
      body: {
        access_token: given.issuedToken,
        refresh_token: given.rotatedRefreshToken,
        id_token: given.idToken,
        expires_in: 3600
      }
    }
  }
  return { body: request.url.startsWith("/sitesearch") ? { d: [] } : { siteEntry: [] } }
}

/** How providers fail, each with all that it knows in what it says. */
const failures: Readonly<Record<string, Handler>> = {
  "401": (request) => ({ status: 401, body: { error: { code: 401, message: echo(request) } } }),
  "403, and the grant is dead": (request) => ({
    status: isToken(request) ? 400 : 403,
    body: isToken(request)
      ? { error: "invalid_grant", error_description: echo(request) }
      : { error: { code: 403, message: echo(request), [echo(request)]: [echo(request)] } }
  }),
  "the application is refused": (request) => ({
    status: isToken(request) ? 401 : 500,
    body: { error: "invalid_client", error_description: echo(request) }
  }),
  "a page": (request) => ({
    status: 500,
    headers: { "content-type": "text/html" },
    body: `<pre>${echo(request)}</pre>`
  }),
  "a page for JSON": (request) => ({ status: 200, body: `<pre>${echo(request)}</pre>` }),
  "a redirect": (request) => ({ status: 302, headers: { location: `/login?${request.url}` }, body: echo(request) }),
  "no token in the answer": (request) => ({
    status: isToken(request) ? 200 : 400,
    body: isToken(request)
      ? { id_token: given.idToken, refresh_token: given.rotatedRefreshToken }
      : { Message: echo(request) }
  }),
  "a broken connection": () => (response) => void response.destroy()
}

/**
 * Puts every secret through the service, in success and in every failure, and reads everything that can be read.
 * `answers` has all that was answered, headers included; `made` the secrets that the service itself made.
 */
export const exercise = Effect.fnUntraced(function*(
  server: ServerProcess,
  upstream: LoopbackUpstream["Service"],
  adminToken: string
) {
  const told: Array<string> = []
  const codes = new Set<string>()
  const made: Record<string, string> = {}

  const ask = (method: string, path: string, key: string, body?: unknown, at = server) =>
    Effect.promise(async () => {
      const response = await fetch(`${at.url}${path}`, {
        method,
        redirect: "manual",
        headers: { authorization: `Bearer ${key}` },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
      const text = await response.text()
      told.push(JSON.stringify([...response.headers]), text)
      const code = /^\{"call_id":"[^"]*","error":\{"code":"(\w+)"/.exec(text)?.[1]
      if (code !== undefined) codes.add(code)
      return { status: response.status, text }
    })
  const admin = (method: string, path: string, body?: unknown) => ask(method, `/admin/v1${path}`, adminToken, body)
  /** Not kept: an answer that shows a secret, this once. */
  const create = server.admin

  /** The secrets that the service makes for its requests to the providers. */
  const answering = (handler: Handler): void =>
    upstream.handle((request) => {
      const form = new URLSearchParams(request.body)
      for (const name of ["assertion", "code_verifier"]) {
        const value = form.get(name)
        if (value !== null) made[name] = value
      }
      return handler(request)
    })

  answering(good)
  const member = yield* create("POST", "/members", { email: "canary@example.com" })
  const { key }: { readonly key: string } = yield* create("POST", "/keys", {
    member_id: member.id,
    name: "k",
    access: "read_write"
  })
  made["apiKey"] = key
  const connect = (provider: string, auth_type: string, credentials: object) =>
    Effect.map(
      create("POST", "/connections", { provider, auth_type, credentials, label: `canary-label-${auth_type}` }),
      ({ id }): string => id
    )
  const listSites = { provider: "gsc", endpoint: "sites.list" }
  const clear = { provider: "gsheets", endpoint: "values.clear", input: { path: { spreadsheetId: "s", range: "A1" } } }
  const userSites = { provider: "sitesearch", endpoint: "GetUserSites" }
  /** Every way to authenticate, with a call of each. */
  const connections = Effect.gen(function*() {
    return [
      { ...listSites, connection_id: yield* connect("gsc", "oauth", grant) },
      { ...listSites, connection_id: yield* connect("gsc", "oauth", opaque) },
      { ...listSites, connection_id: yield* connect("gsc", "oauth", { ...grant, ...expired }) },
      { ...listSites, connection_id: yield* connect("gsc", "oauth", { refresh_token: given.opaqueRefreshToken }) },
      { ...listSites, connection_id: yield* connect("gsc", "service_account", keyFile) },
      {
        ...listSites,
        connection_id: yield* connect("gsc", "service_account", { ...keyFile, private_key: given.malformedKey })
      },
      { ...clear, connection_id: yield* connect("gsheets", "oauth", opaque) },
      { ...userSites, connection_id: yield* connect("sitesearch", "api_key", { api_key: given.sitesearchKey }) },
      {
        ...userSites,
        connection_id: yield* connect("sitesearch", "oauth", { refresh_token: given.opaqueRefreshToken })
      }
    ]
  })

  const callAs = (as: string, body: unknown) => ask("POST", "/v1/call", as, body)
  const call = (body: unknown) => callAs(key, body)
  const all = yield* connections
  for (const body of all) yield* call({ ...body, max_age: 60 })
  for (const handler of Object.values(failures)) {
    answering(good)
    const calls = yield* connections
    answering(handler)
    yield* Effect.forEach(calls, call, { concurrency: 4 })
    for (const { connection_id } of calls.slice(2, 5)) yield* admin("POST", `/connections/${connection_id}/test`)
    for (const { connection_id } of calls.slice(0, 2)) yield* admin("DELETE", `/connections/${connection_id}`)
  }
  answering(good)

  // What callers do wrong.
  yield* callAs(given.unknownApiKey, listSites)
  yield* callAs(key.slice(0, -1), listSites)
  yield* call(`{"authorization":"Bearer ${key}","refresh_token":"${given.refreshToken}"`)
  yield* call({ ...listSites, input: { headers: { authorization: `Bearer ${key}` } } })
  yield* call({ ...listSites, token: given.accessToken, input: { query: { access_token: given.accessToken } } })
  yield* call({ ...listSites, connection_id: given.unknownApiKey })
  yield* call({ ...listSites, provider: "nobody" })
  yield* call(listSites)
  yield* ask("GET", `/v1/logs/${given.unknownApiKey}`, key)

  // What operators do wrong.
  yield* ask("GET", "/admin/v1/keys", given.nearlyAdminToken)
  yield* ask("GET", "/metrics", given.nearlyAdminToken)
  yield* ask("GET", "/metrics", given.metricsToken)
  const wrong: ReadonlyArray<unknown> = [
    `{"refresh_token":"${given.refreshToken}"`,
    { refreshtoken: given.refreshToken },
    { refresh_token: { value: given.refreshToken } },
    { refresh_token: given.refreshToken, expires_at: given.accessToken },
    given.refreshToken,
    { ...keyFile, type: given.malformedKey },
    { ...keyFile, client_email: [keyFile.private_key] },
    { api_key: [given.sitesearchKey] }
  ]
  const [{ connection_id } = { connection_id: "" }] = all
  for (const credentials of wrong) {
    for (const auth_type of ["oauth", "service_account", "api_key"]) {
      const body = typeof credentials === "string" && credentials.startsWith("{")
        ? credentials
        : { provider: "gsc", label: "wrong", auth_type, credentials }
      yield* admin("POST", "/connections", body)
      yield* admin("PUT", `/connections/${connection_id}/credentials`, { auth_type, credentials })
    }
  }

  // A sign-in, well and badly.
  for (const handler of [good, ...Object.values(failures)]) {
    const { authorize_url } = yield* create("POST", "/connect", { provider: "gsc", label: "canary-label-connect" })
    const state = new URL(authorize_url).searchParams.get("state") ?? ""
    made["state"] = state
    answering(handler)
    yield* ask("GET", `/connect/callback?${new URLSearchParams({ state, code: given.authorizationCode })}`, "")
    yield* ask("GET", `/connect/callback?${new URLSearchParams({ state, code: given.authorizationCode })}`, "")
  }

  const readAll = Effect.fnUntraced(function*(at: ServerProcess) {
    let cursor: string | null = ""
    while (cursor !== null) {
      const { text } = yield* ask(
        "GET",
        `/v1/logs?limit=200${cursor === "" ? "" : `&cursor=${cursor}`}`,
        key,
        undefined,
        at
      )
      const page: { readonly calls: ReadonlyArray<{ readonly id: string }>; readonly cursor: string | null } = JSON
        .parse(text)
      yield* Effect.forEach(page.calls, ({ id }) => ask("GET", `/v1/logs/${id}`, key, undefined, at), {
        concurrency: 4
      })
      cursor = page.cursor
    }
    for (const path of ["/v1/connections", "/v1/providers", "/openapi.json"]) {
      yield* ask("GET", path, key, undefined, at)
    }
    for (const path of ["/connections", "/keys", "/members", "/clients"]) {
      yield* ask("GET", `/admin/v1${path}?limit=200`, adminToken, undefined, at)
    }
  })
  yield* readAll(server)

  const newConnection = { provider: "gsc", auth_type: "oauth", credentials: grant, label: "canary-label-new" }
  return {
    answers: () => told.join("\n"),
    made,
    codes,
    readAll,
    /** What fails where the keys or the tables are not as they were. */
    useAgain: (at: ServerProcess) =>
      Effect.all([
        ask("POST", "/v1/call", key, { ...listSites, connection_id, max_age: 60 }, at),
        ask("POST", "/v1/call", key, { ...listSites, connection_id }, at),
        ask("POST", "/admin/v1/connections", adminToken, newConnection, at)
      ])
  }
})
