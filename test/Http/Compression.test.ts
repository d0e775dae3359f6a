import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as http from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { longestHold } from "../support/EventLoop.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { sitesList } from "./Fixture.ts"

interface Answer {
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

/** `fetch` would ask for an encoding and decode it. */
const send = (
  path: string,
  { accept, body, key }: { readonly accept?: string; readonly body?: unknown; readonly key?: string }
) =>
  Effect.flatMap(TestServer, ({ url }) =>
    Effect.promise(() =>
      new Promise<Answer>((resolve, reject) => {
        const headers = {
          ...accept === undefined ? {} : { "accept-encoding": accept },
          ...key === undefined ? {} : { authorization: `Bearer ${key}` }
        }
        const request = http.request(
          url + path,
          { method: body === undefined ? "GET" : "POST", headers },
          (response) => {
            const chunks: Array<Buffer> = []
            response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject)
            response.on("end", () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }))
          }
        )
        request.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body))
      })
    ))

const answerWith = (size: number) =>
  Effect.map(LoopbackUpstream, (upstream) => {
    upstream.handle(() => ({ body: { siteEntry: [{ siteUrl: "https://example.com/".repeat(size / 20) }] } }))
  })

const dataOf = (json: Buffer): unknown => JSON.parse(json.toString()).data

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
        assert.strictEqual(headers.vary, "accept-encoding")
        assert.strictEqual(headers["content-length"], String(body.length))
        assert.strictEqual(headers["content-type"], "application/json")
        assert.match(String(headers["x-call-id"]), /^call_/)
        assert.isBelow(body.length, plain.body.length / 4)
      }
      assert.isTrue(gunzipSync(gzip.body).equals(plain.body))
      assert.isTrue(brotliDecompressSync(br.body).equals(plain.body))
    }))

  it.effect("follow the weights of the client", () =>
    Effect.gen(function*() {
      const { readOnly: key } = yield* seed()
      const encodingFor = (accept: string) =>
        Effect.map(send("/v1/providers/gsc", { key, accept }), ({ headers }) => headers["content-encoding"])
      assert.strictEqual(yield* encodingFor("br;q=0.5, gzip;q=0.9"), "gzip")
      assert.strictEqual(yield* encodingFor("BR"), "br")
      assert.strictEqual(yield* encodingFor("*"), "br")
      assert.strictEqual(yield* encodingFor("br;q=0, *"), "gzip")
      assert.isUndefined(yield* encodingFor("gzip;q=0, br;q=0.0"))
      assert.isUndefined(yield* encodingFor("deflate, identity"))
    }))

  it.effect("of POST /v1/call are compressed too, and short ones are not", () =>
    Effect.gen(function*() {
      const { readOnly: key } = yield* seed()
      yield* answerWith(20_000)
      const long = yield* send("/v1/call", { key, accept: "gzip", body: sitesList })
      assert.strictEqual(long.headers["content-encoding"], "gzip")
      assert.property(dataOf(gunzipSync(long.body)), "siteEntry")
      yield* answerWith(20)
      const short = yield* send("/v1/call", { key, accept: "gzip", body: sitesList })
      assert.isUndefined(short.headers["content-encoding"])
      assert.property(dataOf(short.body), "siteEntry")
    }))

  it.effect("of 10 MB do not hold the event loop while they are compressed", () =>
    Effect.gen(function*() {
      const { readOnly: key } = yield* seed()
      yield* answerWith(10_000_000)
      const { body } = yield* send("/v1/call", { key, body: sitesList })
      const holdOf = Effect.fnUntraced(function*(accept?: string) {
        const sent = send("/v1/call", { key, body: sitesList, ...accept === undefined ? {} : { accept } })
        const answers: Array<Answer> = []
        const hold = yield* longestHold(Effect.map(sent, (answer) => answers.push(answer)))
        return { answer: answers[0] ?? assert.fail("no answer"), hold }
      })
      const plain = yield* holdOf()
      for (const accept of ["gzip", "br"]) {
        const { answer, hold } = yield* holdOf(accept)
        assert.strictEqual(answer.headers["content-encoding"], accept)
        assert.isBelow(answer.body.length, body.length / 10)
        assert.isBelow(hold, plain.hold + 100, accept)
      }
    }))
})
