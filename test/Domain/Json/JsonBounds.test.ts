import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { exceededBound } from "../../../src/Domain/Json/JsonSyntax.ts"
import { countValues } from "../../../src/Domain/Validation/ValidationSample.ts"
import { growth } from "../../support/Linear.ts"

const bound = (json: string) => exceededBound(Buffer.from(json))
const list = (value: string, count: number) => `[${Array(count).fill(value).join(",")}]`
const fields = (count: number) => `{${Array.from({ length: count }, (_, index) => `"f${index}":1`)}}`

const deep = "The request body is nested deeper than 64 levels."
const large = "The request body has more than 1000000 values."
const wide = "An object in the request body has more than 20000 fields."

const cases: ReadonlyArray<readonly [what: string, json: string, expected: string | undefined]> = [
  ["64 levels", "[".repeat(64) + " ".repeat(100) + "]".repeat(64), undefined],
  ["65 levels", "{\"a\":[".repeat(32) + "[ ]" + "]}".repeat(32), "deep"],
  ["brackets in a string", JSON.stringify(`"\\${"[{".repeat(1000)}`), undefined],
  ["999,999 numbers in an array", list("1", 999_999), undefined],
  ["a million numbers in an array", list("1", 1_000_000), "large"],
  ["a million empty objects in an array", list("{}", 1_000_000), "large"],
  ["500,000 rows of one cell", list("[1]", 500_000), "large"],
  ["commas in a string", JSON.stringify(",".repeat(2_000_000)), undefined],
  ["text with a million commas", ",".repeat(2_000_000), undefined],
  ["20,000 fields", `[${fields(20_000)},${fields(20_000)}]`, undefined],
  ["20,001 fields", `[${fields(20_001)}]`, "wide"]
].map(([what = "", json = "", expected]) => [what, json, { deep, large, wide }[expected ?? ""]])

describe("The bounds of a request body", () => {
  it.each(cases)("%s", (_, json, expected) => assert.strictEqual(bound(json), expected))

  it.each(["[],", "{},", "\"\",", "\"\\\\\",", "[[[1]]],", "        ,"])(
    "are found in time that grows with the body: %s",
    (part) => {
      const bodyOf = (size: number) => Buffer.from(`[${part.repeat(size / part.length)}1]`)
      assert.isBelow(growth(2_000_000, bodyOf, exceededBound), 10)
    }
  )
})

describe("Values", () => {
  it("are counted up to a limit", () => {
    const count = (json: unknown): number =>
      typeof json === "object" && json !== null
        ? Object.values(json).reduce((sum: number, child) => sum + count(child), 1)
        : 1
    fc.assert(fc.property(fc.jsonValue(), (json) => {
      assert.strictEqual(countValues(json, Infinity), count(json))
      assert.strictEqual(countValues(json, count(json) - 1), count(json))
      assert.strictEqual(countValues(json, 0), 1)
    }))
  })
})
