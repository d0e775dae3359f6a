import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { RawInput } from "../../src/Providers/Provider.ts"
import { endpointUrl, upstreamUrl } from "../../src/Providers/UpstreamUrl.ts"

const BASE = "https://sheets.googleapis.com"

const urlOf = (input: RawInput, template = "/v1/{name}/children", base = BASE) => {
  const { origin, path } = endpointUrl(upstreamUrl(base), template, input)
  return origin + path
}

describe("the URL of an endpoint", () => {
  it.each([
    ["Sheet1!A1:B2", "Sheet1%21A1%3AB2"],
    ["https://example.com/a?b=c#d", "https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc%23d"],
    ["../../v1/secrets", "..%2F..%2Fv1%2Fsecrets"],
    ["%2e%2e", "%252e%252e"],
    ["..\\..", "..%5C.."],
    ["\ud800", "%EF%BF%BD"],
    ["a\r\nb\0", "a%0D%0Ab%00"]
  ])("has %j as one segment", (range, segment) => {
    const template = "/v4/spreadsheets/{id}/values/{range}:append"
    assert.strictEqual(
      urlOf({ path: { id: "1", range } }, template),
      `${BASE}/v4/spreadsheets/1/values/${segment}:append`
    )
  })

  it.each<readonly [what: string, query: NonNullable<RawInput["query"]>, text: string]>([
    [
      "repeats the key of an array and omits undefined values",
      { ranges: ["A1", "B 2"], includeGridData: false, fields: undefined, pageSize: 3, none: [] },
      "ranges=A1&ranges=B%202&includeGridData=false&pageSize=3"
    ],
    ["encodes keys and values of the query", { "a&b": "c=d+e#'" }, "a%26b=c%3Dd%2Be%23%27"]
  ])("%s", (_, query, text) => assert.strictEqual(urlOf({ query }, "/x"), `${BASE}/x?${text}`))

  it("keeps the path of the configured base", () => {
    assert.strictEqual(
      urlOf({ path: { name: "a/b" } }, "/v1/{name}", "http://127.0.0.1:8080/proxy"),
      "http://127.0.0.1:8080/proxy/v1/a%2Fb"
    )
  })

  it("refuses a value that would leave the template, and a placeholder without a value", () => {
    for (const name of [".", ".."]) assert.throws(() => urlOf({ path: { name } }), "would leave")
    assert.throws(() => urlOf({ path: { id: "1" } }), "{name}")
  })

  it("round-trips any value and stays on its origin", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (value) => {
      fc.pre(value !== "." && value !== "..")
      const { origin, pathname, searchParams } = new URL(urlOf({ path: { name: value }, query: { q: value } }))
      assert.strictEqual(origin, BASE)
      assert.deepStrictEqual(pathname.split("/").map(decodeURIComponent), ["", "v1", value, "children"])
      assert.strictEqual(searchParams.get("q"), value)
    }))
  })
})
