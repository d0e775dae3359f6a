import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsRead } from "../../../../src/Providers/Gsheets/Tools/Read.ts"
import { answers, fakeSpreadsheet, id, oneTab, refusals, spreadsheetOf, type Values } from "../FakeSpreadsheet.ts"

const people: Values = [["Name", "Age", "Since"], ["Ann", 31, "2020-01-01"], ["Bob", "", "12:30"]]
const titled: Values = [["Report"], [], ["Name", "Age"], ["Ann", 31]]
const large = { rowCount: 30_000, columnCount: 20 }

const numbered = (count: number): Values => [["n"], ...Array.from({ length: count }, (_, index) => [index + 1])]
const blank = (count: number): Values => Array.from({ length: count }, () => [null])

const data = { spreadsheetId: id, tab: "Data" }

const offGrid = {
  spreadsheet: spreadsheetOf([{ title: "Other" }, {
    title: "Data",
    typed: [["x", "", "", ""], ["", "Name", "Age", ""], ["", "Ann", 31, "late"], ["", "Bob", 4, ""]]
  }])
}

const cells = (title: string): { title: string; typed: Values } => ({ title, typed: [["in"], [title]] })
const address = (fragment: string) => `https://docs.google.com/spreadsheets/d/${id}/edit#${fragment}`

const pagesOf = Effect.fnUntraced(function*(fake: ReturnType<typeof fakeSpreadsheet>, input: object) {
  const pages: Array<ReadonlyArray<number>> = []
  let offset: number | undefined = 0
  while (offset !== undefined && pages.length < 20) {
    const page: { rows: ReadonlyArray<{ n: number }>; has_more: boolean; next_offset?: number } = yield* fake
      .call(sheetsRead, { ...input, offset })
    assert.strictEqual(page.has_more, page.next_offset !== undefined)
    pages.push(page.rows.map(({ n }) => n))
    offset = page.next_offset
  }
  return pages
})

describe("sheets_read", () => {
  answers(sheetsRead, {
    "reads rows as objects with their row numbers, the values typed": {
      on: people,
      whole: {
        ...data,
        columns: ["Name", "Age", "Since"],
        rows: [
          { _row: 2, Name: "Ann", Age: 31, Since: "2020-01-01" },
          { _row: 3, Name: "Bob", Age: null, Since: "12:30" }
        ],
        returned: 2,
        has_more: false,
        total_rows: 2
      },
      sends: ["spreadsheets.get", "values.get"]
    },
    "takes empty texts for fields that are left out": {
      on: people,
      input: { tab: "", range: "", values: "" },
      answer: { returned: 2 }
    },
    "gives a calculated number the digits that the spreadsheet shows": {
      on: [["Total"], [107.88000000000001], [-0.1 - 0.2], [9007199254740991]],
      answer: { rows: [{ _row: 2, Total: 107.88 }, { _row: 3, Total: -0.3 }, { _row: 4, Total: 9007199254740991 }] }
    },
    "has the numbers of any format as numbers, 0 and false, and digits and errors as texts": {
      on: [["money", "share", "large", "n", "b", "zip", "ref", "div"], [
        "$1,234.50",
        "25%",
        "1.2E+12",
        0,
        false,
        "'007",
        "=Gone!A1",
        "=1/0"
      ]],
      answer: {
        rows: [
          {
            _row: 2,
            money: 1234.5,
            share: 0.25,
            large: 1.2e12,
            n: 0,
            b: false,
            zip: "007",
            ref: "#REF!",
            div: "#DIV/0!"
          }
        ]
      }
    },
    "lists the keys in order, numeric ones too": {
      on: [["b", "2024", "a"], [1, 2, 3]],
      answer: { columns: ["b", "2024", "a"] }
    },
    "names blank and repeated columns and reports them": {
      on: [[" Email ", "", "Email", "Email_2", "_row"], ["a", "b", "c", "d", "e", "f"]],
      answer: {
        columns: ["Email", "col_B", "Email_3", "Email_2", "_row_2", "col_F"],
        renamed: { col_B: "B", Email_3: "C", _row_2: "E", col_F: "F" },
        rows: [{ _row: 2, Email: "a", col_B: "b", Email_3: "c", Email_2: "d", _row_2: "e", col_F: "f" }]
      }
    },
    "includes blank rows on request, and none after the last row": {
      on: [["n"], [1], [null], [2]],
      input: { include_blank_rows: true },
      answer: { rows: [{ _row: 2, n: 1 }, { _row: 3, n: null }, { _row: 4, n: 2 }], total_rows: 3 }
    },
    "is empty after the last row of a large tab": {
      on: { spreadsheet: oneTab(numbered(3), large) },
      input: { offset: 900_000 },
      answer: { has_more: false, returned: 0 }
    },
    "returns 100 rows by default, and says that there are more": {
      on: numbered(120),
      answer: { returned: 100, has_more: true, next_offset: 100, total_rows: 120 }
    },
    "has the header in `header_row` and does not read the rows above": {
      on: titled,
      input: { header_row: 3 },
      answer: { columns: ["Name", "Age"], rows: [{ _row: 4, Name: "Ann", Age: 31 }], total_rows: 1 }
    },
    "has column letters as keys without a header": {
      on: titled,
      input: { header_row: 0 },
      answer: {
        columns: ["A", "B"],
        rows: [{ _row: 1, A: "Report", B: null }, { _row: 3, A: "Name", B: "Age" }, { _row: 4, A: "Ann", B: 31 }]
      }
    },
    "cuts long cells between characters and counts what is missing": {
      on: [["a", "b"], ["x".repeat(2000), `${"x".repeat(1999)}🚀${"y".repeat(10)}`]],
      answer: { rows: [{ _row: 2, a: "x".repeat(2000), b: `${"x".repeat(1999)}…(+12)` }] }
    },
    "returns a single larger row whole": {
      on: { spreadsheet: oneTab([["a"], ...Array(2).fill(Array(40).fill("x".repeat(2000)))], { columnCount: 40 }) },
      answer: { returned: 1, next_offset: 1 }
    }
  })

  it.effect.each<readonly [values: string, row: object]>([
    ["unformatted", { "1": 2.5, "2026": 2 }],
    ["formatted", { "1": "$2.50", "2026": "2" }],
    ["formula", { "1": 2.5, "2026": "=1+1" }]
  ])("uses the same keys for %s values", ([values, row]) =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab([["=2000+26", "$1"], ["=1+1", "$2.50"]]))
      assert.deepStrictEqual((yield* fake.call(sheetsRead, { values })).rows, [{ _row: 2, ...row }])
    }))

  describe("pages", () => {
    it.effect.each([
      { name: "a tab", tab: {} },
      { name: "a tab of more than 500,000 cells", tab: large }
    ])("return every row of $name once, also after gaps", ({ tab }) =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(numbered(7), tab))
        assert.deepStrictEqual(yield* pagesOf(fake, { limit: 3 }), [[1, 2, 3], [4, 5, 6], [7]])
        assert.deepStrictEqual(yield* pagesOf(fake, { limit: 7 }), [[1, 2, 3, 4, 5, 6, 7]])
        const gaps = fakeSpreadsheet(oneTab([["n"], [1], ...blank(9), [2], [null], [3]], tab))
        assert.deepStrictEqual((yield* pagesOf(gaps, { limit: 2 })).flat(), [1, 2, 3])
      }))

    it.effect("have at most about 60 kB and continue there", () =>
      Effect.gen(function*() {
        const rows = Array.from({ length: 80 }, (_, index) => [index, "x".repeat(1500)])
        const fake = fakeSpreadsheet(oneTab([["n", "text"], ...rows]))
        const first = yield* fake.call(sheetsRead, { limit: 1000 })
        assert.isBelow(JSON.stringify(first).length, 61_000)
        assert.deepInclude(first, { returned: 39, has_more: true, next_offset: 39, total_rows: 80 })
        const second = yield* fake.call(sheetsRead, { limit: 1000, offset: first.next_offset })
        assert.strictEqual(second.rows[0].n, 39)
      }))
  })

  it.effect.each<readonly [range: string, keys: ReadonlyArray<string>, rows: ReadonlyArray<number>]>([
    ["B2:C4", ["Name", "Age"], [3, 4]],
    ["B2:C", ["Name", "Age"], [3, 4]],
    ["$B$2:$C$3", ["Name", "Age"], [3]],
    ["C4:B2", ["Name", "Age"], [3, 4]],
    ["data!B2:C4", ["Name", "Age"], [3, 4]],
    ["B2:C9000", ["Name", "Age"], [3, 4]]
  ])("of the range %s has the header in its first row", ([range, keys, rows]) =>
    Effect.gen(function*() {
      const input = { range, ...range.includes("!") ? {} : { tab: "Data" } }
      const answer = yield* fakeSpreadsheet(offGrid.spreadsheet).call(sheetsRead, input)
      assert.deepStrictEqual(answer.columns, keys)
      assert.deepStrictEqual(answer.rows.map(({ _row }: { _row: number }) => _row), rows)
    }))

  refusals(sheetsRead, {
    "a header row beyond the grid": [
      titled,
      { header_row: 1001 },
      ["header_row"],
      "There is no such row: the tab \"Data\" has 1000 rows and 26 columns."
    ],
    "the name of a range": [offGrid, { range: "Names" }, ["range"], "Expected cells in A1 notation"],
    "a tab as range": [offGrid, { range: "Data" }, ["range"], "\"Data\" is a tab: pass it as `tab`"],
    "a range beyond the grid": [
      offGrid,
      { range: "A2000:B2001" },
      ["range"],
      "starts beyond the grid: the tab \"Other\" has 1000 rows"
    ],
    "a header row beside a range": [
      offGrid,
      { range: "B2:C4", header_row: 3 },
      ["header_row"],
      "the header is the first row of the range, 2"
    ]
  })
})

describe("The tab of a read", () => {
  const spreadsheet = spreadsheetOf([
    { title: "Chart", sheetId: 9, type: "OBJECT", rowCount: 0, columnCount: 0 },
    { ...cells("Hidden"), sheetId: 7, hidden: true },
    { ...cells("Página1"), sheetId: 12 },
    { ...cells("Zero"), sheetId: 0 },
    { ...cells("12"), sheetId: 5 },
    { ...cells("data"), sheetId: 20 },
    { ...cells("DATA"), sheetId: 21 },
    { ...cells("Mixed Case"), sheetId: 22 }
  ])

  it.effect.each<readonly [behaviour: string, input: object, tab: string]>([
    ["is by default the first visible tab with cells", {}, "Página1"],
    ["can be named by the id 0", { tab: 0 }, "Zero"],
    ["can be named by the id 0 in the URL", { spreadsheet: address("gid=0") }, "Zero"],
    ["can be named by an id in the URL", { spreadsheet: address("gid=20") }, "data"],
    ["has a text of digits as title before it has it as id", { tab: "12" }, "12"],
    ["has a number as id before it has it as title", { tab: 12 }, "Página1"],
    ["has an exact title before one in another case", { tab: "DATA" }, "DATA"],
    ["has a title in any case", { tab: "mixed case" }, "Mixed Case"]
  ])("%s", ([, input, tab]) =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* fakeSpreadsheet(spreadsheet).call(sheetsRead, input)).rows, [{
        _row: 2,
        in: tab === "12" ? 12 : tab
      }])
    }))

  const sends = ["spreadsheets.get"]
  refusals(sheetsRead, {
    "a chart": [{ spreadsheet }, { tab: "Chart" }, ["tab"], "\"Chart\" is a chart and has no cells", sends],
    "an unknown title, naming the choices": [{ spreadsheet }, { tab: "Nope" }, ["tab"], "The nearest tabs are ", sends],
    "a URL with an unknown id": [
      { spreadsheet },
      { spreadsheet: address("gid=99") },
      ["spreadsheet"],
      "no tab with the id 99",
      sends
    ]
  })
})
