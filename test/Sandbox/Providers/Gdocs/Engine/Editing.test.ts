import { assert, describe, it } from "@effect/vitest"
import type { Request } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Requests/Request.ts"
import { after, blank, bold, draft, errorOf, insert, named, outline, remove, table } from "./DocumentFixture.ts"

const outside = "The insertion index must be inside the bounds of an existing paragraph. You can still create new " +
  "paragraphs by inserting newlines."
const inCluster = "The insertion index cannot be within a grapheme cluster."
const undeletable = "Invalid deletion range. Cannot delete the requested range."

const bolded = draft(insert(1, "one two"), bold(1, 4))
const two = draft(insert(1, "One\nTwo"), named(1, 2, "HEADING_1"))
const withTable = draft(insert(1, "ab"), table(2, 1, 1))

const edits: ReadonlyArray<[what: string, edited: typeof blank, outline: ReadonlyArray<string>]> = [
  ["inserted text takes the style of the text before it", after(bolded, insert(4, "!")), ["**one!** two"]],
  [
    "a newline splits a paragraph into two of its style",
    draft(insert(1, "Title"), named(1, 2, "HEADING_2"), insert(6, "\nText")),
    ["HEADING_2 Title", "HEADING_2 Text"]
  ],
  [
    "control and private use characters are stripped",
    draft(insert(1, "a\r\nb\u0000\u000C\u001F\uE000\uF8FFc\td\u000Be")),
    ["a", "bc\td\u000Be"]
  ],
  [
    "text at the end of a segment is before its last newline",
    draft(insert(1, "a"), { insertText: { endOfSegmentLocation: {}, text: "b" } }),
    ["ab"]
  ],
  ["text is inserted into cells", draft(table(1, 1, 2), insert(7, "b"), insert(5, "a")), ["", "a", "b", ""]],
  ["text is deleted within a paragraph", after(two, remove(2, 4)), ["HEADING_1 O", "Two"]],
  ["paragraphs without a newline between them merge", after(two, remove(4, 5)), ["HEADING_1 OneTwo"]],
  ["a table is deleted whole", after(withTable, remove(3, 8)), ["a", "b"]],
  ["text is deleted inside a cell", after(withTable, insert(6, "xyz"), remove(7, 8)), ["a", "xz", "b"]]
]

describe("Edits", () => {
  it.each(edits)("%s", (_, edited, lines) => assert.deepStrictEqual(outline(edited), lines))
})

describe("insertText", () => {
  it.each<[what: string, refusal: string, state: typeof blank, request: Request]>([
    ["at the end", "Index 2 must be less than the end index of the referenced segment, 2.", blank, insert(2, "x")],
    ["at a cell's start", outside, draft(table(1, 1, 1)), insert(4, "x")],
    ["inside a combined emoji", inCluster, draft(insert(1, "👨‍👩‍👧")), insert(3, "x")],
    ["of nothing", "Insert text requests must specify text to insert.", blank, insert(1, "")],
    ["into an unknown tab", "Tab ID t.9 was not found.", blank, {
      insertText: { location: { index: 1, tabId: "t.9" }, text: "x" }
    }]
  ])(
    "rejects an insert %s",
    (_, refusal, state, request) =>
      assert.strictEqual(errorOf(state, request), `400 Invalid requests[0].insertText: ${refusal}`)
  )
})

describe("deleteContentRange", () => {
  it.each<[what: string, refusal: string, state: typeof blank, request: Request]>([
    [
      "the last newline",
      "The range cannot include the newline character at the end of the segment.",
      two,
      remove(7, 9)
    ],
    ["an empty range", "The range should not be empty.", two, remove(3, 3)],
    ["the newline before a table", undeletable, withTable, remove(2, 3)],
    ["the first section break", undeletable, two, remove(0, 2)]
  ])(
    "cannot delete %s",
    (_, refusal, state, request) =>
      assert.strictEqual(errorOf(state, request), `400 Invalid requests[0].deleteContentRange: ${refusal}`)
  )
})
