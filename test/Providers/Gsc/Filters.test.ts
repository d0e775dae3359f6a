import { assert, describe, it } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { countryCode } from "../../../src/Providers/Gsc/Countries.ts"
import { anyTermPattern, exactTermPatterns, filterFields } from "../../../src/Providers/Gsc/Filters.ts"

const validate = validator(Schema.Struct(filterFields))

describe("Search Console filters", () => {
  it("terms are escaped in regular expressions", () => {
    const terms = ["c++", "a.b", "(x)", "^$", "a|b", "[z]", "{2}", "\\d", "a?*"]
    const expression = anyTermPattern(terms)
    assert.isTrue(expression.startsWith("(?i)(?:c\\+\\+|a\\.b|"))
    const pattern = new RegExp(expression.replace("(?i)", ""), "i")
    for (const term of terms) assert.isTrue(pattern.test(`x ${term.toUpperCase()} y`), term)
    for (const other of ["ccc", "axb", "x", "zz", "7"]) assert.isFalse(pattern.test(other), other)
  })

  it("many queries are split into patterns within the provider's limit", () => {
    const queries = Array.from({ length: 200 }, (_, index) => `how to fix the thing no. ${index}?`)
    const expressions = exactTermPatterns(queries)
    assert.isAbove(expressions.length, 1)
    assert.isTrue(expressions.every((expression) => expression.length <= 4096))
    const patterns = expressions.map((expression) => new RegExp(expression.replace("(?i)", ""), "i"))
    for (const query of queries) {
      assert.strictEqual(patterns.filter((pattern) => pattern.test(query)).length, 1)
      assert.isFalse(patterns.some((pattern) => pattern.test(`${query} now`)))
    }
    assert.deepStrictEqual(exactTermPatterns([]), [])
    assert.deepStrictEqual(exactTermPatterns(["a".repeat(5000), "b"]), ["(?i)^(?:b)$"])
  })

  it.each([
    { code: "us", known: "usa" },
    { code: "DE", known: "deu" },
    { code: "uk", known: "gbr" },
    { code: "XK", known: "xkk" },
    { code: "zzz", known: "zzz" },
    { code: "xx", known: undefined },
    { code: "usx", known: undefined },
    { code: "constructor", known: undefined }
  ])("the country code $code becomes $known", ({ code, known }) => {
    assert.strictEqual(countryCode(code), known)
  })

  it.each([
    { input: { country: "germany" }, at: ["country"] },
    { input: { country: "xx" }, at: ["country"] },
    { input: { search_type: "discover" }, at: ["search_type"] },
    { input: { query_contains: "a".repeat(501) }, at: ["query_contains"] },
    { input: { exclude_terms: Array.from({ length: 21 }, () => "a") }, at: ["exclude_terms"] },
    { input: { exclude_terms: [".".repeat(2048)] }, at: ["exclude_terms"] }
  ])("refuses $input", ({ at, input }) => {
    assert.deepStrictEqual(Option.getOrThrow(Result.getFailure(validate(input))).map(({ path }) => path), [at])
  })
})
