import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { batchUpdate, decodeBatchUpdate } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/BatchUpdate.ts"
import type { Document } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import type { JsonObject } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Json.ts"
import type { Request } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Requests/Request.ts"
import { documentResource } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Resource.ts"
import { allTabs } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Segments.ts"
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

const ones = (segments: object, index: number) =>
  Object.keys(segments).map((segmentId): Request => ({ insertText: { location: { index, segmentId }, text: "one" } }))

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

  it("rejects an empty list and an empty request, and says what only Google supports", () => {
    assert.strictEqual(errorOf(blank), "400 Must specify at least one request.")
    const message = "Invalid requests[0]: No request set."
    assert.deepStrictEqual(Result.getOrThrow(Result.flip(batchUpdate(blank, { requests: [{}] }))).body, {
      error: {
        code: 400,
        message,
        errors: [{ message, domain: "global", reason: "badRequest" }],
        status: "INVALID_ARGUMENT"
      }
    })
    assert.include(errorOf(blank, { deletePositionedObject: { objectId: "kix.1" } }), "501 Invalid requests[0].")
  })

  it("rejects an unknown request in the body", () => {
    const { message } = Result.getOrThrow(Result.flip(decodeBatchUpdate({ requests: [{ frobnicate: {} }] })))
    assert.include(message, "Unknown name \"frobnicate\" at 'requests[0]': Cannot find field.")
  })
})

const revisionOf = (state: Document) => String(documentResource(state)["revisionId"])

describe("Revisions", () => {
  const changed = draft(insert(1, "a"))
  const update = (writeControl: { readonly requiredRevisionId: string } | { readonly targetRevisionId: string }) =>
    Result.match(batchUpdate(changed, { requests: [insert(1, "b")], writeControl }), {
      onSuccess: () => "accepted",
      onFailure: ({ code, message }) => `${code} ${message}`
    })

  it("change with every update, and the response has the new one", () => {
    assert.notStrictEqual(revisionOf(changed), revisionOf(blank))
    assert.deepStrictEqual(responseTo(blank, insert(1, "a"))["writeControl"], {
      requiredRevisionId: revisionOf(changed)
    })
  })

  it("must match requiredRevisionId, and be recent as targetRevisionId", () => {
    assert.strictEqual(update({ requiredRevisionId: revisionOf(changed) }), "accepted")
    assert.strictEqual(
      update({ requiredRevisionId: revisionOf(blank) }),
      `400 The required revision ID '${revisionOf(blank)}' does not match the latest revision.`
    )
    assert.strictEqual(update({ targetRevisionId: revisionOf(blank) }), "accepted")
    assert.notStrictEqual(update({ targetRevisionId: "another" }), "accepted")
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
    const [{ footnotes, headers } = assert.fail("no tab")] = noted.tabs
    const filled = after(noted, ...ones(footnotes, 1), ...ones(headers, 0))
    assert.deepStrictEqual(replaceText(filled, "one")[1], [{ replaceAllText: { occurrencesChanged: 3 } }])
  })

  it.each([
    ["matches across a paragraph break", "a\nb", "a\nb", ["#"]],
    ["matches curly quotes for straight ones", "‘a’ “b”", "'a' \"b\"", ["#"]],
    ["does not match a soft line break for a newline", "a\u000Bb", "a\nb", ["a\u000Bb"]],
    ["does not match a no-break space for a space", "a\u00A0b", "a b", ["a\u00A0b"]],
    ["does not match the last newline", "a", "a\n", ["a"]],
    ["does not overlap matches", "aaa", "aa", ["#a"]]
  ])("%s", (_, text, find, result) => assert.deepStrictEqual(replaceText(draft(insert(1, text)), find)[0], result))

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
    const common = ["title", "revisionId", "suggestionsViewMode", "documentId"]
    assert.hasAllKeys(documentResource(tabbed), [...common, "body", "documentStyle", "namedStyles"])
    assert.hasAllKeys(documentResource(tabbed, { includeTabsContent: true }), [...common, "tabs"])
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
    const textStyle = { link: { heading: { id: "h.1", tabId: "t.0" } } }
    const linked = draft(insert(1, "a"), { updateTextStyle: { range: range(1, 2), textStyle, fields: "link" } })
    assert.include(JSON.stringify(documentResource(linked)), `"link":{"headingId":"h.1"}`)
    const withTabs = JSON.stringify(documentResource(linked, { includeTabsContent: true }))
    assert.include(withTabs, `"link":{"heading":{"id":"h.1","tabId":"t.0"}}`)
  })
})
