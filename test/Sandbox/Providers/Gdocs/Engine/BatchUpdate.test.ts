import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { batchUpdate, decodeBatchUpdate } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/BatchUpdate.ts"
import type { Document } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import type { JsonObject } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Json.ts"
import type { Request } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Requests/Request.ts"
import { documentResource } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Resource.ts"
import { allTabs } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Segments.ts"
import { fromResource } from "../FromResource.ts"
import { after, blank, draft, errorOf, insert, outline, range, remove, table } from "./DocumentFixture.ts"

const responseTo = (state: Document, ...requests: ReadonlyArray<Request>): JsonObject =>
  Result.getOrThrow(batchUpdate(state, { requests }))[1]

const replaceText = (
  state: Document,
  text: string,
  more: { readonly matchCase?: boolean; readonly tabIds?: ReadonlyArray<string> } = {}
) => {
  const { matchCase = true, tabIds } = more
  const request: Request = {
    replaceAllText: {
      containsText: { text, matchCase },
      replaceText: "#",
      ...(tabIds === undefined ? {} : { tabsCriteria: { tabIds } })
    }
  }
  return [outline(after(state, request)), responseTo(state, request)["replies"]] as const
}

const tabbed = draft(insert(1, "one"), { addDocumentTab: { tabProperties: { title: "Second" } } })
const second = tabbed.tabs[1]?.tabId ?? ""

describe("batchUpdate", () => {
  it("returns one reply per request, empty for most", () =>
    assert.deepStrictEqual(
      responseTo(
        blank,
        insert(1, "aXa"),
        { replaceAllText: { containsText: { text: "a" }, replaceText: "b" } },
        remove(1, 2)
      )["replies"],
      [
        {},
        { replaceAllText: { occurrencesChanged: 2 } },
        {}
      ]
    ))

  it("applies all requests or none", () => {
    assert.strictEqual(
      errorOf(blank, insert(1, "a"), insert(9, "b")),
      "400 Invalid requests[1].insertText: Index 9 must be less than the end index of the referenced segment, 3."
    )
    assert.deepStrictEqual(outline(blank), [""])
  })

  it("rejects an empty list", () => assert.strictEqual(errorOf(blank), "400 Must specify at least one request."))

  it("answers 501 to a request that only Google supports", () =>
    assert.strictEqual(
      errorOf(blank, { deletePositionedObject: { objectId: "kix.1" } }),
      "501 Invalid requests[0].deletePositionedObject: the sandbox does not carry out requests of this kind; the provider does."
    ))

  it("rejects an empty request with Google's message", () => {
    const error = Result.getOrThrow(Result.flip(batchUpdate(blank, { requests: [{}] })))
    assert.deepStrictEqual(error.body, {
      error: {
        code: 400,
        message: "Invalid requests[0]: No request set.",
        errors: [{ message: "Invalid requests[0]: No request set.", domain: "global", reason: "badRequest" }],
        status: "INVALID_ARGUMENT"
      }
    })
  })

  it("rejects an unknown request in the body", () => {
    assert.deepStrictEqual(
      decodeBatchUpdate({ requests: [insert(1, "a")] }),
      Result.succeed({ requests: [insert(1, "a")] })
    )
    assert.deepStrictEqual(
      Result.match(decodeBatchUpdate({ requests: [{ frobnicate: {} }] }), {
        onSuccess: () => "",
        onFailure: ({ message }) => message
      }),
      "Invalid JSON payload received. Unknown name \"frobnicate\" at 'requests[0]': Cannot find field."
    )
  })
})

const revisionOf = (state: Document) => String(documentResource(state)["revisionId"])

describe("Revisions", () => {
  it("change with every update, and the response has the new one", () => {
    const changed = draft(insert(1, "a"))
    assert.notStrictEqual(revisionOf(changed), revisionOf(blank))
    assert.deepStrictEqual(responseTo(blank, insert(1, "a"))["writeControl"], {
      requiredRevisionId: revisionOf(changed)
    })
  })

  it("must match requiredRevisionId", () => {
    const changed = draft(insert(1, "a"))
    const update = (requiredRevisionId: string) =>
      Result.match(batchUpdate(changed, { requests: [insert(1, "b")], writeControl: { requiredRevisionId } }), {
        onSuccess: () => "accepted",
        onFailure: ({ code, message }) => `${code} ${message}`
      })
    assert.strictEqual(update(revisionOf(changed)), "accepted")
    assert.strictEqual(
      update(revisionOf(blank)),
      `400 The required revision ID '${revisionOf(blank)}' does not match the latest revision.`
    )
  })

  it("can be the targetRevisionId if they are recent", () => {
    const changed = draft(insert(1, "a"))
    const update = (targetRevisionId: string) =>
      Result.isSuccess(batchUpdate(changed, { requests: [insert(1, "b")], writeControl: { targetRevisionId } }))
    assert.isTrue(update(revisionOf(blank)))
    assert.isFalse(update("another"))
  })
})

describe("replaceAllText", () => {
  it("covers every tab, or the given tabs", () => {
    const both = after(tabbed, { insertText: { location: { index: 1, tabId: second }, text: "one" } })
    assert.deepStrictEqual(replaceText(both, "one"), [["#", "#"], [{ replaceAllText: { occurrencesChanged: 2 } }]])
    assert.deepStrictEqual(replaceText(both, "one", { tabIds: [second] }), [["one", "#"], [{
      replaceAllText: { occurrencesChanged: 1 }
    }]])
  })

  it("covers tables, footnotes and headers", () => {
    const noted = draft(table(1, 1, 1), insert(5, "one"), { createFootnote: { location: { index: 1 } } }, {
      createHeader: {}
    })
    const [footnote = ""] = Object.keys(noted.tabs[0]?.footnotes ?? {})
    const [header = ""] = Object.keys(noted.tabs[0]?.headers ?? {})
    const filled = after(
      noted,
      { insertText: { location: { index: 1, segmentId: footnote }, text: "one" } },
      { insertText: { location: { index: 0, segmentId: header }, text: "one" } }
    )
    assert.deepStrictEqual(replaceText(filled, "one")[1], [{ replaceAllText: { occurrencesChanged: 3 } }])
  })

  const cases: ReadonlyArray<readonly [what: string, text: string, find: string, result: ReadonlyArray<string>]> = [
    ["matches across a paragraph break", "a\nb", "a\nb", ["#"]],
    ["matches curly quotes for straight ones", "‘a’ “b”", "'a' \"b\"", ["#"]],
    ["does not match a soft line break for a newline", "a\u000Bb", "a\nb", ["a\u000Bb"]],
    ["does not match a no-break space for a space", "a\u00A0b", "a b", ["a\u00A0b"]],
    ["does not match the last newline", "a", "a\n", ["a"]],
    ["does not overlap matches", "aaa", "aa", ["#a"]]
  ]
  for (const [what, text, find, result] of cases) {
    it(`${what}`, () => assert.deepStrictEqual(replaceText(draft(insert(1, text)), find)[0], result))
  }

  it("matches across styles, and the replacement takes the style of the first character", () => {
    const styled = draft(insert(1, "one"), {
      updateTextStyle: { range: range(1, 2), textStyle: { bold: true }, fields: "bold" }
    })
    assert.deepStrictEqual(replaceText(styled, "on")[0], ["**#**e"])
  })

  it("ignores case on request", () => {
    assert.deepStrictEqual(replaceText(draft(insert(1, "One")), "oNE")[1], [{ replaceAllText: {} }])
    assert.deepStrictEqual(replaceText(draft(insert(1, "One")), "oNE", { matchCase: false })[0], ["#"])
  })

  it("rejects an empty text", () =>
    assert.strictEqual(
      errorOf(blank, { replaceAllText: { containsText: { text: "" }, replaceText: "x" } }),
      "400 Invalid requests[0].replaceAllText: The search text must not be empty."
    ))
})

describe("Tabs", () => {
  it("are in the field tabs, or the first one is at the top level", () => {
    assert.hasAllKeys(documentResource(tabbed), [
      "title",
      "revisionId",
      "suggestionsViewMode",
      "documentId",
      "body",
      "documentStyle",
      "namedStyles"
    ])
    assert.hasAllKeys(documentResource(tabbed, { includeTabsContent: true }), [
      "title",
      "revisionId",
      "suggestionsViewMode",
      "documentId",
      "tabs"
    ])
  })

  it("nest three levels deep and are deleted with their children", () => {
    const child = after(tabbed, { addDocumentTab: { tabProperties: { title: "Child", parentTabId: second } } })
    const childId = child.tabs[1]?.children[0]?.tabId ?? ""
    const grandchild = after(child, { addDocumentTab: { tabProperties: { parentTabId: childId } } })
    const grandchildId = grandchild.tabs[1]?.children[0]?.children[0]?.tabId ?? ""
    assert.strictEqual(
      errorOf(grandchild, { addDocumentTab: { tabProperties: { parentTabId: grandchildId } } }),
      "400 Invalid requests[0].addDocumentTab: The tab cannot be nested that deep."
    )
    const read = JSON.stringify(documentResource(grandchild, { includeTabsContent: true }))
    assert.include(read, `"nestingLevel":2`)
    assert.include(read, `"parentTabId":"${childId}"`)
    assert.strictEqual(allTabs(after(grandchild, { deleteTab: { tabId: second } }).tabs).length, 1)
  })

  it("can be renamed, and the only tab cannot be deleted", () => {
    const renamed = after(blank, {
      updateDocumentTabProperties: { tabProperties: { tabId: "t.0", title: "Main" }, fields: "title" }
    })
    assert.strictEqual(renamed.tabs[0]?.title, "Main")
    assert.strictEqual(
      errorOf(blank, { deleteTab: { tabId: "t.0" } }),
      "400 Invalid requests[0].deleteTab: The last tab of a document cannot be deleted."
    )
  })

  it("are addressed by id, and the first tab is the default", () => {
    const written = after(tabbed, insert(1, "1"), { insertText: { location: { index: 1, tabId: second }, text: "2" } })
    assert.deepStrictEqual(outline(written), ["1one", "2"])
  })
})

describe("Links to headings", () => {
  it("have the older form in a one-tab document read without tabs", () => {
    const linked = draft(insert(1, "a"), {
      updateTextStyle: {
        range: range(1, 2),
        textStyle: { link: { heading: { id: "h.1", tabId: "t.0" } } },
        fields: "link"
      }
    })
    assert.include(JSON.stringify(documentResource(linked)), `"link":{"headingId":"h.1"}`)
    assert.include(
      JSON.stringify(documentResource(linked, { includeTabsContent: true })),
      `"link":{"heading":{"id":"h.1","tabId":"t.0"}}`
    )
  })
})

const run = (content: string, rest: JsonObject = {}) => ({ textRun: { content, textStyle: {}, ...rest } })

describe("Suggestions", () => {
  const suggested = fromResource({
    documentId: "doc",
    body: {
      content: [
        {
          paragraph: {
            elements: [
              run("kept "),
              run("added", { suggestedInsertionIds: ["s.1"] }),
              run("removed", { suggestedDeletionIds: ["s.2"] }),
              run("\n")
            ]
          }
        },
        { paragraph: { elements: [run("new\n", { suggestedInsertionIds: ["s.1"] })] } },
        {
          paragraph: { elements: [run("last\n")] }
        }
      ]
    }
  })
  const contents = (
    suggestionsViewMode: "SUGGESTIONS_INLINE" | "PREVIEW_SUGGESTIONS_ACCEPTED" | "PREVIEW_WITHOUT_SUGGESTIONS"
  ) => JSON.stringify(documentResource(suggested, { suggestionsViewMode })).match(/(?<="content":")[^"]*/g)

  it("are part of the text by default", () =>
    assert.deepStrictEqual(contents("SUGGESTIONS_INLINE"), ["kept ", "added", "removed", "\\n", "new\\n", "last\\n"]))

  it("can be previewed as accepted or rejected", () => {
    assert.deepStrictEqual(contents("PREVIEW_SUGGESTIONS_ACCEPTED"), ["kept ", "added", "\\n", "new\\n", "last\\n"])
    assert.deepStrictEqual(contents("PREVIEW_WITHOUT_SUGGESTIONS"), ["kept ", "removed", "\\n", "last\\n"])
  })
})
