import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { CallResponse, withEarlierData } from "../../../src/Calls/Response/CallResponse.ts"
import { redactBody, redactCall, type UnredactedCall } from "../../../src/Calls/Response/RedactCall.ts"
import { CallId } from "../../../src/Domain/Ids.ts"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"
import { plainCall } from "../../support/PlainCall.ts"

const fields = { call_id: "call_1", cached: false, cost_usd: 0, latency_ms: 1.5 }

const asBytes = (text: string) => new CallResponse(fields, JsonText.trustedBytes(new Uint8Array(Buffer.from(text))))
const asText = (text: string) => new CallResponse(fields, JsonText.trusted(text))

const strings = fc.string({
  unit: fc.constantFrom(..."aé€😀\\\"", " token\":\"x", "AIzaSyCanary0123456789abcdef"),
  minLength: 1
})

describe("A response", () => {
  it("has its data as the last field, which another response takes over", () => {
    fc.assert(fc.property(fc.json(), (data) => {
      const { text } = asText(data)
      assert.deepStrictEqual(JSON.parse(text), { ...fields, data: JSON.parse(data) })
      assert.strictEqual(withEarlierData(JSON.stringify(fields), asText(data).text), text)
    }))
  })

  it("is logged without data where the earlier one was truncated, or had none", () => {
    const envelope = JSON.stringify(fields)
    const truncated = redactBody(asText(`{"rows":[${"1,".repeat(100)}1]}`).text, 100)
    for (const earlier of [truncated, envelope, null]) assert.strictEqual(withEarlierData(envelope, earlier), envelope)
  })

  it("with data in bytes has the text, the length and the beginning of one with data in text", () => {
    fc.assert(fc.property(strings, fc.nat(50), (string, characters) => {
      const data = JSON.stringify({ string })
      const [long, short] = [asBytes(data), asText(data)]
      assert.strictEqual(long.text, short.text)
      assert.strictEqual(Buffer.concat(long.parts).toString(), short.text)
      assert.strictEqual(long.byteLength, Buffer.byteLength(short.text))
      assert.strictEqual(long.start(characters).slice(0, characters), short.text.slice(0, characters))
    }))
  })

  it("with data in bytes is logged like one with data in text", () => {
    fc.assert(fc.property(strings, fc.integer({ min: 10, max: 300 }), (string, limit) => {
      const data = JSON.stringify({ string })
      const logged = [asBytes(data), asText(data)].map((response) =>
        redactCall({ ...unlogged, response }, limit, () => null)
      )
      assert.deepStrictEqual(logged[0], logged[1])
    }))
  })
})

const unlogged: Omit<UnredactedCall, "response"> = {
  id: CallId.make("call_01h00000000000000000000000"),
  ...plainCall,
  via: "key",
  request: null
}
