import { assert } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { eventTypes } from "../../src/Declared/EventType.ts"
import type { AuthType, NewCredentials } from "../../src/Domain/Connection.ts"
import { generateGrantToken } from "../../src/Secrets/IssuedSecrets.ts"
import { toolOf } from "../Features/Mcp/McpFixture.ts"
import { eventually } from "../support/Eventually.ts"
import type { Handler, LoopbackUpstream, Recorded } from "../support/LoopbackUpstream.ts"
import type { ServerProcess } from "../support/ServerProcess.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { TestServer } from "../support/TestServer.ts"
import { letAgentIn } from "./AgentScenario.ts"
import { answeredSecrets, externalSecrets } from "./Secrets.ts"

export const settings = (upstream: string, collector: string) => ({
  GSC_BASE_URL: `${upstream}/gsc`,
  SITESEARCH_BASE_URL: `${upstream}/sitesearch`,
  GSHEETS_BASE_URL: `${upstream}/gsheets`,
  GOOGLE_TOKEN_URL: `${upstream}/token`,
  GOOGLE_REVOKE_URL: `${upstream}/revoke`,
  GOOGLE_USERINFO_URL: `${upstream}/userinfo`,
  SITESEARCH_TOKEN_URL: `${upstream}/token`,
  GOOGLE_CLIENT_ID: "canary-google-id",
  GOOGLE_CLIENT_SECRET: externalSecrets.googleClientSecret,
  SITESEARCH_CLIENT_ID: "canary-sitesearch-id",
  SITESEARCH_CLIENT_SECRET: externalSecrets.sitesearchClientSecret,
  OIDC_ISSUER: `${upstream}/oidc`,
  OIDC_CLIENT_ID: "canary-oidc-id",
  OIDC_CLIENT_SECRET: externalSecrets.oidcClientSecret,
  METRICS_TOKEN: externalSecrets.metricsToken,
  UPSTREAM_TIMEOUT: "2 seconds",
  WEBHOOK_ALLOW_PRIVATE: "true",
  LOG_LEVEL: "trace",
  OTEL_EXPORTER_OTLP_ENDPOINT: collector,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${externalSecrets.collectorToken}`
})

const grant = {
  access_token: externalSecrets.accessToken,
  refresh_token: externalSecrets.refreshToken,
  expires_at: "2099-01-01T00:00:00Z"
}
const opaque = {
  access_token: externalSecrets.opaqueAccessToken,
  refresh_token: externalSecrets.opaqueRefreshToken,
  expires_at: "2099-01-01T00:00:00Z"
}

const echo = ({ body, headers, url }: Recorded) =>
  [url, JSON.stringify(headers), body, decodeURIComponent(body.replaceAll("+", " "))].join(" ")

const decodePage = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({
  calls: Schema.Array(Schema.Struct({ id: Schema.String })),
  cursor: Schema.NullOr(Schema.String)
})))

const isToken = ({ url }: Recorded) => url.startsWith("/token")

const succeed: Handler = (request) => {
  if (isToken(request)) {
    return {
      body: {
        access_token: externalSecrets.issuedToken,
        refresh_token: externalSecrets.rotatedRefreshToken,
        id_token: externalSecrets.idToken,
        expires_in: 3600
      }
    }
  }
  const { authenticationCode: AuthenticationCode, dnsVerificationCode: DnsVerificationCode } = answeredSecrets
  return {
    body: request.url.startsWith("/sitesearch")
      ? { d: [{ AuthenticationCode, DnsVerificationCode, IsVerified: true, Url: "https://example.com/" }] }
      : { siteEntry: [] }
  }
}

const repeat: Handler = (request) =>
  isToken(request) ? succeed(request) : { body: { d: [echo(request)], [echo(request)]: echo(request) } }

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
      ? { id_token: externalSecrets.idToken, refresh_token: externalSecrets.rotatedRefreshToken }
      : { Message: echo(request) }
  }),
  "a broken connection": () => (response) => void response.destroy()
}

/**
 * Uses every secret, in success and in every failure, then reads every list and log. `answers` has all responses with
 * headers, `made` the secrets that the service made.
 */
export const runSecretScenario = Effect.fnUntraced(function*(
  server: ServerProcess,
  upstream: LoopbackUpstream["Service"],
  adminToken: string
) {
  const answers: Array<string> = []
  const codes = new Set<string>()
  const made: Record<string, string> = {}

  const ask = (method: string, path: string, key: string, body?: unknown, at = server) =>
    askWith({ authorization: `Bearer ${key}` }, method, path, body, at)

  const askWith = (headers: Record<string, string>, method: string, path: string, body?: unknown, at = server) =>
    Effect.promise(async () => {
      const response = await fetch(`${at.url}${path}`, {
        method,
        redirect: "manual",
        headers,
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
      const text = await response.text()
      answers.push(JSON.stringify([...response.headers]), text)
      const code = /^\{"call_id":"[^"]*","error":\{"code":"(\w+)"/.exec(text)?.[1]
      if (code !== undefined) codes.add(code)
      return { status: response.status, text }
    })
  const manage = (method: string, path: string, body?: unknown) => ask(method, `/admin/v1${path}`, adminToken, body)
  // These responses may show a secret and are not collected.
  const { admin } = server

  const handle = (handler: Handler): void =>
    upstream.handle((request) => {
      const form = new URLSearchParams(request.body)
      for (const name of ["assertion", "code_verifier"]) {
        const value = form.get(name)
        if (value !== null) made[name] = value
      }
      if (request.url !== "/hook") return handler(request)
      const [, token] = /"connect_url":"[^"]*\/connect\/([^"]+)"/.exec(request.body) ?? []
      if (token !== undefined) made["connectUrl"] = token
      return { status: token === undefined ? 204 : 500, body: echo(request) }
    })

  handle(succeed)
  const member = yield* admin.members.create({ payload: { email: "canary@example.com", client_ids: null } })
  const { key } = yield* admin.keys.create({ payload: { member_id: member.id, name: "k", access: "read_write" } })
  made["apiKey"] = key
  const webhook = yield* admin.webhooks.create({ payload: { url: `${upstream.url}/hook`, events: eventTypes } })
  made["webhookSecret"] = webhook.secret
  const connect = (provider: string, auth_type: AuthType, credentials: NewCredentials["credentials"]) =>
    Effect.map(
      admin.managedConnections.create({
        payload: { provider, auth_type, credentials, label: `canary-label-${auth_type}` }
      }),
      ({ id }): string => id
    )
  const listSites = { provider: "gsc", endpoint: "sites.list" }
  const clear = { provider: "gsheets", endpoint: "values.clear", input: { path: { spreadsheetId: "s", range: "A1" } } }
  const userSites = { provider: "sitesearch", endpoint: "GetUserSites" }
  const expiring = { ...grant, expires_at: "2020-01-01T00:00:00Z" }
  const refreshOnly = { refresh_token: externalSecrets.opaqueRefreshToken }
  const connectAll = Effect.forEach(
    [
      [listSites, "oauth", grant],
      [listSites, "oauth", opaque],
      [listSites, "oauth", expiring],
      [listSites, "oauth", refreshOnly],
      [listSites, "service_account", keyFile],
      [clear, "oauth", opaque],
      [userSites, "api_key", { api_key: externalSecrets.sitesearchKey }],
      [userSites, "oauth", refreshOnly]
    ] as const,
    ([call, auth_type, credentials]) =>
      Effect.map(connect(call.provider, auth_type, credentials), (connection_id) => ({ ...call, connection_id }))
  )

  const callAs = (as: string, body: unknown) => ask("POST", "/v1/call", as, body)
  const call = (body: unknown) => callAs(key, body)
  const callAsAgent = Effect.fnUntraced(function*(body: unknown) {
    const [name, args] = toolOf(body)
    const params = { name, arguments: args }
    const { text } = yield* ask("POST", "/mcp", key, { jsonrpc: "2.0", id: 1, method: "tools/call", params })
    assert.include(text, "structuredContent")
  })
  const all = yield* connectAll
  for (const body of all) yield* call({ ...body, max_age: 60 })
  handle(repeat)
  for (const body of yield* connectAll) yield* call({ ...body, max_age: 60 })
  for (const handler of Object.values(failures)) {
    handle(succeed)
    const calls = yield* connectAll
    handle(handler)
    yield* Effect.forEach(calls, call, { concurrency: 4 })
    yield* Effect.forEach(calls.slice(1, 3), callAsAgent)
    for (const { connection_id } of calls.slice(2, 5)) yield* manage("POST", `/connections/${connection_id}/test`)
    for (const { connection_id } of calls.slice(0, 2)) yield* manage("DELETE", `/connections/${connection_id}`)
  }
  handle(succeed)

  yield* eventually(Effect.sync(() => made["connectUrl"]), (token) => token !== undefined)
  yield* call({ ...listSites, input: { query: { q: `a ${webhook.secret}` } }, note: webhook.secret })
  yield* manage("PATCH", `/webhooks/${webhook.id}`, { url: `${upstream.url}/hook`, secret: webhook.secret })
  yield* manage("POST", `/webhooks/${webhook.secret}/test`)

  yield* callAs(externalSecrets.unknownApiKey, listSites)
  yield* callAs(key.slice(0, -1), listSites)
  for (const kind of ["access", "refresh"] as const) {
    const token = made[`${kind}TokenOfAgent`] = Redacted.value(generateGrantToken(kind))
    yield* callAs(token, { ...listSites, note: token, input: { query: { q: `a ${token}` } } })
    yield* call({ ...listSites, connection_id: token, input: { note: `[${token}]\n${token}` } })
    yield* manage("PATCH", `/grants/${token}`, { access: token, connection_ids: [token] })
    yield* ask("GET", `/v1/logs?grant_id=${token}`, key)
  }
  yield* call(`{"authorization":"Bearer ${key}","refresh_token":"${externalSecrets.refreshToken}"`)
  yield* call({ ...listSites, input: { headers: { authorization: `Bearer ${key}` } } })
  yield* call({
    ...listSites,
    token: externalSecrets.accessToken,
    input: { query: { access_token: externalSecrets.accessToken } }
  })
  yield* call({ ...listSites, connection_id: externalSecrets.unknownApiKey })
  yield* call({ ...listSites, provider: "nobody" })
  yield* call(listSites)
  yield* ask("GET", `/v1/logs/${externalSecrets.unknownApiKey}`, key)

  yield* ask("GET", "/admin/v1/keys", externalSecrets.nearlyAdminToken)
  yield* ask("GET", "/metrics", externalSecrets.nearlyAdminToken)
  yield* ask("GET", "/metrics", externalSecrets.metricsToken)
  const invalid: ReadonlyArray<unknown> = [
    `{"refresh_token":"${externalSecrets.refreshToken}"`,
    { refreshtoken: externalSecrets.refreshToken },
    { refresh_token: { value: externalSecrets.refreshToken } },
    { refresh_token: externalSecrets.refreshToken, expires_at: externalSecrets.accessToken },
    externalSecrets.refreshToken,
    { ...keyFile, type: externalSecrets.malformedKey },
    { ...keyFile, private_key: externalSecrets.malformedKey },
    { ...keyFile, client_email: [keyFile.private_key] },
    { api_key: [externalSecrets.sitesearchKey] }
  ]
  const [{ connection_id } = { connection_id: "" }] = all
  for (const credentials of invalid) {
    for (const auth_type of ["oauth", "service_account", "api_key"]) {
      const body = typeof credentials === "string" && credentials.startsWith("{")
        ? credentials
        : { provider: "gsc", label: "wrong", auth_type, credentials }
      yield* manage("POST", "/connections", body)
      yield* manage("PUT", `/connections/${connection_id}/credentials`, { auth_type, credentials })
    }
  }

  for (const handler of [succeed, ...Object.values(failures)]) {
    const { authorize_url } = yield* admin.connect.start({
      payload: { provider: "gsc", label: "canary-label-connect" }
    })
    const state = new URL(authorize_url).searchParams.get("state") ?? ""
    made["state"] = state
    handle(handler)
    const query = new URLSearchParams({ state, code: externalSecrets.authorizationCode })
    yield* ask("GET", `/connect/callback?${query}`, "").pipe(Effect.repeat({ times: 1 }))
  }

  // A link's pages show its token to the person who has it.
  const visit = (path: string, form?: Record<string, string>, cookie = "") =>
    Effect.promise(async () => {
      const response = await fetch(path.startsWith("/") ? `${server.url}${path}` : path, {
        redirect: "manual",
        headers: { accept: "text/html", cookie },
        ...form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }
      })
      const [set = ""] = response.headers.getSetCookie()
      return {
        cookie: set.split(";")[0] ?? "",
        location: response.headers.get("location") ?? "",
        text: await response.text()
      }
    })
  const { id: client_id } = yield* admin.clients.create({ payload: { name: "canary" } })
  const answersOfProvider = [succeed, failures["401"] ?? succeed, failures["a page for JSON"] ?? succeed]
  for (const [index, handler] of answersOfProvider.entries()) {
    const { id, url } = yield* admin.connectLinks.create({ payload: { client_id, providers: ["gsc", "sitesearch"] } })
    const path = new URL(url).pathname
    made[`connectLink${index}`] = path.slice("/connect/".length)
    handle(handler)
    yield* visit(path)
    const form = { provider: "gsc", method: "oauth" }
    const { cookie, location } = yield* visit(path, form)
    made[`connectCookie${index}`] = cookie.split("=")[1] ?? ""
    const state = made[`connectState${index}`] = URL.parse(location)?.searchParams.get("state") ?? ""
    const callback = `/connect/callback?${new URLSearchParams({ state, code: externalSecrets.authorizationCode })}`
    yield* visit(callback)
    yield* visit(callback, undefined, cookie)
    yield* visit(path, { provider: "sitesearch", method: "api_key", api_key: externalSecrets.sitesearchKey }, cookie)
    const { text } = yield* visit(path, undefined, cookie)
    const [, pending = ""] = /name="pending" value="([^"]+)"/.exec(text) ?? []
    if (pending !== "") yield* visit(`${path}/confirm`, { pending }, cookie)
    yield* visit(`${path}/connected`, undefined, cookie)
    yield* visit(`${path}/cancel`, { pending: path }, cookie)
    yield* ask("GET", `${path}/nothing`, "")
    yield* manage("DELETE", `/connect-links/${id}`)
    yield* manage("GET", "/connect-links")
  }

  // These responses may show a link or a session and are not collected.
  const open = (path: string, body: unknown) =>
    Effect.promise(async () => {
      const response = await fetch(`${server.url}${path}`, { method: "POST", body: JSON.stringify(body) })
      const [, token = ""] = /=([^;]+)/.exec(response.headers.getSetCookie()[0] ?? "") ?? []
      return token
    })
  const { url } = yield* admin.memberLinks.create({ params: { id: member.id } })
  const link = made["link"] = new URL(url).hash.slice(1)
  made["sessionOfLink"] = yield* open("/auth/link", { token: link })
  const inSession = (method: string, path: string, body?: unknown) =>
    askWith(
      { cookie: `openaccounts_session=${made["sessionOfLink"]}`, "sec-fetch-site": "same-origin" },
      method,
      path,
      body
    )
  const { password, wrongPassword } = externalSecrets
  yield* inSession("PUT", "/auth/password", { password })
  yield* inSession("PUT", "/auth/password", { password: [wrongPassword] })
  yield* inSession("POST", "/auth/password", { password })
  made["session"] = yield* open("/auth/sign-in", { email: member.email, password })
  yield* ask("POST", "/auth/sign-in", "", { email: member.email, password: wrongPassword })
  yield* ask("POST", "/auth/sign-in", "", { email: [wrongPassword], password: { value: wrongPassword } })
  yield* ask("POST", "/auth/link", "", { token: link })
  yield* ask("POST", "/auth/link", made["session"] ?? "", { token: made["session"] })
  yield* callAs(made["session"] ?? "", { ...listSites, input: { note: `${made["session"]} ${link}` } })
  const cookieFrom = (method: string, path: string) =>
    Effect.promise(async () => {
      const response = await fetch(`${server.url}${path}`, { method, redirect: "manual" })
      const [cookie = ""] = response.headers.getSetCookie()
      made[path] = /=([^;]+)/.exec(cookie)?.[1] ?? ""
      return { cookie: cookie.split(";")[0] ?? "", location: response.headers.get("location") ?? "" }
    })
  const passkey = yield* cookieFrom("POST", "/auth/passkeys/authentication")
  const credential = { id: "AA", rawId: "AA", type: "public-key" }
  const assertion = { clientDataJSON: "AA", authenticatorData: "AA", signature: "AA" }
  yield* askWith({ cookie: passkey.cookie }, "POST", "/auth/passkeys/sign-in", {
    response: { ...credential, response: assertion }
  })
  yield* inSession("POST", "/auth/passkeys/registration", { current_password: password })
  yield* inSession("POST", "/auth/passkeys", {
    name: "canary",
    response: { ...credential, response: { clientDataJSON: "AA", attestationObject: password } }
  })
  handle(({ url }) =>
    url.startsWith("/oidc/.well-known")
      ? {
        body: {
          issuer: `${upstream.url}/oidc`,
          authorization_endpoint: `${upstream.url}/oidc/authorize`,
          token_endpoint: `${upstream.url}/oidc/token`,
          jwks_uri: `${upstream.url}/oidc/jwks`
        }
      }
      : { status: 400, body: { error: "invalid_grant", id_token: externalSecrets.idToken } }
  )
  const oidc = yield* cookieFrom("GET", "/auth/oidc")
  const oidcState = made["oidcState"] = new URL(oidc.location).searchParams.get("state") ?? ""
  const oidcCallback = new URLSearchParams({ state: oidcState, code: externalSecrets.authorizationCode })
  yield* askWith({ cookie: oidc.cookie }, "GET", `/auth/oidc/callback?${oidcCallback}`)
  handle(succeed)
  for (const path of ["/auth/session", "/auth/sessions", "/v1/connections", "/admin/v1/keys"]) {
    yield* inSession("GET", path)
  }
  yield* inSession("POST", "/v1/call", listSites)
  Object.assign(
    made,
    yield* letAgentIn(made["session"] ?? "").pipe(
      Effect.provideService(TestServer, TestServer.at(server.url, adminToken))
    )
  )
  yield* manage("GET", "/grants")
  yield* manage("GET", "/audit?limit=200")

  const readAll = Effect.fnUntraced(function*(at: ServerProcess) {
    let cursor: string | null = ""
    while (cursor !== null) {
      const from = cursor === "" ? "" : `&cursor=${cursor}`
      const { text } = yield* ask("GET", `/v1/logs?limit=200${from}`, key, undefined, at)
      const page = decodePage(text)
      yield* Effect.forEach(page.calls, ({ id }) => ask("GET", `/v1/logs/${id}`, key, undefined, at), {
        concurrency: 4
      })
      cursor = page.cursor
    }
    for (const path of ["/v1/connections", "/v1/providers", "/openapi.json"]) {
      yield* ask("GET", path, key, undefined, at)
    }
    const lists = [
      "connections",
      "keys",
      "members",
      "clients",
      "grants",
      "webhooks",
      `webhooks/${webhook.id}/deliveries`
    ]
    for (const path of lists) yield* ask("GET", `/admin/v1/${path}?limit=200`, adminToken, undefined, at)
  })
  yield* readAll(server)

  const newConnection = { provider: "gsc", auth_type: "oauth", credentials: grant, label: "canary-label-new" }
  return {
    answers: () => answers.join("\n"),
    made,
    codes,
    readAll,
    useAgain: (at: ServerProcess) =>
      Effect.all([
        ask("POST", "/v1/call", key, { ...listSites, connection_id, max_age: 60 }, at),
        ask("POST", "/v1/call", key, { ...listSites, connection_id }, at),
        ask("POST", "/admin/v1/connections", adminToken, newConnection, at)
      ])
  }
})
