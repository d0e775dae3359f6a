import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { loggedBody } from "../../src/Calls/Log/LoggedBody.ts"
import { dataIn, withData, withoutData } from "../../src/Calls/SuccessfulResponse.ts"

const head = JSON.stringify({ call_id: "call_1", cached: true, cost_usd: 0, latency_ms: 1.5 })

describe("A successful response", () => {
  it("is what it was once its data is taken out of it and put into it again", () => {
    fc.assert(fc.property(fc.json(), (data) => {
      const response = withData(head, data)
      assert.deepStrictEqual(JSON.parse(response), { ...JSON.parse(head), data: JSON.parse(data) })
      assert.strictEqual(withoutData(response, data), head)
      assert.strictEqual(dataIn(response), data)
    }))
  })

  it("has no data where it was stored truncated, or as a string because it nests too deeply", () => {
    const nested = `{"token":"","rows":${"[".repeat(20_000)}${"]".repeat(20_000)}}`
    for (const stored of [loggedBody(withData(head, nested), 100), loggedBody(withData(head, nested), 100_000), head]) {
      assert.isUndefined(dataIn(stored))
    }
  })
})
