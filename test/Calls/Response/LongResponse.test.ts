import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { LongResponse, textOf, withData } from "../../../src/Calls/Response/LongResponse.ts"
import { redactCall, type UnredactedCall } from "../../../src/Calls/Response/RedactCall.ts"
import { CallId } from "../../../src/Domain/Ids.ts"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"
import { plainCall } from "../../support/PlainCall.ts"

const envelope = JSON.stringify({ call_id: "call_1", cached: false, cost_usd: 0, latency_ms: 1.5 })

const asBytes = (text: string) => JsonText.trustedBytes(new Uint8Array(Buffer.from(text)))

const strings = fc.string({
  unit: fc.constantFrom(..."aé€😀\\\"", " token\":\"x", "AIzaSyCanary0123456789abcdef"),
  minLength: 1
})

describe("A response with data in bytes", () => {
  it("has the text, the length and the beginning of one with data in text", () => {
    fc.assert(fc.property(strings, fc.nat(50), (string, characters) => {
      const text = JSON.stringify({ string })
      const long = withData(envelope, asBytes(text), false)
      const short = textOf(withData(envelope, JsonText.trusted(text), false))
      if (!(long instanceof LongResponse)) return assert.fail("the data is not in bytes")
      assert.strictEqual(textOf(long), short)
      assert.strictEqual(Buffer.concat(long.parts).toString(), short)
      assert.strictEqual(long.byteLength, Buffer.byteLength(short))
      assert.strictEqual(long.start(characters).slice(0, characters), short.slice(0, characters))
    }))
  })

  it("is logged like one with data in text", () => {
    fc.assert(fc.property(strings, fc.integer({ min: 10, max: 300 }), (string, limit) => {
      const text = JSON.stringify({ string })
      const logged = [asBytes(text), JsonText.trusted(text)].map((data) => {
        return redactCall({ ...unlogged, data, response: withData(envelope, data, false) }, limit)
      })
      assert.deepStrictEqual(logged[0], logged[1])
    }))
  })
})

const unlogged: Omit<UnredactedCall, "data" | "response"> = {
  id: CallId.make("call_01h00000000000000000000000"),
  ...plainCall,
  via: "key",
  request: null
}
