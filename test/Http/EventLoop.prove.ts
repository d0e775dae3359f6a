import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { issuePaths } from "../support/Answer.ts"
import { longestHold, maxHoldMillis } from "../support/EventLoop.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { report, sitesList } from "./Fixture.ts"
import { send } from "./RawRequest.ts"

const setUp = Effect.fnUntraced(function*(body: unknown) {
  const server = yield* TestServer
  ;(yield* LoopbackUpstream).handle(() => ({ body }))
  return { ...yield* seed(), server }
})

const pages = report(["query", "page"])

/** How long the effect holds the event loop, and its value. */
const held = Effect.fnUntraced(function*<A, R>(effect: Effect.Effect<A, never, R>) {
  const values: Array<A> = []
  const hold = yield* longestHold(Effect.map(effect, (value) => values.push(value)))
  return { hold, value: values[0] ?? assert.fail("no value") }
})

layer(TestServer.layer, { excludeTestServices: true })("The event loop", (it) => {
  it.effect("is free while 10 MB are compressed", () =>
    Effect.gen(function*() {
      const { readOnly: key } = yield* setUp({ siteEntry: [{ siteUrl: "https://example.com/".repeat(500_000) }] })
      const ask = (accept = "identity") => held(send("/v1/call", { key, body: sitesList, accept }))
      yield* ask()
      const plain = yield* ask()
      for (const [accept, decompress] of [["gzip", gunzipSync], ["br", brotliDecompressSync]] as const) {
        const { hold, value: { body, headers } } = yield* ask(accept)
        assert.strictEqual(headers["content-encoding"], accept)
        assert.isBelow(body.length, plain.value.body.length / 10)
        // What is before may have another length: it has the latency.
        const [sent, expected] = [decompress(body), plain.value.body].map((each) => each.subarray(-10_000_000))
        assert.deepStrictEqual(sent?.compare(expected ?? assert.fail()), 0)
        assert.isBelow(hold, plain.hold + 100, accept)
      }
    }))

  it.effect("is free while an expression runs, which ends after a second", () =>
    Effect.gen(function*() {
      const { readOnly, server } = yield* setUp({ rows: Array.from({ length: 3000 }, (_, clicks) => ({ clicks })) })
      const endless = "rows[?length(" + "$.rows[?length(".repeat(3) + "rows" + ")>`0`])>`0`]".repeat(3) + ")>`0`]"
      const hostile = [
        "rows[*].{a: $.rows[*].{b: $.rows[*].{c: $.rows[*].clicks}}}",
        endless,
        "pad_left('', `500000000`) | [@,@,@,@,@,@,@,@] | to_string(@)",
        "[@,@,@,@,@,@,@,@]".concat(" | [@,@,@,@,@,@,@,@]".repeat(12), " | to_string(@)")
      ]
      for (const select of hostile) {
        const { hold, value: answer } = yield* held(server.call(readOnly, { ...pages, select }))
        assert.isBelow(hold, maxHoldMillis, select)
        if (answer.status !== 200) assert.deepStrictEqual(issuePaths(answer), ["select"], answer.text)
      }
    }))
})
