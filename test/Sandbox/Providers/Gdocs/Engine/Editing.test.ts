import { assert, describe, it } from "@effect/vitest"
import type { Schema } from "effect"
import { asArray, asNumber, asObject } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Json.ts"
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

const outside = "400 Invalid requests[0].insertText: The insertion index must be inside the bounds of an existing " +
  "paragraph. You can still create new paragraphs by inserting newlines."
const undeletable =
  "400 Invalid requests[0].deleteContentRange: Invalid deletion range. Cannot delete the requested range."
const lastNewline =
  "400 Invalid requests[0].deleteContentRange: The range cannot include the newline character at the " +
  "end of the segment."

const bodyEnd = (state = blank) => endOf(state.tabs[0]?.body ?? [])

describe("insertText", () => {
  it("takes the style of the text before it, or after it at the start of a paragraph", () => {
    const bolded = draft(insert(1, "one two"), bold(1, 4))
    assert.deepStrictEqual(outline(after(bolded, insert(4, "!"))), ["**one!** two"])
    assert.deepStrictEqual(outline(after(bolded, insert(1, "!"))), ["**!one** two"])
    assert.deepStrictEqual(outline(after(bolded, insert(5, "!"))), ["**one** !two"])
  })

  it("splits a paragraph into paragraphs of the same style and bullet", () => {
    assert.deepStrictEqual(outline(draft(insert(1, "Title"), named(1, 2, "HEADING_2"), insert(6, "\nText"))), [
      "HEADING_2 Title",
      "HEADING_2 Text"
    ])
    assert.deepStrictEqual(outline(draft(insert(1, "item"), bullets(1, 2), insert(5, "\nmore"))), ["* item", "* more"])
  })

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

  it("does not link a newline", () => {
    const linked = draft(insert(1, "link"), {
      updateTextStyle: { range: range(1, 5), textStyle: { link: { url: "https://example.com" } }, fields: "link" }
    })
    const links = paragraphsOf(after(linked, insert(3, "\n"))).map(({ inlines }) =>
      inlines.map((inline) => "text" in inline ? [inline.text, inline.style["link"] !== undefined] : [])
    )
    assert.deepStrictEqual(links, [[["li", true], ["\n", false]], [["nk", true], ["\n", false]]])
  })

  it("does not extend a link at its end", () => {
    const linked = draft(insert(1, "a link"), {
      updateTextStyle: { range: range(3, 7), textStyle: { link: { url: "https://example.com" } }, fields: "link" }
    })
    const links = paragraphsOf(after(linked, insert(7, "!"), insert(4, "?")))[0]?.inlines.map((inline) =>
      "text" in inline ? [inline.text, inline.style["link"] !== undefined] : []
    )
    assert.deepStrictEqual(links, [["a ", false], ["l?ink", true], ["!\n", false]])
  })

  it("strips control and private use characters", () => {
    const state = draft(insert(1, "a\r\nb\u0000\u000C\u001F\uE000\uF8FFc\td\u000Be"))
    assert.deepStrictEqual(outline(state), ["a", "bc\td\u000Be"])
    assert.strictEqual(bodyEnd(state), 10)
  })

  const cases: ReadonlyArray<readonly [what: string, refusal: string, ...Parameters<typeof errorOf>]> = [
    [
      "at the end of the body",
      "400 Invalid requests[0].insertText: Index 2 must be less than the end index of the referenced segment, 2.",
      blank,
      insert(2, "x")
    ],
    [
      "far beyond the end",
      "400 Invalid requests[0].insertText: Index 9999999 must be less than the end index of the referenced segment, 2.",
      blank,
      insert(9999999, "x")
    ],
    ["before the body", outside, blank, insert(0, "x")],
    ["at a table's start", outside, draft(table(1, 1, 1)), insert(2, "x")],
    ["at a row's start", outside, draft(table(1, 1, 1)), insert(3, "x")],
    ["at a cell's start", outside, draft(table(1, 1, 1)), insert(4, "x")],
    [
      "inside a surrogate pair",
      "400 Invalid requests[0].insertText: The insertion index cannot be within a grapheme cluster.",
      draft(insert(1, "🚀")),
      insert(2, "x")
    ],
    [
      "inside a combined emoji",
      "400 Invalid requests[0].insertText: The insertion index cannot be within a grapheme cluster.",
      draft(insert(1, "👨‍👩‍👧")),
      insert(3, "x")
    ],
    [
      "of nothing",
      "400 Invalid requests[0].insertText: Insert text requests must specify text to insert.",
      blank,
      insert(1, "")
    ],
    ["into an unknown tab", "400 Invalid requests[0].insertText: Tab ID t.9 was not found.", blank, {
      insertText: { location: { index: 1, tabId: "t.9" }, text: "x" }
    }],
    [
      "into an unknown segment",
      "400 Invalid requests[0].insertText: Segment with ID kix.9 was not found.",
      blank,
      { insertText: { location: { index: 1, segmentId: "kix.9" }, text: "x" } }
    ]
  ]
  for (const [what, refusal, state, ...requests] of cases) {
    it(`rejects an insert ${what}`, () => assert.strictEqual(errorOf(state, ...requests), refusal))
  }

  it("inserts at the end of a segment, before its last newline", () =>
    assert.deepStrictEqual(outline(draft(insert(1, "a"), { insertText: { endOfSegmentLocation: {}, text: "b" } })), [
      "ab"
    ]))

  it("inserts into a table's cell", () => {
    assert.deepStrictEqual(outline(draft(table(1, 1, 2), insert(7, "b"), insert(5, "a"))), ["", "a", "b", ""])
  })
})

describe("deleteContentRange", () => {
  const two = draft(insert(1, "One\nTwo"), named(1, 2, "HEADING_1"))
  const withTable = draft(insert(1, "ab"), table(2, 1, 1))

  it("deletes within a paragraph", () =>
    assert.deepStrictEqual(outline(after(two, remove(2, 4))), ["HEADING_1 O", "Two"]))

  it("merges two paragraphs into one with the style of the first", () =>
    assert.deepStrictEqual(outline(after(two, remove(4, 5))), ["HEADING_1 OneTwo"]))

  it("deletes a whole paragraph without changing the next one", () =>
    assert.deepStrictEqual(outline(after(two, remove(1, 5))), ["Two"]))

  it("deletes a whole table", () => assert.deepStrictEqual(outline(after(withTable, remove(3, 8))), ["a", "b"]))

  it("deletes text that includes a table", () => assert.deepStrictEqual(outline(after(withTable, remove(1, 8))), ["b"]))

  it("deletes inside a cell", () =>
    assert.deepStrictEqual(outline(after(withTable, insert(6, "xyz"), remove(7, 8))), ["a", "xz", "b"]))

  const cases: ReadonlyArray<readonly [what: string, refusal: string, ...Parameters<typeof errorOf>]> = [
    ["the last newline", lastNewline, two, remove(7, 9)],
    ["an empty range", "400 Invalid requests[0].deleteContentRange: The range should not be empty.", two, remove(3, 3)],
    [
      "backwards",
      "400 Invalid requests[0].deleteContentRange: Invalid range: end index cannot be less than start index",
      two,
      remove(4, 3)
    ],
    [
      "beyond the end",
      "400 Invalid requests[0].deleteContentRange: Index 10 must be less than the end index of the referenced segment, 9.",
      two,
      remove(4, 10)
    ],
    ["half of a surrogate pair", undeletable, draft(insert(1, "🚀")), remove(1, 2)],
    ["the newline before a table", undeletable, withTable, remove(2, 3)],
    ["a part of a table", undeletable, withTable, remove(3, 5)],
    ["from a paragraph into a table", undeletable, withTable, remove(1, 6)],
    ["a cell's last newline", undeletable, withTable, remove(6, 7)],
    ["the first section break", undeletable, two, remove(0, 2)]
  ]
  for (const [what, refusal, state, ...requests] of cases) {
    it(`cannot delete ${what}`, () => assert.strictEqual(errorOf(state, ...requests), refusal))
  }
})

const cellStart = (index: number, columns: number, row: number, column: number) =>
  index + 4 + row * (1 + 2 * columns) + 2 * column
const size = (rows: number, columns: number) => 3 + rows * (1 + 2 * columns)

describe("insertTable", () => {
  for (const [rows, columns] of [[1, 1], [2, 3], [4, 2]] as const) {
    it(`inserts a newline and ${rows} × ${columns} cells at the documented indexes`, () => {
      const state = draft(insert(1, "ab"), table(2, rows, columns))
      assert.strictEqual(bodyEnd(state), 4 + size(rows, columns))
      const cells = Array.from({ length: rows * columns }, (_, at) => [Math.floor(at / columns), at % columns] as const)
      const filled = after(
        state,
        ...cells.toReversed().map(([row, column]) => insert(cellStart(2, columns, row, column), `${row}.${column}`))
      )
      assert.deepStrictEqual(outline(filled), ["a", ...cells.map(([row, column]) => `${row}.${column}`), "b"])
    })
  }

  it("at the start of a paragraph, leaves an empty paragraph of the same style before the table", () =>
    assert.deepStrictEqual(outline(draft(insert(1, "T"), named(1, 2, "HEADING_1"), table(1, 1, 1))), [
      "HEADING_1 ",
      "",
      "HEADING_1 T"
    ]))

  it("gives the cells the surrounding text style", () =>
    assert.deepStrictEqual(outline(draft(insert(1, "ab"), bold(1, 3), table(2, 1, 1), insert(6, "x"))), [
      "**a**",
      "**x**",
      "**b**"
    ]))

  it("adds and removes rows and columns", () => {
    const at = { tableCellLocation: { tableStartLocation: { index: 2 }, rowIndex: 0, columnIndex: 0 } }
    const filled = draft(table(1, 1, 1), insert(5, "x"))
    const grown = after(
      filled,
      { insertTableRow: { ...at, insertBelow: true } },
      { insertTableColumn: { ...at, insertRight: false } }
    )
    assert.deepStrictEqual(outline(grown), ["", "", "x", "", "", ""])
    assert.deepStrictEqual(
      outline(
        after(grown, { deleteTableColumn: at }, {
          deleteTableRow: { tableCellLocation: { ...at.tableCellLocation, rowIndex: 1 } }
        })
      ),
      ["", "x", ""]
    )
    assert.deepStrictEqual(outline(after(filled, { deleteTableRow: at })), ["", ""])
  })
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
