import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { redactBody } from "../../src/Calls/RedactCall.ts"
import { appendData, dataOf, withoutData } from "../../src/Calls/ResponseText.ts"

const envelope = JSON.stringify({ call_id: "call_1", cached: true, cost_usd: 0, latency_ms: 1.5 })

describe("A successful response", () => {
  it("has its data as the last field, and gives it back", () => {
    fc.assert(fc.property(fc.json(), (data) => {
      const response = appendData(envelope, data)
      assert.deepStrictEqual(JSON.parse(response), { ...JSON.parse(envelope), data: JSON.parse(data) })
      assert.strictEqual(withoutData(response, data), envelope)
      assert.strictEqual(dataOf(response), data)
    }))
  })

  it("has no data where it was logged truncated, or as a string because it nests too deeply", () => {
    const nested = `{"token":"","rows":${"[".repeat(20_000)}${"]".repeat(20_000)}}`
    const whole = appendData(envelope, nested)
    for (const logged of [redactBody(whole, 100), redactBody(whole, 100_000), envelope]) {
      assert.isUndefined(dataOf(logged))
    }
  })
})
