import { assert, describe, it } from "@effect/vitest"
import { discovery, type GoogleOrigin, type WireRequest } from "../support/Discovery.ts"

const get = (url: string): WireRequest => ({ method: "GET", url, body: "" })
const post = (url: string, body: unknown): WireRequest => ({ method: "POST", url, body: JSON.stringify(body) })

const refused: Record<string, readonly [GoogleOrigin, WireRequest, ReadonlyArray<string>]> = {
  "an unknown query parameter": ["gsheets", get("/v4/spreadsheets/a?foo=1"), ["query.foo: unknown name"]],
  "a parameter of the wrong type": [
    "gsheets",
    get("/v4/spreadsheets/a?includeGridData=1"),
    ["query.includeGridData: expected a boolean, got \"1\""]
  ],
  "a repeated single parameter": [
    "gsheets",
    get("/v4/spreadsheets/a/values/A1?majorDimension=ROWS&majorDimension=ROWS"),
    ["query.majorDimension: given twice"]
  ],
  "an unknown enum value": [
    "gdocs",
    get("/v1/documents/a?suggestionsViewMode=INLINE"),
    [
      "query.suggestionsViewMode: expected one of DEFAULT_FOR_CURRENT_ACCESS SUGGESTIONS_INLINE " +
      "PREVIEW_SUGGESTIONS_ACCEPTED PREVIEW_WITHOUT_SUGGESTIONS, got \"INLINE\""
    ]
  ],
  "a preview parameter": [
    "gdocs",
    get("/v1/documents/a?commentsViewMode=COMMENTS_VIEW_MODE_OMITTED"),
    ["query.commentsViewMode: for members of a preview programme alone"]
  ],
  "a number above 32 bits": [
    "ga4Admin",
    get("/v1beta/accountSummaries?pageSize=2147483648"),
    ["query.pageSize: expected an int32, got 2147483648"]
  ],
  "an unknown nested field": [
    "gdocs",
    post("/v1/documents/a:batchUpdate", { requests: [{ insertText: { location: { idx: 1 } } }] }),
    ["body.requests[0].insertText.location.idx: unknown name"]
  ],
  "a preview field": [
    "gsheets",
    post("/v4/spreadsheets/a:batchUpdate", { requests: [{ deleteComment: { commentId: "a" } }] }),
    ["body.requests[0].deleteComment: for members of a preview programme alone"]
  ],
  "an object instead of a list": [
    "ga4Data",
    post("/v1beta/properties/1:runReport", { metrics: { name: "sessions" } }),
    ["body.metrics: expected an array, got {\"name\":\"sessions\"}"]
  ],
  "an unexpected body": [
    "gsc",
    { ...get("/webmasters/v3/sites"), body: "{}" },
    ["body: the method takes none"]
  ]
}

describe("The fake validation of Google requests", () => {
  for (const [name, [origin, request, faults]] of Object.entries(refused)) {
    it(`refuses ${name}`, (context) => {
      assert.deepStrictEqual(discovery(context, origin).read(request)?.faults, faults)
    })
  }

  for (
    const [name, origin, request] of [
      ["another verb", "gsheets", { ...get("/v4/spreadsheets/a"), method: "DELETE" }],
      ["a path value without encoding", "gsheets", get("/v4/spreadsheets/a/values/Q1/Q2!A1")],
      ["a resource name that is not a property", "ga4Data", post("/v1beta/accounts/1:runReport", {})],
      ["an unknown verb of a resource", "gdocs", post("/v1/documents/a:update", {})]
    ] as const
  ) {
    it(`knows no method for ${name}`, (context) => {
      assert.isUndefined(discovery(context, origin).read(request))
    })
  }

  it("reads path values decoded, and repeated parameters in order", (context) => {
    const read = discovery(context, "gsheets").read(get("/v4/spreadsheets/a%2Fb/values:batchGet?ranges=B%201&ranges=A"))
    assert.deepStrictEqual(read?.path, { spreadsheetId: "a/b" })
    assert.deepStrictEqual(read?.query, [["ranges", "B 1"], ["ranges", "A"]])
  })

  it("finds faults in responses", (context) => {
    const { responseFaults } = discovery(context, "gsheets")
    assert.deepStrictEqual(responseFaults("sheets.spreadsheets.values.get", { range: "A1", values: [["a", 1]] }), [])
    assert.deepStrictEqual(responseFaults("sheets.spreadsheets.values.get", { range: 1, rows: [] }), [
      "answer.range: expected a string, got 1",
      "answer.rows: unknown name"
    ])
  })

  it("accepts the casing of Search Console enums", (context) => {
    const read = discovery(context, "gsc").read(
      post("/webmasters/v3/sites/a/searchAnalytics/query", { dimensions: ["searchAppearance"], dataState: "final" })
    )
    assert.deepStrictEqual(read?.faults, [])
  })
})
