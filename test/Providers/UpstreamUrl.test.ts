import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { RawInput } from "../../src/Providers/Provider.ts"
import { endpointUrl, upstreamUrl } from "../../src/Providers/UpstreamUrl.ts"

const BASE = "https://sheets.googleapis.com"
const TEMPLATE = "/v4/spreadsheets/{id}/values/{range}:append"

const urlOf = (input: RawInput, base = BASE, template = TEMPLATE) => {
  const { origin, path } = endpointUrl(upstreamUrl(base), template, input)
  return origin + path
}

describe("the URL of an endpoint", () => {
  const paths: ReadonlyArray<readonly [value: string, segment: string]> = [
    ["Sheet1!A1:B2", "Sheet1%21A1%3AB2"],
    ["'My (tab)*'!A1", "%27My%20%28tab%29%2A%27%21A1"],
    ["sc-domain:example.com", "sc-domain%3Aexample.com"],
    ["https://example.com/a?b=c#d", "https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc%23d"],
    ["../../v1/secrets", "..%2F..%2Fv1%2Fsecrets"],
    ["%2e%2e", "%252e%252e"],
    ["..\\..", "..%5C.."],
    ["@evil.example", "%40evil.example"],
    ["Größe €", "Gr%C3%B6%C3%9Fe%20%E2%82%AC"],
    ["\u{1F600}", "%F0%9F%98%80"],
    ["\ud800", "%EF%BF%BD"],
    ["a\r\nb\0", "a%0D%0Ab%00"],
    ["$&", "%24%26"],
    ["{range}", "%7Brange%7D"]
  ]
  for (const [value, segment] of paths) {
    it(`encodes ${JSON.stringify(value)} as one segment`, () => {
      assert.strictEqual(
        urlOf({ path: { id: "1", range: value } }),
        `${BASE}/v4/spreadsheets/1/values/${segment}:append`
      )
    })
  }

  it("repeats the key of an array and omits undefined values", () => {
    assert.strictEqual(
      urlOf({
        path: { id: "1", range: "A1" },
        query: { ranges: ["A1", "B 2"], includeGridData: false, fields: undefined, pageSize: 3, none: [] }
      }),
      `${BASE}/v4/spreadsheets/1/values/A1:append?ranges=A1&ranges=B%202&includeGridData=false&pageSize=3`
    )
  })

  it("encodes keys and values of the query", () => {
    assert.strictEqual(
      urlOf({ query: { "a&b": "c=d+e#'" } }, BASE, "/x"),
      `${BASE}/x?a%26b=c%3Dd%2Be%23%27`
    )
  })

  it("keeps the path of the configured base", () => {
    assert.strictEqual(
      urlOf({ path: { name: "a/b" } }, "http://127.0.0.1:8080/proxy", "/v1/{name}"),
      "http://127.0.0.1:8080/proxy/v1/a%2Fb"
    )
  })

  for (const value of [".", ".."]) {
    it(`refuses ${value}, which would leave the template`, () => {
      assert.throws(() => urlOf({ path: { name: value } }, BASE, "/v1/{name}/children"), "would leave")
    })
  }

  it("refuses a placeholder without a value", () => {
    assert.throws(() => urlOf({ path: { id: "1" } }), "{range}")
  })

  it("round-trips any value and stays on its origin", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (value) => {
      fc.pre(value !== "." && value !== "..")
      const url = new URL(urlOf({ path: { name: value }, query: { q: value } }, BASE, "/v1/{name}/children"))
      const [, version, segment = "", children, ...rest] = url.pathname.split("/")
      assert.strictEqual(url.origin, BASE)
      assert.deepStrictEqual([version, decodeURIComponent(segment), children, rest.length], [
        "v1",
        value,
        "children",
        0
      ])
      assert.strictEqual(url.searchParams.get("q"), value)
    }))
  })
})
