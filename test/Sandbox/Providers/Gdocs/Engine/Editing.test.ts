import { assert, describe, it } from "@effect/vitest"
import type { Schema } from "effect"
import { asArray, asNumber, asObject } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Json.ts"
import type { Request } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Requests/Request.ts"
import { documentResource } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Resource.ts"
import { endOf } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Tree.ts"
import {
  after,
  blank,
  bold,
  bullets,
  draft,
  errorOf,
  insert,
  named,
  outline,
  paragraphsOf,
  range,
  remove,
  table
} from "./DocumentFixture.ts"

const outside = "The insertion index must be inside the bounds of an existing paragraph. You can still create new " +
  "paragraphs by inserting newlines."
const inCluster = "The insertion index cannot be within a grapheme cluster."
const undeletable = "Invalid deletion range. Cannot delete the requested range."

const bodyEnd = (state = blank) => endOf(state.tabs[0]?.body ?? [])

const link = (startIndex: number, endIndex: number): Request => ({
  updateTextStyle: {
    range: range(startIndex, endIndex),
    textStyle: { link: { url: "https://example.com" } },
    fields: "link"
  }
})

const linksOf = (state: typeof blank) =>
  paragraphsOf(state).map(({ inlines }) =>
    inlines.map((inline) => "text" in inline ? [inline.text, inline.style["link"] !== undefined] : [])
  )

const bolded = draft(insert(1, "one two"), bold(1, 4))
const two = draft(insert(1, "One\nTwo"), named(1, 2, "HEADING_1"))
const withTable = draft(insert(1, "ab"), table(2, 1, 1))

const edits: ReadonlyArray<[what: string, edited: typeof blank, outline: ReadonlyArray<string>]> = [
  ["inserted text takes the style of the text before it", after(bolded, insert(4, "!")), ["**one!** two"]],
  ["text at the start of a paragraph takes that of the text after it", after(bolded, insert(1, "!")), ["**!one** two"]],
  ["text after a style ends does not take it", after(bolded, insert(5, "!")), ["**one** !two"]],
  [
    "a newline splits a paragraph into two of its style",
    draft(insert(1, "Title"), named(1, 2, "HEADING_2"), insert(6, "\nText")),
    ["HEADING_2 Title", "HEADING_2 Text"]
  ],
  [
    "a newline splits a list item",
    draft(insert(1, "item"), bullets(1, 2), insert(5, "\nmore")),
    ["* item", "* more"]
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
  ["a deleted paragraph does not change the next one", after(two, remove(1, 5)), ["Two"]],
  ["a table is deleted whole", after(withTable, remove(3, 8)), ["a", "b"]],
  ["text is deleted with its table", after(withTable, remove(1, 8)), ["b"]],
  ["text is deleted inside a cell", after(withTable, insert(6, "xyz"), remove(7, 8)), ["a", "xz", "b"]],
  [
    "a table at the start of a paragraph has an empty one of its style before it",
    draft(insert(1, "T"), named(1, 2, "HEADING_1"), table(1, 1, 1)),
    ["HEADING_1 ", "", "HEADING_1 T"]
  ]
]

describe("Edits", () => {
  it.each(edits)("%s", (_, edited, lines) => assert.deepStrictEqual(outline(edited), lines))
})

describe("insertText", () => {
  it("keeps the heading id at the heading's first character, and gives the new heading a new id", () => {
    const heading = draft(insert(1, "Title"), named(1, 2, "HEADING_1"))
    const id = paragraphsOf(heading)[0]?.style["headingId"]
    assert.isString(id)
    const idsAfter = (index: number, text: string) =>
      paragraphsOf(after(heading, insert(index, text))).map(({ style }) => style["headingId"] === id)
    assert.deepStrictEqual(idsAfter(6, "\nmore"), [true, false])
    assert.deepStrictEqual(idsAfter(3, "\n"), [true, false])
    assert.deepStrictEqual(idsAfter(1, "more\n"), [false, true])
  })

  it("links no newline, and does not extend a link at its end", () => {
    assert.deepStrictEqual(linksOf(after(draft(insert(1, "link"), link(1, 5)), insert(3, "\n"))), [
      [["li", true], ["\n", false]],
      [["nk", true], ["\n", false]]
    ])
    assert.deepStrictEqual(linksOf(after(draft(insert(1, "a link"), link(3, 7)), insert(7, "!"), insert(4, "?"))), [
      [["a ", false], ["l?ink", true], ["!\n", false]]
    ])
  })

  it.each<[what: string, refusal: string, state: typeof blank, request: Request]>([
    ["at the end", "Index 2 must be less than the end index of the referenced segment, 2.", blank, insert(2, "x")],
    ["before the body", outside, blank, insert(0, "x")],
    ["at a cell's start", outside, draft(table(1, 1, 1)), insert(4, "x")],
    ["inside a surrogate pair", inCluster, draft(insert(1, "🚀")), insert(2, "x")],
    ["inside a combined emoji", inCluster, draft(insert(1, "👨‍👩‍👧")), insert(3, "x")],
    ["of nothing", "Insert text requests must specify text to insert.", blank, insert(1, "")],
    ["into an unknown tab", "Tab ID t.9 was not found.", blank, {
      insertText: { location: { index: 1, tabId: "t.9" }, text: "x" }
    }],
    ["into an unknown segment", "Segment with ID kix.9 was not found.", blank, {
      insertText: { location: { index: 1, segmentId: "kix.9" }, text: "x" }
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
    ["backwards", "Invalid range: end index cannot be less than start index", two, remove(4, 3)],
    ["beyond the end", "Index 10 must be less than the end index of the referenced segment, 9.", two, remove(4, 10)],
    ["half of a surrogate pair", undeletable, draft(insert(1, "🚀")), remove(1, 2)],
    ["the newline before a table", undeletable, withTable, remove(2, 3)],
    ["a part of a table", undeletable, withTable, remove(3, 5)],
    ["from a paragraph into a table", undeletable, withTable, remove(1, 6)],
    ["a cell's last newline", undeletable, withTable, remove(6, 7)],
    ["the first section break", undeletable, two, remove(0, 2)]
  ])(
    "cannot delete %s",
    (_, refusal, state, request) =>
      assert.strictEqual(errorOf(state, request), `400 Invalid requests[0].deleteContentRange: ${refusal}`)
  )
})

const gaps = (elements: Schema.Json | undefined, start: number): ReadonlyArray<string> => {
  let at = start
  return asArray(elements).map(asObject).flatMap((element) => {
    const from = asNumber(element["startIndex"])
    const wrong = from === at ? [] : [`${from} instead of ${at}`]
    at = asNumber(element["endIndex"])
    const parts = asArray(asObject(element["paragraph"])["elements"])
    const rows = asArray(asObject(element["table"])["tableRows"]).map(asObject)
    return [
      ...wrong,
      ...(parts.length === 0 ? [] : gaps(parts, from)),
      ...(rows.length === 0 ? [] : gaps(rows, from + 1)),
      ...rows.flatMap((row) => gaps(row["tableCells"], asNumber(row["startIndex"]) + 1)),
      ...rows.flatMap((row) => asArray(row["tableCells"])).map(asObject).flatMap((cell) =>
        gaps(cell["content"], asNumber(cell["startIndex"]) + 1)
      )
    ]
  })
}

describe("Indexes", () => {
  it("are contiguous in a document with a list, a nested table, a page break and a section break", () => {
    const state = draft(
      insert(1, "One\n\tTwo\nThree"),
      bullets(5, 6),
      table(9, 2, 2),
      table(13, 1, 1),
      { insertPageBreak: { location: { index: 1 } } },
      { insertSectionBreak: { location: { index: 3 }, sectionType: "NEXT_PAGE" } }
    )
    assert.deepStrictEqual(gaps(asObject(documentResource(state)["body"])["content"], 0), [])
    assert.strictEqual(bodyEnd(state), 38)
  })
})
