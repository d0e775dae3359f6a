import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { redactBody } from "../../../src/Calls/Results/RedactCall.ts"
import { appendData, dataOf, withoutData } from "../../../src/Calls/Results/ResponseText.ts"

const envelope = JSON.stringify({ call_id: "call_1", cached: true, cost_usd: 0, latency_ms: 1.5 })

describe("A successful response", () => {
  it("has its data as the last field, which is read back", () => {
    fc.assert(fc.property(fc.json(), (data) => {
      const response = appendData(envelope, data)
      assert.deepStrictEqual(JSON.parse(response), { ...JSON.parse(envelope), data: JSON.parse(data) })
      assert.strictEqual(withoutData(response, data), envelope)
      assert.strictEqual(dataOf(response), data)
    }))
  })

  it("has no data where it was logged truncated, or without data", () => {
    const whole = appendData(envelope, `{"rows":[${"1,".repeat(100)}1]}`)
    for (const logged of [redactBody(whole, 100), envelope]) {
      assert.isUndefined(dataOf(logged))
    }
  })

  it("has its data where it was logged, however deeply it nests", () => {
    const nested = `{"token":"","rows":${"[".repeat(20_000)}${"]".repeat(20_000)}}`
    assert.isTrue(dataOf(redactBody(appendData(envelope, nested), 100_000)) === nested)
  })
})
