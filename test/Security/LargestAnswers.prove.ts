import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { createServer } from "node:http"
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { keepReport } from "../../scripts/attack/Attacks.ts"
import { repeat, residentMemory, timed } from "../../scripts/attack/Observe.ts"
import { apiRoutes } from "../support/ApiRoutes.ts"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { startServer } from "../support/ServerProcess.ts"
import { freshGrant } from "../support/TestServer.ts"

/** In mebibytes, of the whole service. Without bounds, the pages of the kept table alone take more. */
const maxMemory = 1200

/** In milliseconds of CPU time of the event loop, between two responses of `/healthz`. */
const maxGapCpu = 2000

const requests = 40
const holdMillis = 700

/** 250 kB. */
const resources = (name: string) =>
  Array.from({ length: 1000 }, (_, index) => `gsc:https://${name}.example/${index}/${"x".repeat(220)}`)

const wideSql = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 10000) " +
  "SELECT printf('%.*c', 6000, '\"') FROM n"

const report = (extra: object) => ({
  provider: "gsc",
  endpoint: "searchanalytics.query",
  input: {
    path: { siteUrl: "https://report.example/" },
    body: { startDate: "2026-01-01", endDate: "2026-01-31", dimensions: ["query"] }
  },
  ...extra
})

interface Ask {
  readonly path: string
  readonly body?: unknown
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const list = (path: string): Ask => ({ path: `${path}?limit=200` })

class Full extends Context.Service<Full, {
  readonly url: string
  readonly pid: number
  /** By the scheme of a route. */
  readonly headers: (schemes: ReadonlyArray<string>) => Readonly<Record<string, string>>
  /** The largest answers of routes. Those of all others are the same for every request. */
  readonly largest: Readonly<Record<string, Ask>>
}>()("openaccounts/test/Security/Full") {
  /** A service whose rows are as long as they can be. */
  static readonly layer = Layer.effect(
    Full,
    Effect.gen(function*() {
      const rows = Array.from({ length: 5000 }, (_, index) => ({ keys: [`${index} ${"x\"".repeat(2500)}`], clicks: 1 }))
      const answer = JSON.stringify({ rows })
      const provider = yield* Effect.acquireRelease(
        Effect.promise(() =>
          new Promise<ReturnType<typeof createServer>>((resolve) => {
            const server = createServer((request, response) => {
              request.resume()
              response.writeHead(200, { "content-type": "application/json" }).end(answer)
            })
            server.listen(0, "127.0.0.1", () => resolve(server))
          })
        ),
        (server) => Effect.sync(() => server.close().closeAllConnections())
      )
      const address = provider.address()
      const upstream = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
      const metricsToken = "m".repeat(40)
      const { admin, pid, send, url } = yield* startServer(yield* dataFolder, {
        QUOTAS: "off",
        GSC_BASE_URL: upstream,
        METRICS_TOKEN: metricsToken,
        ADMIN_TOKEN: "a".repeat(40)
      })
      const client = yield* admin.clients.create({ payload: { name: "full" } })
      const member = yield* admin.members.create({
        payload: { email: "full@example.com", client_ids: [client.id] }
      })
      const { id: parent_id } = yield* admin.managedConnections.create({
        payload: {
          provider: "gsc",
          auth_type: "oauth",
          credentials: freshGrant("full"),
          client_id: client.id,
          label: "full"
        }
      })
      const newKey = { member_id: member.id, name: "full", access: "read_write" as const }
      const { key } = yield* admin.keys.create({ payload: newKey })
      const webhook = yield* admin.webhooks.create({
        payload: { url: "https://hooks.example/", events: ["connection.created"] }
      })
      for (let count = 0; count < 60; count++) {
        const { id } = yield* admin.keys.create({ payload: { ...newKey, resources: resources(`k${count}`) } })
        yield* admin.keys.change({ params: { id }, payload: { resources: resources(`c${count}`) } })
        yield* admin.managedConnections.create({
          payload: { parent_id, label: "x", resources: resources(`d${count}`) }
        })
      }
      const result = yield* Effect.promise(() => keepReport({ key, url }))
      const logged = yield* Effect.promise(() => send("POST", "/v1/call", key, report({ connection_id: parent_id })))
      const { call_id } = JSON.parse(logged.text)
      const link = yield* admin.members.createLink({ params: { id: member.id } })
      const signedIn = yield* Effect.promise(() =>
        fetch(`${url}/auth/link`, { method: "POST", body: JSON.stringify({ token: new URL(link.url).hash.slice(1) }) })
      )
      const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? ""

      return {
        url,
        pid,
        headers: (schemes) => {
          if (schemes.includes("adminToken")) return bearer("a".repeat(40))
          if (schemes.includes("apiKey")) return bearer(key)
          if (schemes.includes("metricsToken")) return bearer(metricsToken)
          return schemes.includes("session") ? { cookie } : {}
        },
        largest: {
          "POST /v1/call": { path: "/v1/call", body: report({ connection_id: parent_id, format: "csv" }) },
          "GET /v1/providers/:id": { path: "/v1/providers/gsheets" },
          "GET /v1/providers/:id/endpoints/:endpoint": {
            path: "/v1/providers/gsheets/endpoints/spreadsheets.batchUpdate"
          },
          "GET /v1/providers/:id/tools/:name": { path: "/v1/providers/gsheets/tools/sheets_read" },
          "GET /v1/logs": list("/v1/logs"),
          "GET /v1/logs/:call_id": { path: `/v1/logs/${call_id}` },
          "GET /v1/results": list("/v1/results"),
          "GET /v1/results/:id": { path: `/v1/results/${result}?limit=10000&format=csv` },
          "POST /v1/results/:id/query": { path: `/v1/results/${result}/query`, body: { sql: wideSql, format: "csv" } },
          "GET /v1/approvals": list("/v1/approvals"),
          "GET /admin/v1/logs": list("/admin/v1/logs"),
          "GET /admin/v1/logs/:call_id": { path: `/admin/v1/logs/${call_id}` },
          "GET /admin/v1/clients": list("/admin/v1/clients"),
          "GET /admin/v1/members": list("/admin/v1/members"),
          "GET /admin/v1/keys": list("/admin/v1/keys"),
          "GET /admin/v1/grants": list("/admin/v1/grants"),
          "GET /admin/v1/connections": list("/admin/v1/connections"),
          "GET /admin/v1/connections/:id/resources": { path: `/admin/v1/connections/${parent_id}/resources` },
          "GET /admin/v1/connect-links": list("/admin/v1/connect-links"),
          "GET /admin/v1/webhooks": list("/admin/v1/webhooks"),
          "GET /admin/v1/webhooks/:id/deliveries": list(`/admin/v1/webhooks/${webhook.id}/deliveries`),
          "GET /admin/v1/datasets": list("/admin/v1/datasets"),
          "GET /admin/v1/audit": { path: "/admin/v1/audit?format=csv" },
          "POST /mcp": {
            path: "/mcp",
            body: {
              jsonrpc: "2.0",
              id: 1,
              method: "tools/call",
              params: { name: "query_result", arguments: { result, sql: wideSql } }
            }
          }
        }
      }
    })
  ).pipe(Layer.provide(NodeServices.layer))
}

/** Sends the request many times, and reads nothing of the responses. */
const hold = async (url: string, method: string, { body, path }: Ask, headers: Readonly<Record<string, string>>) => {
  const { hostname, port } = new URL(url)
  const text = body === undefined ? "" : JSON.stringify(body)
  const lines = Object.entries({ ...headers, host: hostname, "content-length": `${Buffer.byteLength(text)}` })
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), "", text].join(
    "\r\n"
  )
  const sockets = Array.from({ length: requests }, () => {
    const socket = connect(Number(port), hostname).on("error", () => {}).pause()
    socket.write(head)
    return socket
  })
  await sleep(holdMillis)
  for (const socket of sockets) socket.destroy()
}

layer(Full.layer, { excludeTestServices: true })("The largest answer of each route, 40 times and not read,", (it) => {
  it.effect("leaves memory bounded, and the service responds meanwhile", () =>
    Effect.gen(function*() {
      const { headers, largest, pid, url } = yield* Full
      const names = new Set(apiRoutes.map(({ name }) => name))
      assert.deepStrictEqual(Object.keys(largest).filter((name) => !names.has(name)), [])

      const lengthOf = Effect.fnUntraced(function*(name: string) {
        const [method = ""] = name.split(" ")
        const { body, path } = largest[name] ?? { path: name }
        const schemes = apiRoutes.find((route) => route.name === name)?.schemes ?? []
        const response = yield* Effect.promise(() =>
          fetch(url + path, {
            method,
            headers: headers(schemes),
            ...body === undefined ? {} : { body: JSON.stringify(body) }
          })
        )
        const { byteLength } = yield* Effect.promise(() => response.arrayBuffer())
        return byteLength
      })
      for (const name of ["GET /v1/results/:id", "POST /v1/results/:id/query", "GET /admin/v1/keys"]) {
        assert.isAbove(yield* lengthOf(name), 700_000)
        assert.isAtMost(yield* lengthOf(name), 8_000_000)
      }
      assert.isAbove(yield* lengthOf("GET /admin/v1/audit"), 20_000_000)

      const found: Array<{ readonly name: string; readonly memory: number; readonly gapCpu: number }> = []
      for (const { method, name, path, schemes } of apiRoutes) {
        const ended = new AbortController()
        const health = async () => {
          const response = await fetch(`${url}/healthz`, { headers: { connection: "close" } })
          assert.strictEqual(response.status, 200)
          await response.arrayBuffer()
        }
        const measuring = Promise.all([
          repeat(ended.signal, 20, () => timed(pid, health)),
          repeat(ended.signal, 20, () => residentMemory(pid))
        ])
        const asked = largest[name] ?? { path }
        const ask = name === "POST /mcp" ? headers(["apiKey"]) : headers(schemes)
        yield* Effect.promise(() => hold(url, method, asked, ask))
        ended.abort()
        const [gaps, memory] = yield* Effect.promise(() => measuring)
        const gapCpu = Math.max(...gaps.map(({ cpu }) => cpu))
        found.push({ name, gapCpu, memory: Math.round(Math.max(...memory)) })
      }
      const table = found.map(({ gapCpu, memory, name }) => `${name}: ${memory} MiB, ${gapCpu} ms`).join("\n")
      assert.deepStrictEqual(found.filter(({ memory }) => memory > maxMemory).map(({ name }) => name), [], table)
      assert.deepStrictEqual(found.filter(({ gapCpu }) => gapCpu > maxGapCpu).map(({ name }) => name), [], table)
      if (process.env["LARGEST_ANSWERS"]) process.stdout.write(`${table}\n`)
    }))
})
