import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import {
  cellName,
  columnIndex,
  columnLetters,
  parseCells,
  quotedTab,
  rangeOnTab,
  rectangleName,
  splitTab
} from "../../../src/Providers/Gsheets/A1.ts"
import type { CellValue } from "../../../src/Providers/Gsheets/CellValues.ts"
import { columnKeys, letterKeys } from "../../../src/Providers/Gsheets/ColumnKeys.ts"
import { sheetsAppendRows } from "../../../src/Providers/Gsheets/Tools/AppendRows.ts"
import { sheetsListTabs } from "../../../src/Providers/Gsheets/Tools/ListTabs.ts"
import { sheetsRead } from "../../../src/Providers/Gsheets/Tools/Read.ts"
import { fakeSpreadsheet, oneTab, type Values } from "./FakeSpreadsheet.ts"

describe("A1 notation", () => {
  it.each(
    [[0, "A"], [25, "Z"], [26, "AA"], [51, "AZ"], [52, "BA"], [701, "ZZ"], [702, "AAA"], [18_277, "ZZZ"]] as const
  )("column %i is %s", (index, letters) => {
    assert.strictEqual(columnLetters(index), letters)
    assert.strictEqual(columnIndex(letters), index)
    assert.strictEqual(columnIndex(letters.toLowerCase()), index)
  })

  it.each([
    { text: "B2", cells: [1, 1, 2, 2] },
    { text: "$B$2", cells: [1, 1, 2, 2] },
    { text: "B2:D5", cells: [1, 1, 5, 4] },
    { text: "D5:B2", cells: [1, 1, 5, 4] },
    { text: "A:C", cells: [0, 0, undefined, 3] },
    { text: "2:3", cells: [1, 0, 3, undefined] },
    { text: "B2:C", cells: [1, 1, undefined, 3] },
    { text: "B2:4", cells: [1, 1, 4, undefined] }
  ])("reads $text", ({ cells, text }) => {
    const parsed = parseCells(text)
    assert.deepStrictEqual(parsed && [parsed.top, parsed.left, parsed.bottom, parsed.right], cells)
  })

  it.each(["", "A1 ", ..."A 2 A0 A1: :A1 A1:B2:C3 ABCD1 Name A1:A0 Table1[Col] R1C1 -1:2".split(" ")])(
    "%j is not a range",
    (text) => assert.isUndefined(parseCells(text))
  )

  it.each([
    { text: "A1:B2", tab: undefined, cells: "A1:B2" },
    { text: "Data!A1", tab: "Data", cells: "A1" },
    { text: "'Jon''s Data'!A1:Z1000", tab: "Jon's Data", cells: "A1:Z1000" },
    { text: "has!bang!A1", tab: "has!bang", cells: "A1" }
  ])("$text is on the tab $tab", ({ cells, tab, text }) => {
    assert.deepStrictEqual(splitTab(text), { tab, cells })
  })

  it("any quoted title is read back", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("'", "!", ":", "\n", "a", "1", " ", "🚀", "\u202E"), minLength: 1 }),
        (title) => {
          assert.deepStrictEqual(splitTab(rangeOnTab(title, "A1:B2")), { tab: title, cells: "A1:B2" })
          assert.match(quotedTab(title), /^'(?:[^']|'')*'$/u)
        }
      )
    )
  })

  it("cells and rectangles are read back", () => {
    fc.assert(fc.property(fc.nat(99_999), fc.nat(18_000), fc.nat(99), fc.nat(99), (top, left, rows, columns) => {
      const rectangle = { top, left, bottom: top + rows + 1, right: left + columns + 1 }
      assert.deepStrictEqual(parseCells(rectangleName(rectangle)), rectangle)
      assert.deepStrictEqual(parseCells(cellName(top, left)), { top, left, bottom: top + 1, right: left + 1 })
    }))
  })
})

describe("Column keys", () => {
  it.each<{ header: ReadonlyArray<CellValue>; keys: ReadonlyArray<string> }>([
    { header: ["a", "b"], keys: ["a", "b"] },
    { header: ["", null, "c"], keys: ["col_A", "col_B", "c"] },
    { header: ["a", "a", "a_2", "a"], keys: ["a", "a_3", "a_2", "a_4"] },
    { header: ["a_2", "a", "a"], keys: ["a_2", "a", "a_3"] },
    { header: ["col_B", ""], keys: ["col_B", "col_B_2"] },
    { header: ["", "col_A"], keys: ["col_A_2", "col_A"] },
    { header: ["_row", "_row"], keys: ["_row_2", "_row_3"] },
    { header: ["__proto__", "__proto__"], keys: ["__proto__", "__proto___2"] },
    { header: [2024, true, 1.5], keys: ["2024", "TRUE", "1.5"] }
  ])("of $header", ({ header, keys }) => {
    assert.deepStrictEqual(columnKeys(header, { width: header.length }).map(({ key }) => key), keys)
  })

  const header = fc.array(
    fc.oneof(fc.constantFrom("", "a", "a_2", "col_A", "col_C", "_row"), fc.string({ maxLength: 4 })),
    { maxLength: 12 }
  )

  it("are unique and never _row", () => {
    fc.assert(fc.property(header, (texts) => {
      const keys = columnKeys(texts, { width: texts.length + 3 }).map(({ key }) => key)
      assert.strictEqual(new Set(keys).size, keys.length)
      assert.notInclude(keys, "_row")
    }))
  })

  it("do not change when columns are added to the right", () => {
    fc.assert(fc.property(header, fc.nat(20), (texts, more) => {
      const keys = columnKeys(texts, { width: texts.length })
      assert.deepStrictEqual(columnKeys(texts, { width: texts.length + more }).slice(0, texts.length), keys)
    }))
  })

  it("count from the first column of a range", () => {
    assert.deepStrictEqual(columnKeys(["", "x"], { first: 3, width: 3 }), [
      { key: "col_D", index: 3, renamed: true },
      { key: "x", index: 4, renamed: false },
      { key: "col_F", index: 5, renamed: true }
    ])
    assert.deepStrictEqual(letterKeys({ first: 25, width: 2 }).map(({ key }) => key), ["Z", "AA"])
  })
})

const hostile = [
  ..."__proto__ constructor toString hasOwnProperty _row _row_2 col_A col_C Email email EMAIL Email_2 Email_3".split(
    " "
  ),
  ..."2024 0 =1+1 'quoted 007 true a.b[0] Größe 🚀👨‍👩‍👧 \u202Erev A1 x,y;z".split(" "),
  "line\nbreak"
]

const header = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...hostile) },
  { weight: 1, arbitrary: fc.constant("") },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) }
)

const value = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => text !== ""),
  fc.constantFrom("007", "1-2", "=1+1", "'x", "TRUE", "#REF!", " ", "12.50", "-5"),
  fc.integer(),
  // Reading returns the 15 digits that Spreadsheets shows.
  fc.double({ noNaN: true, min: -1e300, max: 1e300 }).map((number) => Number(number.toPrecision(15)) || 0),
  fc.boolean()
)

const table = fc.array(header, { minLength: 1, maxLength: 8 }).chain((headers) =>
  fc.record({
    headers: fc.constant(headers),
    rows: fc.array(
      fc.array(fc.option(value), { minLength: headers.length, maxLength: headers.length })
        .filter((row) => row.some((cell) => cell !== null && cell !== false)),
      { minLength: 1, maxLength: 5 }
    )
  })
)

const withoutPlace = (rows: ReadonlyArray<object>) =>
  rows.map((row) => Object.entries(row).filter(([key]) => key !== "_row").toSorted(([a], [b]) => a < b ? -1 : 1))

const isFilled = (row: object) => Object.values(row).some((cell) => cell !== null && cell !== false)

describe("Written values are read back", () => {
  it("rows appended by the keys of any header", () => {
    const isReadBack = Effect.fnUntraced(function*(headers: ReadonlyArray<string>, rows: Values) {
      const fake = fakeSpreadsheet(oneTab([], { columnCount: 12 }))
      fake.write([headers])
      const { tabs: [tab] } = yield* fake.call(sheetsListTabs, { include_headers: true })
      const keys: ReadonlyArray<string> = tab.headers
      fc.pre(headers.some((text) => text.trim() !== "") && keys.length <= 12)
      const filled = rows.map((row) => Object.fromEntries(keys.map((key, index) => [key, row[index] ?? null])))
        .filter(isFilled)
      fc.pre(filled.length > 0)
      yield* fake.call(sheetsAppendRows, { rows: filled })
      const answer = yield* fake.call(sheetsRead, { limit: 1000 })
      const columns: ReadonlyArray<string> = answer.columns
      const expected = filled.map((row) =>
        Object.fromEntries(columns.map((key) => [key, Object.hasOwn(row, key) ? row[key] : null]))
      )
      assert.deepStrictEqual(withoutPlace(answer.rows), withoutPlace(expected))
    })
    return fc.assert(
      fc.asyncProperty(
        table,
        ({ headers, rows }) => Effect.runPromise(Effect.provide(isReadBack(headers, rows), TestClock.layer()))
      ),
      { numRuns: 60 }
    )
  })
})
