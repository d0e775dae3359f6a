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

  const hostile = ["Sheet1!A1:B2", "https://a.example/a?b=c#d", "../../v1/secrets", "%2e%2e", "..\\..", "a\r\nb\0"]

  it("has any value as one segment or parameter, and stays on its origin", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (value) => {
        fc.pre(value !== "." && value !== "..")
        const { origin, pathname, searchParams } = new URL(urlOf({ path: { name: value }, query: { q: value } }))
        assert.strictEqual(origin, BASE)
        assert.deepStrictEqual(pathname.split("/").map(decodeURIComponent), ["", "v1", value, "children"])
        assert.strictEqual(searchParams.get("q"), value)
      }),
      { examples: hostile.map((value) => [value]) }
    )
    assert.strictEqual(urlOf({ path: { name: "\ud800" } }), `${BASE}/v1/%EF%BF%BD/children`)
  })
})
