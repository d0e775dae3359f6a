import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { site, sitesList } from "./Fixture.ts"
import { requestHead, send } from "./RawRequest.ts"

layer(TestServer.layer, { excludeTestServices: true })("JSON responses", (it) => {
  it.effect("are compressed as the client accepts it", () =>
    Effect.gen(function*() {
      const { readOnly: key } = yield* seed()
      const plain = yield* send("/v1/providers/gsheets", { key })
      const gzip = yield* send("/v1/providers/gsheets", { key, accept: "gzip" })
      const br = yield* send("/v1/providers/gsheets", { key, accept: "gzip, br" })
      assert.isUndefined(plain.headers["content-encoding"])
      assert.deepStrictEqual([gzip.headers["content-encoding"], br.headers["content-encoding"]], ["gzip", "br"])
      for (const { body, headers } of [gzip, br]) {
        assert.strictEqual(headers["vary"], "Accept-Encoding")
        assert.strictEqual(headers["content-length"], String(body.length))
        assert.strictEqual(headers["content-type"], "application/json")
        assert.match(String(headers["x-call-id"]), /^call_/)
        assert.isBelow(body.length, plain.body.length / 4)
      }
      assert.isTrue(gunzipSync(gzip.body).equals(plain.body))
      assert.isTrue(brotliDecompressSync(br.body).equals(plain.body))
    }))

  it.effect("are in no encoding that the client refuses", () =>
    Effect.gen(function*() {
      const { readOnly: key } = yield* seed()
      const accepted = [
        ["BR", "br"],
        ["*", "br"],
        ["br;q=0, *", "gzip"],
        ["gzip;q=0, br;q=0.0", undefined],
        ["deflate, identity", undefined]
      ] as const
      for (const [accept, encoding] of accepted) {
        const { headers } = yield* send("/v1/providers/gsc", { key, accept })
        assert.strictEqual(headers["content-encoding"], encoding, accept)
      }
    }))

  it.effect("of POST /v1/call are compressed too, and short ones are not", () =>
    Effect.gen(function*() {
      const { readOnly: key } = yield* seed()
      for (const [size, encoding] of [[1000, "gzip"], [1, undefined]] as const) {
        const siteUrl = "https://example.com/".repeat(size)
        ;(yield* LoopbackUpstream).handle(() => ({ body: { siteEntry: [{ siteUrl }] } }))
        const { body, headers } = yield* send("/v1/call", { key, accept: "gzip", body: sitesList })
        assert.strictEqual(headers["content-encoding"], encoding)
        const json = encoding === undefined ? body : gunzipSync(body)
        assert.deepStrictEqual(JSON.parse(json.toString()).data, { siteEntry: [{ siteUrl }] })
      }
    }))
})

/** Text that parsing, sorting or decoding by halves would change, of more than the 256 KiB that stay bytes. */
const long = (copies: number, more = "") =>
  `{"z":9007199254740993,"a":1.10,"a":2E2, "10":1,"2":1,"text":"${"é😀\\u00e9€".repeat(copies)}"${more}}`

const exchange = Effect.fnUntraced(function*(
  key: string,
  reply: { readonly body: string | Uint8Array; readonly status?: number; readonly headers?: Record<string, string> },
  { accept = "identity", ...call }: { readonly accept?: string; readonly max_age?: number } = {}
) {
  const { url } = yield* TestServer
  ;(yield* LoopbackUpstream).handle(() => reply)
  return yield* Effect.promise(async () => {
    const response = await fetch(`${url}/v1/call`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "accept-encoding": accept },
      body: JSON.stringify({ ...sitesList, ...call })
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text }
  })
})

/** The exact text of the data, without the envelope around it. */
const dataOf = (text: string) => text.slice(text.indexOf(",\"data\":") + 8, -1)

layer(TestServer.layer, { excludeTestServices: true })("A long response", (it) => {
  it.effect("arrives as the provider sent it, in whatever encoding each side has chosen", () =>
    Effect.gen(function*() {
      const { readOnly: key } = yield* seed()
      const body = long(25_000)
      const plain = Buffer.from(body)
      const gzip = { "content-encoding": "gzip" }
      const replies = [
        { body: plain },
        { body: plain, headers: { "transfer-encoding": "chunked" } },
        { body: Buffer.concat([Buffer.from("\uFEFF"), plain]) },
        { body: gzipSync(plain), headers: gzip },
        {
          body: Buffer.concat([gzipSync(plain.subarray(0, 200_001)), gzipSync(plain.subarray(200_001))]),
          headers: gzip
        }
      ]
      for (const reply of replies) {
        for (const accept of ["identity", "gzip", "br"]) {
          const { headers, text } = yield* exchange(key, reply, { accept })
          assert.strictEqual(headers.get("content-encoding"), accept === "identity" ? null : accept)
          assert.isTrue(dataOf(text) === body)
          assert.strictEqual(JSON.parse(text).call_id, headers.get("x-call-id"))
          if (accept === "identity") assert.strictEqual(headers.get("content-length"), `${Buffer.byteLength(text)}`)
        }
      }
    }))

  it.effect("reaches every call that shares it, and is answered from the cache as it came", () =>
    Effect.gen(function*() {
      const [{ readOnly: key }, { readOnly: other }] = [yield* seed(), yield* seed()]
      const share = (body: string) =>
        Effect.replicateEffect(exchange(key, { body }, { max_age: 600 }), 5, { concurrency: 5 })
      const tooLongForCache = long(150_000)
      for (const { text } of yield* share(tooLongForCache)) assert.isTrue(dataOf(text) === tooLongForCache)
      const body = long(25_000)
      const read = exchange(other, { body }, { max_age: 600 })
      const answers = [...yield* Effect.replicateEffect(read, 5, { concurrency: 5 }), yield* read, yield* read]
      assert.lengthOf(answers.filter(({ text }) => !JSON.parse(text).cached), 1)
      for (const { text } of answers) assert.isTrue(dataOf(text) === body)
    }))

  it.effect("does not repeat the credential of the request", () =>
    Effect.gen(function*() {
      const { name, readOnly: key } = yield* seed()
      const { text } = yield* exchange(key, { body: long(25_000, `,"token":"ya29.access-${name}-0123456789"`) })
      assert.isTrue(dataOf(text) === long(25_000, ",\"token\":\"[redacted]\""))
    }))

  it.effect("with an error status is shown by its beginning", () =>
    Effect.gen(function*() {
      const { readOnly: key } = yield* seed()
      const { status, text } = yield* exchange(key, { status: 404, body: long(200_000) })
      const { error } = JSON.parse(text)
      assert.deepStrictEqual([status, error.code], [404, "upstream_error"])
      assert.strictEqual(error.details.body, long(200_000).slice(0, 2000).toWellFormed())
    }))
})

/** All answers together then have room for 8 MB: one of the longest. */
const Small = TestServer.make({ MAX_RESPONSE_BYTES: "4000000" })

const Kept = Schema.Struct({ data: Schema.Struct({ result: Schema.Struct({ id: Schema.String }) }) })

const report = {
  provider: "gsc",
  endpoint: "searchanalytics.query",
  input: { path: { siteUrl: site }, body: { startDate: "2026-01-01", endDate: "2026-01-31", dimensions: ["query"] } },
  keep: true
}

const setUp = Effect.gen(function*() {
  const server = yield* TestServer
  ;(yield* LoopbackUpstream).handle(() => ({
    body: { rows: Array.from({ length: 3000 }, (_, index) => ({ keys: [`${index} ${"x".repeat(1000)}`] })) }
  }))
  const seeded = yield* seed()
  const { json } = yield* server.call(seeded.readOnly, report)
  const { id } = Schema.decodeUnknownSync(Kept)(json).data.result
  const path = `/v1/results/${id}?limit=10000`
  const short = `/v1/results/${id}?limit=1`

  /** Asks for a page, and reads no more than its beginning. */
  const leave = Effect.gen(function*() {
    const { hostname, port } = new URL(server.url)
    const socket: Socket = yield* Effect.acquireRelease(
      Effect.sync(() => connect(Number(port), hostname)),
      (socket) => Effect.sync(() => socket.destroy())
    )
    socket.write(requestHead("GET", path, { authorization: `Bearer ${seeded.readOnly}`, connection: "close" }))
    yield* Effect.promise(() => once(socket, "readable"))
    return socket
  })
  return { ...seeded, leave, path, server, short }
})

layer(Small, { excludeTestServices: true })("A long answer", (it) => {
  it.effect("takes its bytes from the share of its member until the client has them, or has gone", () =>
    Effect.gen(function*() {
      const { leave, path, readOnly, readWrite, server, short } = yield* setUp
      const ask = (key: string, at: string) => server.request("GET", at, { key })
      const waiting = (key: string, at: string) => Effect.forkChild(ask(key, at), { startImmediately: true })
      for (const end of ["read", "destroy"] as const) {
        const socket = yield* leave
        // Both keys are of one member.
        const next = yield* waiting(readOnly, path)
        assert.strictEqual((yield* ask(readWrite, "/v1/providers")).status, 200)
        assert.isUndefined(next.pollUnsafe())
        if (end === "read") socket.resume()
        else socket.destroy()
        assert.strictEqual((yield* Fiber.join(next)).status, 200)
      }
      assert.strictEqual((yield* ask(readOnly, short)).status, 200)
    }))

  it.effect("that is not read leaves room for others", () =>
    Effect.gen(function*() {
      const [{ leave }, { path, readOnly, server }] = [yield* setUp, yield* setUp]
      yield* leave
      assert.strictEqual((yield* server.request("GET", path, { key: readOnly })).status, 200)
    }))
})
