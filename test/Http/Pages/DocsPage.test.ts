import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { hash } from "node:crypto"
import * as net from "node:net"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { Browser } from "../../support/Browser.ts"
import { eventually } from "../../support/Eventually.ts"
import { TestServer } from "../../support/TestServer.ts"

const get = (acceptEncoding: string) =>
  Effect.flatMap(
    TestServer,
    ({ url }) =>
      Effect.promise(() =>
        new Promise<{ readonly head: string; readonly body: Buffer }>((resolve, reject) => {
          const { hostname, port } = new URL(url)
          const chunks: Array<Buffer> = []
          const socket = net.connect(Number(port), hostname)
          socket.on("data", (chunk) => void chunks.push(chunk)).on("error", reject).on("close", () => {
            const bytes = Buffer.concat(chunks)
            const end = bytes.indexOf("\r\n\r\n")
            resolve({ head: bytes.subarray(0, end).toString().toLowerCase(), body: bytes.subarray(end + 4) })
          })
          socket.write(
            `GET /docs HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\naccept-encoding: ${acceptEncoding}\r\n\r\n`
          )
        })
      )
  )

const stallingReader = Effect.flatMap(TestServer, ({ url }) =>
  Effect.acquireRelease(
    Effect.callback<net.Socket>((resume) => {
      const { hostname, port } = new URL(url)
      const socket = net.connect(Number(port), hostname, () => {
        socket.pause()
        socket.write("GET /docs HTTP/1.1\r\nhost: localhost\r\n\r\n")
        resume(Effect.succeed(socket))
      })
      socket.on("error", () => {})
    }),
    (socket) => Effect.sync(() => socket.destroy())
  ))

const memory = Effect.sync(() => {
  const { arrayBuffers, external, heapUsed } = process.memoryUsage()
  return arrayBuffers + external + heapUsed
})

layer(Layer.merge(TestServer.layer, Browser.layer), { excludeTestServices: true })("GET /docs", (it) => {
  it.effect("is compressed as the browser accepts it, and the same page in each encoding", () =>
    Effect.gen(function*() {
      const [plain, gzip, br, refused] = [
        yield* get("identity"),
        yield* get("gzip, deflate"),
        yield* get("gzip, deflate, br, zstd"),
        yield* get("br;q=0, gzip;q=0")
      ]
      assert.include(plain.body.toString(), "createApiReference")
      assert.include(gzip.head, "content-encoding: gzip")
      assert.include(br.head, "content-encoding: br")
      assert.notInclude(refused.head, "content-encoding")
      for (const { head } of [plain, gzip, br]) assert.include(head, "vary: accept-encoding")
      assert.isTrue(gunzipSync(gzip.body).equals(plain.body))
      assert.isTrue(brotliDecompressSync(br.body).equals(plain.body))
      assert.isBelow(br.body.length, plain.body.length / 3)
    }))

  it.effect("is one copy in memory for a hundred clients that do not read it", () =>
    Effect.gen(function*() {
      yield* get("identity")
      const before = yield* memory
      const sockets = yield* Effect.replicateEffect(stallingReader, 100)
      const bytesWritten = Effect.sync(() => sockets.filter(({ bytesWritten }) => bytesWritten > 0).length)
      yield* eventually(bytesWritten, (count) => count === 100)
      yield* get("identity")
      assert.isBelow((yield* memory) - before, 100_000_000)
    }).pipe(Effect.scoped))

  it.effect("shows the API in a browser that runs the page's own scripts alone", () =>
    Effect.gen(function*() {
      const { url } = yield* TestServer
      const page = yield* (yield* Browser).open(url)
      const response = yield* Effect.promise(() => page.goto("/docs"))
      const policy = response?.headers()["content-security-policy"] ?? ""
      const scripts = / script-src ([^;]+);/.exec(policy)?.[1]?.split(" ") ?? []
      const html = yield* Effect.promise(async () => await response?.text() ?? "")
      const inline = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, source = ""]) => source)
      assert.deepStrictEqual(scripts, inline.map((source) => `'sha256-${hash("sha256", source, "base64")}'`))
      const summary = page.getByText("Call a raw endpoint or a smart tool through a connection").first()
      yield* Effect.promise(() => summary.waitFor())
    }).pipe(Effect.scoped))
})
