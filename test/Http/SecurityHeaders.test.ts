import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { sitesList } from "./Fixture.ts"
import { requestHead, sendRaw } from "./RawRequest.ts"

const assertSecured = (headers: Headers, what: string) => {
  assert.strictEqual(headers.get("x-content-type-options"), "nosniff", what)
  assert.strictEqual(headers.get("referrer-policy"), "no-referrer", what)
  assert.include(headers.get("content-security-policy") ?? "", "frame-ancestors 'none'", what)
}

layer(TestServer.layer, { excludeTestServices: true })("Security headers", (it) => {
  it.effect("are on every answer of the application, and only public answers may be stored", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
      const { readOnly } = yield* seed()
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

  it.effect.each(
    [
      ["what is no HTTP", "nonsense\r\n\r\n", 400],
      ["headers that are too long", requestHead("GET", `/${"x".repeat(20_000)}`, {}), 431]
    ] as const
  )("are on the answer to %s", ([, request, status]) =>
    Effect.gen(function*() {
      const answer = yield* sendRaw(request)
      assert.strictEqual(answer.status, status)
      assertSecured(answer.headers, answer.text)
      assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    }))
})
