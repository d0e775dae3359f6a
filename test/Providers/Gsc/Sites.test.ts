import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Result, Schema } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { countryCode } from "../../../src/Providers/Gsc/Countries.ts"
import { anyTermPattern, exactTermPatterns, filterFields } from "../../../src/Providers/Gsc/Filters.ts"
import { siteField } from "../../../src/Providers/Gsc/Schemas.ts"
import { findProperty, namedProperty, resolveSite } from "../../../src/Providers/Gsc/Sites.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"

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

const owner = (siteUrl: string) => ({ siteUrl, permissionLevel: "siteOwner" })

describe("Search Console properties", () => {
  it.each([
    { host: "example.com", sites: ["https://example.com/", "sc-domain:example.com"], found: "sc-domain:example.com" },
    { host: "example.com", sites: ["https://www.example.com/", "https://example.com/"], found: "https://example.com/" },
    { host: "example.com", sites: ["https://www.example.com/"], found: "https://www.example.com/" },
    { host: "EXAMPLE.com", sites: ["sc-domain:example.com"], found: "sc-domain:example.com" },
    { host: "bücher.example", sites: ["sc-domain:xn--bcher-kva.example"], found: "sc-domain:xn--bcher-kva.example" },
    { host: "אב.example", sites: ["http://\u202Bאב\u202C.example/"], found: "http://\u202Bאב\u202C.example/" },
    { host: "www.example.com", sites: ["sc-domain:example.com"], found: "sc-domain:example.com" },
    {
      host: "www.example.com",
      sites: ["https://www.example.com/", "sc-domain:example.com"],
      found: "https://www.example.com/"
    },
    { host: "example.com", sites: ["https://example.com/blog/", "sc-domain:notexample.com"], found: undefined }
  ])("$host resolves to $found among $sites", ({ found, host, sites }) => {
    assert.strictEqual(findProperty(host, sites.map(owner)), found)
  })

  it.effect.each([
    { site: "sc-domain:www.example.com", sent: "sc-domain:www.example.com" },
    { site: "https://example.com/", sent: "https://example.com/" },
    { site: "http://example.com/blog/", sent: "http://example.com/blog/" },
    { site: "https://example.com", sent: "https://example.com/" }
  ])("$site is used without a request", ({ sent, site }) =>
    Effect.gen(function*() {
      const { calls, provider } = fakeProvider(() => ({}))
      assert.strictEqual(yield* resolveSite(provider, site), sent)
      assert.deepStrictEqual(calls, [])
    }))

  it.effect("an unknown host fails with the list of properties", () =>
    Effect.gen(function*() {
      const { provider } = fakeProvider(() => ({
        siteEntry: [
          owner("sc-domain:b.example"),
          owner("https://a.example/"),
          { siteUrl: "https://hidden.example/", permissionLevel: "siteUnverifiedUser" }
        ]
      }))
      const error = yield* Effect.flip(resolveSite(provider, "example.com"))
      assert.strictEqual(error.code, "invalid_input")
      assert.deepStrictEqual(error.details, [
        { path: ["input", "site"], message: "Expected one of https://a.example/, sc-domain:b.example" }
      ])
    }))

  it.each([
    ["HTTPS://WWW.Example.com/Shop", "https://www.example.com/Shop/"],
    ["Http://Example.com", "http://example.com/"],
    ["SC-Domain:Example.COM", "sc-domain:example.com"]
  ])("%j names %s, in any case", (given, found) => {
    const { site } = Result.getOrThrow(validator(Schema.Struct({ site: siteField }))({ site: given }))
    assert.strictEqual(namedProperty(site), found)
  })

  it.each(["", "a b", "example.com/blog", "ftp://example.com/", "sc-domain:", "sc-domain:a/b", "localhost:80", " "])(
    "%j is neither a property nor a host",
    (site) => {
      const result = validator(Schema.Struct({ site: siteField }))({ site })
      assert.deepStrictEqual(Option.getOrThrow(Result.getFailure(result)).map(({ path }) => path), [["site"]])
    }
  )
})
