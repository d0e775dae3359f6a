import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as net from "node:net"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { Browser } from "../../support/Browser.ts"
import { eventually } from "../../support/Eventually.ts"
import { seed, TestServer } from "../../support/TestServer.ts"
import { send } from "../RawRequest.ts"

const stallingReader = Effect.flatMap(TestServer, ({ url }) =>
  Effect.acquireRelease(
    Effect.callback<net.Socket>((resume) => {
      const { hostname, port } = new URL(url)
      const socket = net.connect(Number(port), hostname, () => {
        socket.pause()
        socket.write("GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n")
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
        yield* send("/docs", {}),
        yield* send("/docs", { accept: "gzip, deflate" }),
        yield* send("/docs", { accept: "gzip, deflate, br, zstd" }),
        yield* send("/docs", { accept: "br;q=0, gzip;q=0" })
      ]
      assert.include(plain.body.toString(), "Quick start")
      assert.deepStrictEqual(
        [plain, gzip, br, refused].map(({ headers }) => headers["content-encoding"]),
        [undefined, "gzip", "br", undefined]
      )
      for (const { headers } of [plain, gzip, br]) assert.strictEqual(headers["vary"], "accept-encoding")
      assert.isTrue(gunzipSync(gzip.body).equals(plain.body))
      assert.isTrue(brotliDecompressSync(br.body).equals(plain.body))
      assert.isBelow(br.body.length, plain.body.length / 2)
    }))

  it.effect("is one copy in memory for a hundred clients that do not read it", () =>
    Effect.gen(function*() {
      yield* send("/openapi.json", {})
      const before = yield* memory
      const sockets = yield* Effect.replicateEffect(stallingReader, 100)
      const bytesWritten = Effect.sync(() => sockets.filter(({ bytesWritten }) => bytesWritten > 0).length)
      yield* eventually(bytesWritten, (count) => count === 100)
      yield* send("/openapi.json", {})
      assert.isBelow((yield* memory) - before, 30_000_000)
    }).pipe(Effect.scoped))

  it.effect("has a quick start, and lets a visitor try a call, in less than 400 kB", () =>
    Effect.gen(function*() {
      const { url } = yield* TestServer
      const { readOnly } = yield* seed()
      const page = yield* (yield* Browser).open(url)
      const loaded = new Set<string>()
      page.on("request", (request) => loaded.add(request.url().slice(url.length)))
      const response = yield* Effect.promise(() => page.goto("/docs", { waitUntil: "networkidle" }))
      assert.include(response?.headers()["content-security-policy"], " script-src 'self';")
      yield* Effect.promise(() => page.getByText(`export OA=${url}`).waitFor())
      const sizes = yield* Effect.forEach(loaded, (path) => send(path, { accept: "gzip" }))
      assert.include([...loaded], "/openapi.json")
      assert.isBelow(sizes.reduce((sum, { body }) => sum + body.length, 0), 400_000)

      yield* Effect.promise(() => page.getByRole("link", { name: "authentication", exact: true }).click())
      const key = page.getByPlaceholder("oa_").first()
      yield* Effect.promise(() => key.fill(readOnly))
      yield* Effect.promise(() => key.press("Enter"))
      yield* Effect.promise(() => page.getByText("Providers", { exact: true }).first().click())
      yield* Effect.promise(() => page.getByText("List the providers", { exact: true }).first().click())
      yield* Effect.promise(() => page.getByRole("button", { name: "Execute" }).click())
      yield* Effect.promise(() => page.getByText("\"Search Console\"").first().waitFor())
    }).pipe(Effect.scoped))
})
