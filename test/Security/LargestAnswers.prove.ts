import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { once } from "node:events"
import { connect } from "node:net"
import { keepReport } from "../../scripts/attack/Attacks.ts"
import { smallBytes } from "../../src/Capacity/Capacity.ts"
import { type ApiRoute, apiRoutes } from "../support/ApiRoutes.ts"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { type ServerProcess, startServer } from "../support/ServerProcess.ts"
import { freshGrant } from "../support/TestServer.ts"
import { memoryOf, reportsMemory } from "./ProcessMemory.ts"

const requests = 40

/** What the service holds of unread answers: at most this share of their bytes, or what its own memory varies by. */
const maxHeld = 1 / 2
/** In mebibytes: answers that are being made, and what is not collected yet. */
const variation = 150
/** Of its resident memory. */
const maxGrowth = 1.5

/** The longest list of resources that a key or a connection takes: 250 kB. */
const resources = (name: string) =>
  Array.from({ length: 1000 }, (_, index) => `gsc:https://${name}.example/${index}/${"x".repeat(220)}`)

/** Would have 60 MB. */
const sql = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 10000) " +
  "SELECT printf('%.*c', 6000, '\"') FROM n"

const report = (connection_id: string) => ({
  provider: "gsc",
  endpoint: "searchanalytics.query",
  connection_id,
  input: {
    path: { siteUrl: "https://report.example/" },
    body: { startDate: "2026-01-01", endDate: "2026-01-31", dimensions: ["query"] }
  },
  format: "csv"
})

interface Ask {
  readonly path: string
  readonly body?: unknown
  /** By default those of the scheme of the route. */
  readonly headers?: Readonly<Record<string, string>>
}

const list = (path: string): Ask => ({ path: `${path}?limit=200` })

const sameForAll = `
  GET /, GET /dashboard/*, GET /docs, GET /docs/assets/*, GET /openapi.json, GET /connect/logo, GET /connect/font,
  GET /healthz, GET /readyz, GET /v1/providers, GET /auth/methods,
  GET /.well-known/oauth-authorization-server, OPTIONS /.well-known/oauth-authorization-server,
  GET /.well-known/oauth-protected-resource, OPTIONS /.well-known/oauth-protected-resource,
  GET /.well-known/oauth-protected-resource/mcp, OPTIONS /.well-known/oauth-protected-resource/mcp,
  OPTIONS /oauth/token, OPTIONS /oauth/register, OPTIONS /oauth/revoke`

/** Why no answer of a route takes memory that grows with its clients. A route stands here or in `largest`. */
const bounded: Readonly<Record<string, string>> = {
  "the same bytes for every client": sameForAll,
  "short fields of one object": `
    DELETE /v1/results/:id, POST /auth/link, POST /auth/sign-in, GET /auth/session, PATCH /auth/session,
    PUT /auth/password, POST /auth/sign-out, DELETE /auth/sessions/:id, DELETE /auth/sessions, DELETE /auth/oidc,
    POST /auth/passkeys/authentication, POST /auth/passkeys/sign-in, POST /auth/passkeys/registration,
    POST /auth/passkeys, DELETE /auth/passkeys/:id, GET /auth/oidc, GET /auth/oidc/callback, GET /connect/callback,
    POST /admin/v1/clients, PATCH /admin/v1/clients/:id, DELETE /admin/v1/clients/:id, POST /admin/v1/members/:id/links,
    DELETE /admin/v1/members/:id, DELETE /admin/v1/keys/:id, DELETE /admin/v1/grants/:id,
    DELETE /admin/v1/connections/:id, DELETE /admin/v1/connect-links/:id, DELETE /admin/v1/webhooks/:id,
    DELETE /admin/v1/datasets/:id, POST /admin/v1/connections/:id/test, POST /admin/v1/connect,
    POST /admin/v1/webhooks/:id/secret, POST /admin/v1/webhooks/:id/test, POST /admin/v1/webhooks/:id/redeliver,
    POST /admin/v1/webhooks/:id/deliveries/:delivery_id/redeliver, POST /admin/v1/encryption/rotate,
    POST /admin/v1/snapshots, GET /admin/v1/status, GET /admin/v1/google/check, POST /oauth/token, POST /oauth/register,
    POST /oauth/revoke, POST /v1/bulk-calls, DELETE /v1/bulk-calls/:id, GET /admin/v1/alerts/samples/:format,
    POST /auth/alerts/test, GET /admin/v1/encryption`,
  "20 rows, in 200,000 characters": "GET /v1/bulk-calls/:id",
  "rows of a person, a figure or a day, at most 1,000": `
    GET /auth/sessions, GET /auth/passkeys, GET /v1/bulk-calls, GET /v1/stats, GET /admin/v1/stats, GET /v1/quotas,
    GET /admin/v1/datasets/:id/days, GET /admin/v1/datasets/:id/files, GET /admin/v1/mail-deliveries, GET /metrics,
    GET /auth/alerts`,
  "a change, whose answer goes out in any case, with what its own body had": `
    POST /admin/v1/members, PATCH /admin/v1/members/:id, POST /admin/v1/keys, PATCH /admin/v1/grants/:id,
    POST /admin/v1/connections, PATCH /admin/v1/connections/:id, PUT /admin/v1/connections/:id/credentials,
    POST /admin/v1/connect-links, POST /admin/v1/webhooks, PATCH /admin/v1/webhooks/:id, POST /admin/v1/datasets,
    PATCH /admin/v1/datasets/:id, POST /admin/v1/revocations, POST /v1/calls/:call_id/undo,
    POST /v1/approvals/:id/approve, POST /v1/approvals/:id/deny, PUT /auth/alerts`,
  "what a list here has, or one of it": `
    POST /v1/logs/search, POST /admin/v1/logs/search,
    GET /admin/v1/grants/:id, GET /admin/v1/webhooks/:id, GET /admin/v1/datasets/:id, GET /admin/v1/revocations/:id`,
  "a stream, read as its client reads": `
    GET /admin/v1/datasets/:id/files/:name, GET /admin/v1/datasets/:id/files/:folder/:name,
    GET /v1/bulk-calls/:id/events`,
  "a page for visitors, who share as one member does": `
    GET /oauth/authorize, GET /oauth/authorize/:uid, GET /oauth/consent/:uid, POST /oauth/consent/:uid,
    GET /connect/:token, POST /connect/:token, POST /connect/:token/confirm, POST /connect/:token/cancel,
    POST /connect/:token/finish, GET /connect/:token/connected, GET /alerts/stop/:id/:token,
    POST /alerts/stop/:id/:token`
}

const namesIn = (text: string) => text.trim().split(/,\s+/)

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

class Full extends Context.Service<Full, {
  readonly server: ServerProcess
  readonly headersOf: (route: ApiRoute) => Readonly<Record<string, string>>
  readonly largest: Readonly<Record<string, Ask>>
}>()("openaccounts/test/Security/Full") {
  /** A service whose rows are as long as they can be. */
  static readonly layer = Layer.effect(
    Full,
    Effect.gen(function*() {
      const rows = Array.from({ length: 1500 }, (_, index) => ({ keys: [`${index} ${"x\"".repeat(1500)}`], clicks: 1 }))
      const siteEntry = Array.from(
        { length: 10_000 },
        (_, index) => ({ siteUrl: `https://${index}.example/${"x".repeat(200)}` })
      )
      const [reported, sites] = [{ rows }, { siteEntry }].map((body) => JSON.stringify(body))
      const provider = yield* LoopbackUpstream.make
      const headers = { "content-type": "application/json" }
      provider.handle(({ method }) => ({ headers, body: method === "GET" ? sites : reported }))
      const metricsToken = "m".repeat(40)
      const server = yield* startServer(yield* dataFolder, {
        QUOTAS: "off",
        GSC_BASE_URL: provider.url,
        // Small shares, so that what they do not hold shows. Sockets hold some MB of an answer themselves.
        MAX_RESPONSE_BYTES: "12000000",
        METRICS_TOKEN: metricsToken,
        ...reportsMemory
      })
      const { admin, adminToken, send, url } = server
      const client = yield* admin.clients.create({ payload: { name: "full" } })
      const member = yield* admin.members.create({ payload: { email: "full@example.com", client_ids: [client.id] } })
      const connectionOf = (provider: string, credentials: object) =>
        admin.managedConnections.create({
          payload: { provider, client_id: client.id, label: provider, ...credentials }
        })
      const gsc = yield* connectionOf("gsc", { auth_type: "oauth", credentials: freshGrant("full") })
      yield* connectionOf("sitesearch", { auth_type: "api_key", credentials: { api_key: "k".repeat(32) } })
      const newKey = { member_id: member.id, name: "full", access: "read_write" as const }
      const { key } = yield* admin.keys.create({ payload: newKey })
      const changed = yield* admin.keys.create({ payload: newKey })
      const asks = yield* admin.keys.create({ payload: { ...newKey, writes: "ask" } })
      const webhook = yield* admin.webhooks.create({
        payload: { url: "https://hooks.example/", events: ["connection.created"] }
      })
      // While there is one connection that it can mean.
      const result = yield* Effect.promise(() => keepReport({ key, url }))
      for (let count = 0; count < 8; count++) {
        const { id } = yield* admin.keys.create({ payload: { ...newKey, resources: resources(`k${count}`) } })
        yield* admin.keys.change({ params: { id }, payload: { resources: resources(`c${count}`) } })
        yield* admin.managedConnections.create({
          payload: { parent_id: gsc.id, label: "x", resources: resources(`d${count}`) }
        })
      }
      const call = (key: string, body: object) =>
        Effect.map(Effect.promise(() => send("POST", "/v1/call", key, body)), ({ text }) => JSON.parse(text))
      const { call_id } = yield* call(key, report(gsc.id))
      const urlList = Array.from({ length: 500 }, (_, index) => `https://full.example/${index}/${"x".repeat(1900)}`)
      const submit = { provider: "sitesearch", endpoint: "SubmitUrlBatch" }
      const asked = yield* call(asks.key, { ...submit, input: { body: { siteUrl: "https://full.example/", urlList } } })
      const link = yield* admin.memberLinks.create({ params: { id: member.id } })
      const signedIn = yield* Effect.promise(() =>
        fetch(`${url}/auth/link`, { method: "POST", body: JSON.stringify({ token: new URL(link.url).hash.slice(1) }) })
      )
      const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? ""
      const approval = asked.error.details.approval_id
      const inMcp = { name: "query_result", arguments: { result, sql } }

      return {
        server,
        headersOf: ({ name, schemes }) => {
          if (schemes.includes("adminToken")) return bearer(adminToken)
          if (schemes.includes("apiKey") || name === "POST /mcp") return bearer(key)
          if (schemes.includes("metricsToken")) return bearer(metricsToken)
          return schemes.includes("session") ? { cookie } : {}
        },
        largest: {
          "POST /v1/call": { path: "/v1/call", body: report(gsc.id) },
          "GET /v1/providers/:id": { path: "/v1/providers/gsheets" },
          "GET /v1/providers/:id/endpoints/:endpoint": {
            path: "/v1/providers/gsheets/endpoints/spreadsheets.batchUpdate"
          },
          "GET /v1/providers/:id/tools/:name": { path: "/v1/providers/gsheets/tools/sheets_read" },
          "GET /v1/connections": { path: "/v1/connections" },
          "GET /v1/logs": list("/v1/logs"),
          "GET /v1/logs/:call_id": { path: `/v1/logs/${call_id}` },
          "GET /v1/results": list("/v1/results"),
          "GET /v1/results/:id": { path: `/v1/results/${result}?limit=10000&format=csv` },
          "POST /v1/results/:id/query": { path: `/v1/results/${result}/query`, body: { sql, format: "csv" } },
          "GET /v1/approvals": { ...list("/v1/approvals"), headers: { cookie } },
          "GET /v1/approvals/:id": { path: `/v1/approvals/${approval}`, headers: bearer(asks.key) },
          "GET /admin/v1/logs": list("/admin/v1/logs"),
          "GET /admin/v1/logs/:call_id": { path: `/admin/v1/logs/${call_id}` },
          "GET /admin/v1/clients": list("/admin/v1/clients"),
          "GET /admin/v1/members": list("/admin/v1/members"),
          "GET /admin/v1/keys": list("/admin/v1/keys"),
          "PATCH /admin/v1/keys/:id": { path: `/admin/v1/keys/${changed.id}`, body: { resources: resources("p") } },
          "GET /admin/v1/grants": list("/admin/v1/grants"),
          "GET /admin/v1/connections": list("/admin/v1/connections"),
          "GET /admin/v1/connections/:id/resources": { path: `/admin/v1/connections/${gsc.id}/resources` },
          "GET /admin/v1/connect-links": list("/admin/v1/connect-links"),
          "GET /admin/v1/webhooks": list("/admin/v1/webhooks"),
          "GET /admin/v1/webhooks/:id/deliveries": list(`/admin/v1/webhooks/${webhook.id}/deliveries`),
          "GET /admin/v1/datasets": list("/admin/v1/datasets"),
          "GET /admin/v1/audit": { path: "/admin/v1/audit?format=csv" },
          "POST /mcp": { path: "/mcp", body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: inMcp } }
        }
      }
    })
  ).pipe(Layer.provide(NodeServices.layer))
}

/** Sends the request from many sockets, which read no more of their responses than says that there is one. */
const ask = (url: string, method: string, { body, path }: Ask, headers: Readonly<Record<string, string>>) => {
  const { hostname, port } = new URL(url)
  const text = body === undefined ? "" : JSON.stringify(body)
  const lines = Object.entries({ ...headers, host: hostname, "content-length": `${Buffer.byteLength(text)}` })
  const fields = lines.map(([name, value]) => `${name}: ${value}`)
  const head = [`${method} ${path} HTTP/1.1`, ...fields, "", text].join("\r\n")
  return Array.from({ length: requests }, () => {
    const socket = connect(Number(port), hostname).on("error", () => {})
    socket.write(head)
    return { socket, answered: once(socket, "readable").then(() => socket) }
  })
}

layer(Full.layer, { excludeTestServices: true })("The largest answer of each route, 40 times and not read,", (it) => {
  it.effect("is asked for, or has a stated bound", () =>
    Effect.gen(function*() {
      const { largest } = yield* Full
      const known = [...Object.keys(largest), ...Object.values(bounded).flatMap(namesIn)]
      assert.deepStrictEqual(known.toSorted(), apiRoutes.map(({ name }) => name).toSorted())
    }))

  it.effect("leaves memory bounded, and the service responds meanwhile", () =>
    Effect.gen(function*() {
      const { headersOf, largest, server } = yield* Full
      const { url } = server
      const wrong: Array<string> = []
      /** Asks again while others still hold the share. */
      const lengthOf = async (
        route: ApiRoute,
        asked: Ask,
        headers: Readonly<Record<string, string>>
      ): Promise<number> => {
        const { body, path } = asked
        const response = await fetch(url + path, {
          method: route.method,
          headers,
          redirect: "manual",
          ...body === undefined ? {} : { body: JSON.stringify(body) }
        })
        const answer = Buffer.from(await response.arrayBuffer())
        if (response.status === 429) return lengthOf(route, asked, headers)
        const isSmall = answer.length <= smallBytes || namesIn(sameForAll).includes(route.name)
        const isWrong = route.name in largest ? !response.ok : !isSmall
        if (isWrong) wrong.push(`${route.name}: ${response.status} ${answer.toString("utf8", 0, 200)}`)
        return answer.length
      }
      const found: Array<
        { readonly name: string; readonly bytes: number; readonly held: number; readonly grown: number }
      > = []
      for (const route of apiRoutes) {
        const asked = largest[route.name] ?? { path: route.path }
        const headers = asked.headers ?? headersOf(route)
        const bytes = yield* Effect.promise(() => lengthOf(route, asked, headers))
        if (bytes <= smallBytes) continue
        const rest = yield* memoryOf(server)
        const sockets = ask(url, route.method, asked, headers)
        const health = async () => {
          await Promise.race(sockets.map(({ answered }) => answered))
          for (let count = 0; count < 30; count++) {
            const response = await fetch(`${url}/healthz`, { headers: { connection: "close" } })
            assert.strictEqual(response.status, 200)
            await response.arrayBuffer()
          }
        }
        yield* Effect.promise(health)
        const full = yield* memoryOf(server)
        for (const { socket } of sockets) socket.destroy()
        // Waits for what the others held.
        yield* Effect.promise(() => lengthOf(route, asked, headers))
        const held = full.heap + full.external - rest.heap - rest.external
        found.push({ name: route.name, bytes, held, grown: full.resident / rest.resident })
      }
      assert.deepStrictEqual(wrong, [])
      const table = found.map((each) => Object.values(each).join(" ")).join("\n")
      if (process.env["LARGEST_ANSWERS"]) process.stdout.write(`${table}\n`)
      const isOver = ({ bytes, grown, held }: (typeof found)[number]) =>
        held > Math.max(variation, maxHeld * requests * bytes / 1_048_576) || grown > maxGrowth
      assert.deepStrictEqual(found.filter(isOver), [], table)
      const names = found.map(({ name }) => name)
      for (const name of ["GET /v1/results/:id", "POST /v1/results/:id/query", "GET /v1/approvals/:id"]) {
        assert.include(names, name)
      }
    }))
})
