import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Statement } from "effect/sql"
import { groups } from "../../src/Features/Contracts.ts"
import { declaredRoutes } from "../../src/Http/Server/DeclaredRoutes.ts"
import { assertError, errorIn, issuePaths, withoutIds } from "../support/Answer.ts"
import { apiRoutes } from "../support/ApiRoutes.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { seededServer, sitesList } from "./Fixture.ts"
import { assertSecured, requestHead, sendRaw } from "./RawRequest.ts"

layer(TestServer.layer, { excludeTestServices: true })("The server", (it) => {
  it.effect.each(
    [
      ["GET", "/", 404],
      ["POST", "/v1/calls", 404],
      ["GET", "/v1/logs/%E0%A4%A", 404],
      ["GET", "/%00", 404],
      ["GET", "*", 404],
      ["POST", "/v1/call/", 404],
      ["GET", "/v1/logs/", 404],
      ["GET", "/admin/v1/keys/?limit=1", 404],
      ["POST", "/v1/calls//undo", 404],
      ["GET", "/healthz#x", 404],
      // A proxy's rule for /admin does not cover these.
      ["POST", "/ADMIN/v1/clients", 404],
      ["GET", "//admin/v1/clients", 404],
      ["GET", "/admin//v1/clients", 404],
      ["POST", "/%61dmin/v1/clients", 404],
      ["GET", "/admin/v%31/clients", 404],
      ["GET", "/v1/call", 405, "POST"],
      ["HEAD", "/v1/call", 405, "POST"],
      ["PROPFIND", "/v1/logs/x", 405, "GET, HEAD"],
      ["POST", "/openapi.json", 405, "GET, HEAD"],
      ["PUT", "/admin/v1/clients", 405, "GET, HEAD, POST"],
      ["GET", "/admin/v1/members/x", 405, "PATCH, DELETE"],
      ["POST", "/dashboard/x", 405, "GET, HEAD"],
      ["DELETE", "/connect/x", 405, "GET, HEAD, POST"],
      ["GET", "/connect/x/finish", 405, "POST"],
      ["GET", "/mcp", 405, "POST"],
      ["POST", "/.well-known/oauth-authorization-server", 405, "GET, HEAD, OPTIONS"],
      ["POST", "/oauth/authorize/x", 405, "GET, HEAD"],
      ["PUT", "/oauth/consent/x", 405, "GET, HEAD, POST"],
      ["GET", "/oauth/token", 405, "POST, OPTIONS"],
      ["GET", "/oauth/register", 405, "POST, OPTIONS"]
    ] as const
  )("answers %s %s with %i, with and without a key", ([method, path, status, allow]) =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      for (const headers of [{}, { authorization: `Bearer ${readOnly}` }]) {
        const answer = yield* sendRaw(requestHead(method, path, headers))
        assert.strictEqual(answer.status, status)
        assert.strictEqual(answer.headers.get("allow") ?? undefined, allow)
        assert.match(answer.headers.get("x-call-id") ?? "", /^call_/)
        if (method === "HEAD") continue
        assert.strictEqual(errorIn(answer).code, status === 404 ? "route_not_found" : "method_not_allowed")
      }
    }))

  it.effect("answers GET /metrics as an unknown path unless METRICS_TOKEN is set", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const unknown = withoutIds(yield* server.request("GET", "/nothing"))
      assert.strictEqual(unknown.status, 404)
      for (const key of [undefined, "a-token-of-at-least-32-characters", server.adminToken]) {
        assert.deepStrictEqual(withoutIds(yield* server.request("GET", "/metrics", { key })), unknown)
      }
    }))
})

layer(TestServer.layer, { excludeTestServices: true })("Security headers", (it) => {
  it.effect("are on every answer of the application, and only public answers may be stored", () =>
    Effect.gen(function*() {
      const { readOnly, server } = yield* seededServer(() => ({ body: {} }))
      const answers = [
        yield* server.call(readOnly, sitesList),
        yield* server.call(readOnly, {}),
        yield* server.call(undefined, {}),
        ...yield* Effect.forEach(
          [
            ["GET", "/v1/logs"],
            ["HEAD", "/v1/logs"],
            ["GET", "/v1/logs/x"],
            ["PUT", "/v1/call"],
            ["GET", "/v1/nothing"],
            ["GET", "/"],
            ["GET", "/healthz"],
            ["GET", "/readyz"],
            ["GET", "/admin/v1/clients"],
            ["GET", "/connect/callback"]
          ] as const,
          ([method, path]) => server.request(method, path, { key: readOnly })
        )
      ]
      for (const { headers, status } of answers) {
        assertSecured(headers, `${status}`)
        assert.strictEqual(headers.get("cache-control"), "no-store")
      }
    }))

  it.effect.each(["/docs", "/openapi.json"])(
    "are on %s, which is public and may be stored",
    (path) =>
      Effect.gen(function*() {
        const { headers, status } = yield* (yield* TestServer).request("GET", path)
        assert.strictEqual(status, 200)
        assertSecured(headers, path)
        assert.match(headers.get("cache-control") ?? "", /^public, max-age=\d+$/)
      })
  )
})

let readinessChecks = 0
const CountedChecks = Layer.succeed(Statement.CurrentTransformer, (statement) =>
  Effect.sync(() => {
    if (statement.compile()[0].includes("transaction_read_only")) readinessChecks++
    return statement
  }))

layer(TestServer.make({}).pipe(Layer.provide(CountedChecks)), { excludeTestServices: true })("GET /readyz", (it) => {
  it.effect("asks the database once for requests at the same time, which need no key", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      const answers = yield* Effect.all(Array.from({ length: 100 }, () => request("GET", "/readyz")), {
        concurrency: "unbounded"
      })
      assert.isTrue(answers.every(({ status }) => status === 200))
      assert.isAbove(readinessChecks, 0)
      assert.isBelow(readinessChecks, 100)
    }))
})

const get = Effect.fnUntraced(function*(path: string) {
  const { readOnly, server } = yield* seededServer()
  return yield* server.request("GET", `/v1/providers${path}`, { key: readOnly })
})

layer(TestServer.layer, { excludeTestServices: true })("GET /v1/providers/:id", (it) => {
  it.effect("leaves out the kind of operation that is not asked for, and refuses other parameters", () =>
    Effect.gen(function*() {
      const all = Object((yield* get("/gsc")).json)
      const { endpoints, tools, ...summary } = all
      assert.deepStrictEqual((yield* get("/gsc?kind=tools")).json, { ...summary, tools })
      assert.deepStrictEqual((yield* get("/gsc?kind=endpoints")).json, { ...summary, endpoints })
      assert.deepStrictEqual((yield* get("/gsc?schemas=true")).json, all)
      for (const query of ["kind=tool", "schemas=no", "kinds=tools"]) {
        assert.strictEqual(issuePaths(yield* get(`/gsc?${query}`)).join(), query.split("=")[0])
      }
    }))

  it.effect("leaves out schemas", () =>
    Effect.gen(function*() {
      const { json, text } = yield* get("/gsheets?schemas=false")
      const { endpoints, tools } = Object(json)
      assert.deepStrictEqual(Object.keys(endpoints[0]), ["id", "description", "method", "url", "writes"])
      assert.deepStrictEqual(Object.keys(tools[0]), ["name", "description", "writes"])
      assert.isBelow(text.length, 10_000)
      assert.hasAllKeys(Object((yield* get("/gsc?kind=tools&schemas=false")).json), [
        "id",
        "name",
        "auth_methods",
        "tools"
      ])
    }))

  it.effect("gives one operation, as it is in the list", () =>
    Effect.gen(function*() {
      const { endpoints, tools } = Object((yield* get("/sitesearch")).json)
      assert.deepStrictEqual((yield* get("/sitesearch/endpoints/GetUserSites")).json, endpoints[0])
      assert.deepStrictEqual((yield* get("/sitesearch/tools/sitesearch_top_queries")).json, tools[0])
      const dotted = yield* get("/gsheets/endpoints/spreadsheets.batchUpdate")
      assert.strictEqual(Object(dotted.json)["id"], "spreadsheets.batchUpdate")
    }))

  it.effect.each(
    [
      ["/x/endpoints/sites.list", "provider_not_found"],
      ["/x/tools/sites.list", "provider_not_found"],
      ["/gsc/endpoints/gsc_top_queries", "endpoint_not_found"],
      ["/gsc/tools/sites.list", "tool_not_found"]
    ] as const
  )(
    "answers 404 for an operation that does not exist: %s",
    ([path, code]) => Effect.map(get(path), (answer) => assertError(answer, 404, code))
  )
})

const { isMoved, isOnAdminListener } = declaredRoutes(groups)

const paths = [...new Set(apiRoutes.map(({ path }) => path))]

const isManagement = (path: string) => /^\/(?:admin\/v1\/.+|dashboard.*)?$/.test(path)

const isShared = (path: string) =>
  /^\/(?:v1|auth)\//.test(path) || /^\/oauth\/(?:authorize|consent)/.test(path) ||
  ["/healthz", "/connect/logo", "/connect/font"].includes(path)

describe("With an admin listener", () => {
  it("the management API and the dashboard leave the main listener", () => {
    assert.sameMembers(paths.filter(isMoved), paths.filter(isManagement))
  })

  it("the admin listener also has what the dashboard and the pages of agents use", () => {
    assert.sameMembers(paths.filter(isOnAdminListener), paths.filter((path) => isManagement(path) || isShared(path)))
  })
})
