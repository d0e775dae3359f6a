import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { errorIn, withoutIds } from "../support/Answer.ts"
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
