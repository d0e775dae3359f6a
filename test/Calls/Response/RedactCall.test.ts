import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { CallResponse } from "../../../src/Calls/Response/CallResponse.ts"
import { redactBody, redactCall, redactName } from "../../../src/Calls/Response/RedactCall.ts"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"
import { newCall, newParty } from "../../Sql/NewCall.ts"

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
