import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parseJson } from "../../../src/Calls/Request/CallRequest.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

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

describe("A request body", () => {
  it.effect.each(notJson)("is refused as invalid_json when it is %s", ([, body]) =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(parseJson(body))
      assert.strictEqual(error.code, "invalid_json")
    }))
})
