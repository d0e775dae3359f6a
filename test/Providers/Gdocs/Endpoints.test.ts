import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { documentsBatchUpdate, documentsCreate, documentsGet } from "../../../src/Providers/Gdocs/Endpoints.ts"
import { refuses } from "../../support/EndpointSuite.ts"

const path = { documentId: "1a-b_C" }
const range = { startIndex: 1, endIndex: 5 }
const insertText = { insertText: { text: "a", location: { index: 1 } } }

const controlled = (writeControl: object) => ({ path, body: { requests: [insertText], writeControl } })

describe("Gdocs endpoints", () => {
  it("sends only what the caller sent", () => {
    assert.deepStrictEqual<unknown>(Result.getOrThrow(validator(documentsCreate.input)({})), {})
    assert.deepStrictEqual<unknown>(Result.getOrThrow(validator(documentsGet.input)({ path })), { path })
  })

  refuses(documentsGet, [
    [{ path: { documentId: "" } }, "path.documentId"],
    [{ path, query: { suggestionsViewMode: "INLINE" } }, "query.suggestionsViewMode"]
  ])
  refuses(documentsCreate, [
    [{ body: { documentId: "a" } }, "body.documentId"]
  ])
  refuses(documentsBatchUpdate, [
    [{ path, body: { requests: [] } }, "body.requests"],
    [controlled({ requiredRevisionId: "a", targetRevisionId: "b" }), "body.writeControl"],
    [controlled({ writeMode: "SUGGEST" }), "body.writeControl.writeMode"]
  ])

  const edits: ReadonlyArray<readonly [request: object, at: string]> = [
    [{}, ""],
    [{ ...insertText, deleteContentRange: { range } }, ""],
    [{ insertComment: { content: "a", range } }, ".insertComment"],
    [{ insertText: { text: "a" } }, ".insertText"],
    [{ insertText: { text: "a", location: {}, endOfSegmentLocation: {} } }, ".insertText"],
    [{ insertText: { text: "a", location: { index: -1 } } }, ".insertText.location.index"],
    [{ deleteContentRange: { range: { startIndex: 1 } } }, ".deleteContentRange.range.endIndex"],
    [{ deleteNamedRange: {} }, ".deleteNamedRange"],
    [{ createNamedRange: { name: "", range } }, ".createNamedRange.name"],
    [{ createNamedRange: { name: "🚀".repeat(129), range } }, ".createNamedRange.name"],
    [{ updateTextStyle: { textStyle: {}, range, fields: "" } }, ".updateTextStyle.fields"],
    [
      { updateTextStyle: { textStyle: { link: { url: "a", tabId: "b" } }, range, fields: "link" } },
      ".updateTextStyle.textStyle.link"
    ],
    [
      { updateTextStyle: { textStyle: { weightedFontFamily: { weight: 400 } }, range, fields: "*" } },
      ".updateTextStyle.textStyle.weightedFontFamily.fontFamily"
    ],
    [{ updateTableCellStyle: { fields: "*" } }, ".updateTableCellStyle"]
  ]
  refuses(
    documentsBatchUpdate,
    edits.map(([request, at]) => [
      { path, body: { requests: [insertText, request] } },
      `body.requests.1${at}`,
      `the edit ${JSON.stringify(request)}`
    ])
  )
})
