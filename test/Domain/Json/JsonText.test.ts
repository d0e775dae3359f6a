import { assert, describe, it } from "@effect/vitest"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"

describe("JSON text", () => {
  it("no longer holds the value that was taken", () => {
    const body = JsonText.trusted("{\"rows\":[1]}")
    const taken = body.value
    assert.strictEqual(body.takeValue(), taken)
    assert.deepStrictEqual(body.value, taken)
    assert.notStrictEqual(body.value, taken)
  })
})
