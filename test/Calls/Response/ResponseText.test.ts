import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { redactBody } from "../../../src/Calls/Response/RedactCall.ts"
import { appendData, withEarlierData, withoutData } from "../../../src/Calls/Response/ResponseText.ts"

const envelope = JSON.stringify({ call_id: "call_1", cached: true, cost_usd: 0, latency_ms: 1.5 })
const earlier = JSON.stringify({ call_id: "call_0", cached: false, cost_usd: 0, latency_ms: 3 })

describe("A successful response", () => {
  it("has its data as the last field, which another response takes over", () => {
    fc.assert(fc.property(fc.json(), (data) => {
      const response = appendData(envelope, data)
      assert.deepStrictEqual(JSON.parse(response), { ...JSON.parse(envelope), data: JSON.parse(data) })
      assert.strictEqual(withoutData(response, data), envelope)
      assert.strictEqual(withEarlierData(envelope, appendData(earlier, data)), response)
    }))
  })

  it("stays without data where the earlier one was logged truncated, or without data", () => {
    const whole = appendData(earlier, `{"rows":[${"1,".repeat(100)}1]}`)
    for (const logged of [redactBody(whole, 100), earlier, null]) {
      assert.strictEqual(withEarlierData(envelope, logged), envelope)
    }
  })
})
