import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { CallResponse, withEarlierData } from "../../../src/Calls/Response/CallResponse.ts"
import { redactBody, redactCall, redactName, type UnredactedCall } from "../../../src/Calls/Response/RedactCall.ts"
import { CallId } from "../../../src/Domain/Ids.ts"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"
import { newCall, newParty } from "../../Sql/NewCall.ts"
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

  it("with data in bytes frees them when it is sent, unless something else reads them", () => {
    for (const isLastUse of [true, false]) {
      const data = JsonText.trustedBytes(new Uint8Array(100))
      new CallResponse(fields, data, isLastUse).sent()
      assert.strictEqual(data.bytes?.length, isLastUse ? 0 : 100)
    }
  })
})

const unlogged: Omit<UnredactedCall, "response"> = {
  id: CallId.make("call_01h00000000000000000000000"),
  ...plainCall,
  via: "key",
  request: null
}

const asString = (text: string) => redactBody(JSON.stringify(text), 50)
const truncated = (body: string, limit: number) => JSON.parse(redactBody(body, limit))

describe("The body of a logged call", () => {
  it("is unchanged where it fits and has no secret", () => {
    const body = "{\"a\": [1.0, \"é\"]}"
    assert.strictEqual(redactBody(body, Buffer.byteLength(body)), body)
  })

  it("is redacted", () => {
    assert.strictEqual(redactBody("{\"token\":\"x\"}", 100), "{\"token\":\"[redacted]\"}")
  })

  it("over the limit is cut, with its size in bytes", () => {
    const body = JSON.stringify({ a: "é".repeat(50), token: "hidden" })
    assert.deepStrictEqual(truncated(body, 20), {
      truncated: true,
      bytes: Buffer.byteLength(body),
      preview: body.slice(0, 20)
    })
    assert.deepStrictEqual(
      truncated(`[${"1,".repeat(20)}{"token":"hidden"}]`, 55).preview.slice(41),
      "{\"token\":\"[red"
    )
  })

  it("is cut at a whole character", () => {
    assert.strictEqual(truncated(`["${"💥".repeat(20)}"]`, 5).preview, "[\"💥\ufffd")
  })

  it("that is not JSON is a JSON string", () => {
    assert.strictEqual(JSON.parse(asString("{\"token\":\"x\",}")), "{\"token\":\"[redacted]\",}")
    assert.strictEqual(JSON.parse(asString("")), "")
    const long = `{"password":"hunter2",${"x".repeat(100)}`
    assert.deepStrictEqual(JSON.parse(asString(long)), {
      truncated: true,
      bytes: long.length,
      preview: `{"password":"[redacted]",${"x".repeat(25)}`
    })
  })

  it("that nests deeply is redacted", () => {
    const deep = `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)},"token":"hidden"}`
    assert.notInclude(redactBody(deep, 100_000), "hidden")
  })
})

describe("The logged response of a cached read", () => {
  it.effect("is redacted each time that the same data is returned", () =>
    Effect.gen(function*() {
      const call = yield* newCall(yield* newParty)
      for (const data of [JsonText.trusted("{\"token\":\"x\"}"), JsonText.trusted("[1.0]")]) {
        const logged = () => {
          const response = new CallResponse({ call_id: call.id }, data)
          return JSON.parse(redactCall({ ...call, cached: true, response }, 1000, () => null).response ?? "").data
        }
        const first = logged()
        assert.deepStrictEqual(first, data.text === "[1.0]" ? [1] : { token: "[redacted]" })
        assert.deepStrictEqual(logged(), first)
      }
    }))
})

describe("The provider and operation of a logged call", () => {
  it("are names from the caller, cut and redacted", () => {
    assert.strictEqual(redactName("gsc"), "gsc")
    assert.strictEqual(redactName("a\0b"), "a\ufffdb")
    assert.strictEqual(redactName("x".repeat(1000)).length, 200)
    assert.strictEqual(redactName("raw:Bearer ya29.abc-0123456789"), "raw:Bearer [redacted]")
    assert.notInclude(redactName(`${"x".repeat(195)} ya29.abc-0123456789`), "ya29.")
  })
})
