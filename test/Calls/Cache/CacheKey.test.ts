import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { canonicalJson } from "../../../src/Domain/Json/CanonicalJson.ts"

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).toReversed().map(([name, field]) => [name, reversed(field)]))
}

describe("Canonical JSON", () => {
  it("does not depend on the order of fields", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      assert.strictEqual(canonicalJson(reversed(value)), canonicalJson(value))
    }))
  })

  it("differs for different values", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      assert.deepStrictEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))
    }))
  })

  it("keeps the order of arrays and a field __proto__, and tells absent from null", () => {
    assert.notStrictEqual(canonicalJson([1, 2]), canonicalJson([2, 1]))
    assert.strictEqual(canonicalJson({ b: undefined, a: [{ d: 1, c: null }] }), "{\"a\":[{\"c\":null,\"d\":1}]}")
    assert.strictEqual(canonicalJson(JSON.parse("{\"b\":1,\"__proto__\":2}")), "{\"__proto__\":2,\"b\":1}")
    assert.strictEqual(canonicalJson(undefined), "null")
  })
})
