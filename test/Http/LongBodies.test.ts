import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { loggedCall, sitesList } from "./Fixture.ts"

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
    return { status: response.status, headers: response.headers, text, callId: response.headers.get("x-call-id") ?? "" }
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

  it.effect("is logged by its beginning, without secrets", () =>
    Effect.gen(function*() {
      const { readOnly: key } = yield* seed()
      const secret = "AIzaSyCanary0123456789abcdefghijklmnopq"
      // The limit of the log falls into the secret.
      const body = `{"text":"${"x".repeat(65_390)}${secret}${"é".repeat(150_000)}"}`
      const { callId, text } = yield* exchange(key, { body })
      assert.isTrue(dataOf(text) === body)
      const logged = (yield* loggedCall(key, callId)).response
      assert.containSubset(logged, { truncated: true, bytes: Buffer.byteLength(text) })
      const { preview } = logged as { readonly preview: string }
      assert.strictEqual(preview.slice(0, 60_000), text.slice(0, 60_000))
      assert.isAtMost(preview.length, 65_536)
      assert.notInclude(preview, "AIza")
    }))

  it.effect("is answered from the cache as it came", () =>
    Effect.gen(function*() {
      const { readOnly: key } = yield* seed()
      const body = long(25_000)
      const first = yield* exchange(key, { body }, { max_age: 600 })
      const second = yield* exchange(key, { body: "{}" }, { max_age: 600 })
      const third = yield* exchange(key, { body: "{}" }, { max_age: 600 })
      assert.deepStrictEqual([first, second, third].map(({ text }) => JSON.parse(text).cached), [false, true, true])
      for (const { text } of [first, second, third]) assert.isTrue(dataOf(text) === body)
    }))

  it.effect("of several megabytes reaches every call that shares it", () =>
    Effect.gen(function*() {
      const { readOnly: key } = yield* seed()
      const body = long(150_000)
      const reads = Effect.replicateEffect(exchange(key, { body }, { max_age: 600 }), 5, { concurrency: 5 })
      for (const { text } of yield* reads) assert.isTrue(dataOf(text) === body)
    }))

  it.effect("does not repeat the credential of the request", () =>
    Effect.gen(function*() {
      const { name, readOnly: key } = yield* seed()
      const token = `ya29.access-${name}-0123456789`
      const { text } = yield* exchange(key, { body: long(25_000, `,"token":"${token}"`) })
      assert.isTrue(dataOf(text) === long(25_000, ",\"token\":\"[redacted]\""))
    }))

  it.effect("that is damaged is an error", () =>
    Effect.gen(function*() {
      const { readOnly: key } = yield* seed()
      const body = Buffer.from(long(25_000))
      const damaged = {
        "that is not JSON": body.subarray(0, -1),
        "that are not UTF-8": Buffer.concat([body.subarray(0, -2), Buffer.from([0xff]), body.subarray(-2)]),
        "content encoding": { body: brotliCompressSync(body), headers: { "content-encoding": "br" } },
        "damaged gzip": { body: gzipSync(body).subarray(0, -9), headers: { "content-encoding": "gzip" } }
      }
      for (const [message, reply] of Object.entries(damaged)) {
        const { status, text } = yield* exchange(key, reply instanceof Uint8Array ? { body: reply } : reply)
        const { error } = JSON.parse(text)
        assert.deepStrictEqual([status, error.code], [502, "upstream_unreachable"])
        assert.include(error.message, message)
      }
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
