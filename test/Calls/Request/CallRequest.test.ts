import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { parseJson } from "../../../src/Calls/Request/CallRequest.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const nested = (levels: number) => bytes(`${"{\"a\":".repeat(levels)}1${"}".repeat(levels)}`)

const notJson: ReadonlyArray<readonly [what: string, body: Uint8Array]> = [
  ["nothing", bytes("")],
  ["blank", bytes(" \n")],
  ["only a byte-order mark", Uint8Array.from([0xef, 0xbb, 0xbf])],
  ["a form", bytes("provider=gsc&endpoint=sites.list")],
  ["cut-off JSON", bytes("{\"a\":")],
  ["JSON with something behind it", bytes("{\"a\":1}x")],
  ["JSON with a comma too many", bytes("{\"a\":1,}")],
  ["bytes that are not UTF-8", Uint8Array.from([0x22, 0xff, 0x22])],
  ["UTF-16", new Uint8Array(Buffer.from("{\"a\":1}", "utf16le"))]
]

const tooLarge: ReadonlyArray<readonly [what: string, body: Uint8Array]> = [
  ["65 levels", nested(65)],
  ["a million levels", nested(1_000_000)],
  ["3.3 million items", bytes(`{"input":[${"{},".repeat(3_300_000)}{}]}`)]
]

describe("A request body", () => {
  it.effect("can begin with a byte-order mark", () =>
    Effect.gen(function*() {
      const { json } = yield* parseJson(Uint8Array.from([0xef, 0xbb, 0xbf, ...bytes("{\"a\":1}")]))
      assert.deepStrictEqual(json, { a: 1 })
    }))

  it.effect.each(notJson)("is refused as invalid_json when it is %s", ([, body]) =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(parseJson(body))
      assert.strictEqual(error.code, "invalid_json")
    }))

  it.effect.each(tooLarge)("is refused with one issue when it has %s", ([, body]) =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(parseJson(body))
      assert.strictEqual(error.code, "invalid_input")
      assert.lengthOf(error.code === "invalid_input" ? error.details ?? [] : [], 1)
    }))

  it.effect("can have 64 levels", () =>
    Effect.gen(function*() {
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(parseJson(nested(64)))))
    }))
})
