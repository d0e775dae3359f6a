import { assert, describe, it } from "@effect/vitest"
import { discovery, openDiscovery } from "../support/Discovery.ts"
import { providerDocuments } from "../support/OutsideFolder.ts"

const get = (url: string) => ({ method: "GET", url, body: "" })
const update = (request: object, rest: object = {}) => ({
  method: "POST",
  url: "/v1/documents/a:batchUpdate",
  body: JSON.stringify({ requests: [request], ...rest })
})

/** What reads the requests of the tests as Google would. */
describe.skipIf(providerDocuments.isAbsent)(`The validation of Google requests${providerDocuments.absence}`, () => {
  const document = "/v1/documents/a"
  const range = { startIndex: "1" }
  it.each([
    ["an unknown query parameter", get(`${document}?foo=1`), "query.foo: unknown name"],
    [
      "a parameter of the wrong type",
      get(`${document}?prettyPrint=1`),
      "query.prettyPrint: expected a boolean, got \"1\""
    ],
    ["a repeated single parameter", get(`${document}?fields=a&fields=a`), "query.fields: given twice"],
    ["an unknown enum value", get(`${document}?suggestionsViewMode=ALL`), "query.suggestionsViewMode: expected one of"],
    [
      "a preview parameter",
      get(`${document}?commentsViewMode=COMMENTS_VIEW_MODE_OMITTED`),
      "query.commentsViewMode: for members of a preview programme alone"
    ],
    ["an unknown nested field", update({ insertText: { loc: 1 } }), "body.requests[0].insertText.loc: unknown name"],
    [
      "a number as text",
      update({ deleteContentRange: { range } }),
      "body.requests[0].deleteContentRange.range.startIndex:"
    ],
    [
      "a number above 32 bits",
      update({ deleteContentRange: { range: { startIndex: 2 ** 31 } } }),
      "body.requests[0].deleteContentRange.range.startIndex: expected an int32, got 2147483648"
    ],
    ["an object instead of a list", update({}, { requests: {} }), "body.requests: expected an array, got {}"],
    [
      "a preview field",
      update({}, { writeControl: { writeMode: "SUGGEST" } }),
      "body.writeControl.writeMode: for members"
    ],
    ["an unexpected body", { ...get(document), body: "{}" }, "body: the method takes none"]
  ])("refuses %s", (_, request, fault) => {
    const [found = "", ...others] = discovery("gdocs").read(request)?.faults ?? []
    assert.strictEqual(found.slice(0, fault.length), fault)
    assert.deepStrictEqual(others, [])
  })

  it.each([
    ["another verb", { ...get(document), method: "DELETE" }],
    ["a path value without encoding", get(`${document}/b`)],
    ["an unknown verb of a resource", { ...update({}), url: `${document}:shuffle` }]
  ])("knows no method for %s", (_, request) => assert.isUndefined(discovery("gdocs").read(request)))

  it("reads path values decoded, and repeated parameters in order", () => {
    const read = discovery("gsheets").read(get("/v4/spreadsheets/a%2Fb/values:batchGet?ranges=B%201&ranges=A"))
    assert.deepStrictEqual(read?.faults, [])
    assert.deepStrictEqual(read?.path, { spreadsheetId: "a/b" })
    assert.deepStrictEqual(read?.query, [["ranges", "B 1"], ["ranges", "A"]])
  })

  it("finds faults in responses", () => {
    const { responseFaults } = discovery("gdocs")
    assert.deepStrictEqual(responseFaults("docs.documents.get", { title: "a" }), [])
    assert.deepStrictEqual(responseFaults("docs.documents.get", { title: 1, rows: [] }), [
      "response.title: expected a string, got 1",
      "response.rows: unknown name"
    ])
  })

  it("accepts other casings of enums where the service does", () => {
    const request = {
      method: "POST",
      url: "/webmasters/v3/sites/a/searchAnalytics/query",
      body: JSON.stringify({ aggregationType: "byPage" })
    }
    assert.deepStrictEqual(discovery("gsc").read(request)?.faults, [])
    const exactly = openDiscovery(providerDocuments.read("discovery", "searchconsole-v1.json"))
    assert.isNotEmpty(exactly.read(request)?.faults ?? [])
  })
})
