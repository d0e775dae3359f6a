import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { exchange, statusesIn } from "./Wire.ts"

const head = (...lines: ReadonlyArray<string>) => [...lines, "", ""].join("\r\n")

const providers = "GET /v1/providers HTTP/1.1"
const call = "POST /v1/call HTTP/1.1"

layer(TestServer.layer, { excludeTestServices: true })("An ambiguous request", (it) => {
  it.effect.each(
    [
      ["HTTP/2", head("PRI * HTTP/2.0", "", "SM"), 400],
      ["a version that does not exist", head("GET /v1/providers HTTP/9.9", "host: a"), 400],
      ["no host", head(providers), 400],
      ["a line feed alone", `${providers}\nhost: a\n\n`, 400],
      ["a folded header", head(providers, "host: a", "x: y", " z"), 400],
      ["a space before the colon", head(call, "host: a", "content-length : 3"), 400],
      ["NUL in a header", head(providers, "host: a", "x: \0"), 400],
      ["two lengths", head(call, "host: a", "content-length: 3", "content-length: 4"), 400],
      ["a negative length", head(call, "host: a", "content-length: -1"), 400],
      ["a hexadecimal length", head(call, "host: a", "content-length: 0x10"), 400],
      ["a length that no number holds", head(call, "host: a", `content-length: ${"9".repeat(40)}`), 400],
      [
        "a length and chunks, the one hiding a request in the other",
        `${head(call, "host: a", "content-length: 6", "transfer-encoding: chunked")}0\r\n\r\n${
          head("GET /healthz HTTP/1.1", "host: a", "connection: close")
        }`,
        400
      ],
      ["another host", head("GET //evil.example/v1 HTTP/1.1", "host: evil.example", "connection: close"), 404],
      ["a tunnel", head("CONNECT evil.example:443 HTTP/1.1", "host: a"), undefined]
    ] as const
  )("with %s gets one answer at most", ([, bytes, status]) =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const received = yield* Effect.promise(() => exchange(server.url, Buffer.from(bytes, "latin1"), { ends: false }))
      assert.deepStrictEqual(statusesIn(received), status === undefined ? [] : [status], received)
      assert.strictEqual((yield* server.request("GET", "/healthz")).status, 200)
    }))

  it.effect("after another one is answered in order, each with its call id", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(() => ({ body: { siteEntry: [] } }))
      const { readOnly } = yield* seed()
      const body = JSON.stringify({ provider: "gsc", endpoint: "sites.list" })
      const requests = [
        head(call, "host: a", `authorization: Bearer ${readOnly}`, `content-length: ${body.length}`) + body,
        head(providers, "host: a"),
        head("GET /v1/logs/x HTTP/1.1", "host: a", `authorization: Bearer ${readOnly}`, "connection: close")
      ]
      const received = yield* Effect.promise(() =>
        exchange(server.url, Buffer.from(requests.join("")), { ends: false })
      )
      assert.deepStrictEqual(statusesIn(received), [200, 401, 404])
      assert.strictEqual(new Set(received.match(/(?<=x-call-id: )call_\w+/g)).size, 3)
    }))
})
