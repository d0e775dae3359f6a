import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as net from "node:net"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const exchange = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    let received = ""
    const done = () => (socket.destroy(), resolve(received))
    socket.setEncoding("latin1").on("data", (text: string) => received += text)
    socket.on("end", done).on("error", done).on("close", done)
    socket.write(bytes, "latin1")
  })

const statusesIn = (received: string): ReadonlyArray<number> =>
  [...received.matchAll(/(?<=^|\r\n|\})HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

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
      const received = yield* Effect.promise(() => exchange(server.url, bytes))
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
      const received = yield* Effect.promise(() => exchange(server.url, requests.join("")))
      assert.deepStrictEqual(statusesIn(received), [200, 401, 404])
      assert.strictEqual(new Set(received.match(/(?<=x-call-id: )call_\w+/g)).size, 3)
    }))
})
