import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsRead } from "../../../../src/Providers/Gsheets/Tools/Read.ts"
import { fakeSpreadsheet, id, issuesOf, oneTab, type Values } from "../FakeSpreadsheet.ts"

const people: Values = [["Name", "Age", "Since"], ["Ann", 31, "2020-01-01"], ["Bob", "", "12:30"]]

const numbered = (count: number): Values => [["n"], ...Array.from({ length: count }, (_, index) => [index + 1])]

const pagesOf = (fake: ReturnType<typeof fakeSpreadsheet>, input: object) =>
  Effect.gen(function*() {
    const pages: Array<ReadonlyArray<number>> = []
    let offset: number | undefined = 0
    while (offset !== undefined && pages.length < 20) {
      const page: { rows: ReadonlyArray<{ n: number }>; has_more: boolean; next_offset?: number } = yield* fake
        .call(
          sheetsRead,
          { ...input, offset }
        )
      assert.strictEqual(page.has_more, page.next_offset !== undefined)
      pages.push(page.rows.map(({ n }) => n))
      offset = page.next_offset
    }
    return pages
  })

describe("sheets_read", () => {
  it.effect("reads rows as objects with their row numbers, the values typed", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab(people))
      assert.deepStrictEqual(yield* fake.call(sheetsRead, {}), {
        spreadsheetId: id,
        tab: "Data",
        columns: ["Name", "Age", "Since"],
        rows: [
          { _row: 2, Name: "Ann", Age: 31, Since: "2020-01-01" },
          { _row: 3, Name: "Bob", Age: null, Since: "12:30" }
        ],
        returned: 2,
        has_more: false,
        total_rows: 2
      })
    }))

  it.effect("gives a calculated number the digits that the spreadsheet shows", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab([["Total"], [107.88000000000001], [-0.1 - 0.2], [9007199254740991]]))
      const { rows }: { rows: ReadonlyArray<Record<string, unknown>> } = yield* fake.call(sheetsRead, {})
      assert.deepStrictEqual(rows.map((row) => row["Total"]), [107.88, -0.3, 9007199254740991])
    }))

  it.effect("sends two requests, for the tabs and for the cells", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab(people))
      yield* fake.call(sheetsRead, {})
      assert.deepStrictEqual(fake.calls.map(({ endpoint }) => endpoint), ["spreadsheets.get", "values.get"])
    }))

  it.effect("an empty tab has no columns and no rows", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab([]))
      assert.deepStrictEqual(yield* fake.call(sheetsRead, {}), {
        spreadsheetId: id,
        tab: "Data",
        columns: [],
        rows: [],
        returned: 0,
        has_more: false,
        total_rows: 0
      })
    }))

  it.effect("names blank and repeated columns and reports them", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(
        oneTab([[" Email ", "", "Email", "Email_2", "_row"], ["a", "b", "c", "d", "e", "f"]])
      )
      const { columns, renamed, rows } = yield* fake.call(sheetsRead, {})
      assert.deepStrictEqual(columns, ["Email", "col_B", "Email_3", "Email_2", "_row_2", "col_F"])
      assert.deepStrictEqual(renamed, { col_B: "B", Email_3: "C", _row_2: "E", col_F: "F" })
      assert.deepStrictEqual(rows, [
        { _row: 2, Email: "a", col_B: "b", Email_3: "c", Email_2: "d", _row_2: "e", col_F: "f" }
      ])
    }))

  describe("pages", () => {
    const large = { rowCount: 30_000, columnCount: 20 }

    it.effect.each([
      { name: "a tab", tab: {} },
      { name: "a tab of more than 500,000 cells", tab: large }
    ])("return every row of $name once", ({ tab }) =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(numbered(7), tab))
        assert.deepStrictEqual(yield* pagesOf(fake, { limit: 3 }), [[1, 2, 3], [4, 5, 6], [7]])
        assert.deepStrictEqual(yield* pagesOf(fake, { limit: 7 }), [[1, 2, 3, 4, 5, 6, 7]])
      }))

    it.effect.each([
      { name: "a tab", tab: {} },
      { name: "a tab of more than 500,000 cells", tab: large }
    ])("continue after the gaps of $name", ({ tab }) =>
      Effect.gen(function*() {
        const gap = Array.from({ length: 9 }, () => [null])
        const fake = fakeSpreadsheet(oneTab([["n"], [1], ...gap, [2], [null], [3]], tab))
        assert.deepStrictEqual((yield* pagesOf(fake, { limit: 2 })).flat(), [1, 2, 3])
      }))

    it.effect("include blank rows only on request, and none after the last row", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab([["n"], [1], [null], [2]]))
        assert.strictEqual((yield* fake.call(sheetsRead, {})).total_rows, 2)
        const { rows, total_rows } = yield* fake.call(sheetsRead, { include_blank_rows: true })
        assert.deepStrictEqual(rows, [{ _row: 2, n: 1 }, { _row: 3, n: null }, { _row: 4, n: 2 }])
        assert.strictEqual(total_rows, 3)
      }))

    it.effect("of a large tab include the blank rows of a gap on request", () =>
      Effect.gen(function*() {
        const gap = Array.from({ length: 5 }, () => [null])
        const fake = fakeSpreadsheet(oneTab([["n"], [1], ...gap, [2]], large))
        const pages = yield* pagesOf(fake, { limit: 2, include_blank_rows: true })
        assert.deepStrictEqual(pages.flat(), [1, null, null, null, null, null, 2])
      }))

    it.effect("of a large tab take two requests", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(numbered(7), large))
        const { total_rows } = yield* fake.call(sheetsRead, { limit: 3 })
        assert.isUndefined(total_rows)
        assert.deepStrictEqual(fake.calls.map(({ endpoint }) => endpoint), ["spreadsheets.get", "values.batchGet"])
        assert.deepStrictEqual(fake.calls[1]?.input.query?.["ranges"], ["'Data'!A1:T1", "'Data'!A2:T5"])
      }))

    it.effect("of a very wide tab have at most 500,000 cells", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(numbered(120), { rowCount: 600, columnCount: 5000 }))
        const pages = yield* pagesOf(fake, { limit: 1000 })
        assert.deepStrictEqual(pages.map(({ length }) => length), [100, 20])
      }))

    it.effect("after the last row are empty", () =>
      Effect.gen(function*() {
        for (const tab of [{}, large]) {
          const fake = fakeSpreadsheet(oneTab(numbered(3), tab))
          const { has_more, returned } = yield* fake.call(sheetsRead, { offset: 900_000 })
          assert.deepStrictEqual({ has_more, returned }, { has_more: false, returned: 0 })
        }
      }))
  })

  it.effect("cuts long cells between characters and counts what is missing", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(
        oneTab([["a", "b"], ["x".repeat(2000), `${"x".repeat(1999)}🚀${"y".repeat(10)}`]])
      )
      const { rows: [row] } = yield* fake.call(sheetsRead, {})
      assert.strictEqual(row.a, "x".repeat(2000))
      assert.strictEqual(row.b, `${"x".repeat(1999)}…(+12)`)
    }))

  it.effect("cuts a page at about 60 kB and continues there", () =>
    Effect.gen(function*() {
      const rows = Array.from({ length: 80 }, (_, index) => [index, "x".repeat(1500)])
      const fake = fakeSpreadsheet(oneTab([["n", "text"], ...rows]))
      const first = yield* fake.call(sheetsRead, { limit: 1000 })
      assert.isBelow(JSON.stringify(first).length, 61_000)
      assert.deepInclude(first, { returned: 39, has_more: true, next_offset: 39, total_rows: 80 })
      const second = yield* fake.call(sheetsRead, { limit: 1000, offset: first.next_offset })
      assert.strictEqual(second.rows[0].n, 39)
    }))

  it.effect("returns a single larger row whole", () =>
    Effect.gen(function*() {
      const wide = Array.from({ length: 40 }, () => "x".repeat(2000))
      const fake = fakeSpreadsheet(oneTab([["a"], wide, wide], { columnCount: 40 }))
      const { next_offset, returned } = yield* fake.call(sheetsRead, {})
      assert.deepStrictEqual({ returned, next_offset }, { returned: 1, next_offset: 1 })
    }))

  it.effect("uses the same keys for formulas and formatted texts", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab([["=2000+26", "$1"], ["=1+1", "$2.50"]]))
      const read = (values: string) => Effect.map(fake.call(sheetsRead, { values }), ({ rows }) => rows)
      assert.deepStrictEqual(yield* read("unformatted"), [{ _row: 2, "1": 2.5, "2026": 2 }])
      assert.deepStrictEqual(yield* read("formatted"), [{ _row: 2, "1": "$2.50", "2026": "2" }])
      assert.deepStrictEqual(yield* read("formula"), [{ _row: 2, "1": 2.5, "2026": "=1+1" }])
    }))

  describe("header_row", () => {
    const titled: Values = [["Report"], [], ["Name", "Age"], ["Ann", 31]]

    it.effect("sets the header; rows above are not read", () =>
      Effect.gen(function*() {
        const { columns, rows, total_rows } = yield* fakeSpreadsheet(oneTab(titled)).call(sheetsRead, {
          header_row: 3
        })
        assert.deepStrictEqual(columns, ["Name", "Age"])
        assert.deepStrictEqual(rows, [{ _row: 4, Name: "Ann", Age: 31 }])
        assert.strictEqual(total_rows, 1)
      }))

    it.effect("0 makes column letters the keys", () =>
      Effect.gen(function*() {
        const { columns, rows } = yield* fakeSpreadsheet(oneTab(titled)).call(sheetsRead, { header_row: 0 })
        assert.deepStrictEqual(columns, ["A", "B"])
        assert.deepStrictEqual(rows.map(({ _row }: { _row: number }) => _row), [1, 3, 4])
      }))

    it.effect("beyond the grid is refused", () =>
      Effect.gen(function*() {
        const issues = yield* issuesOf(fakeSpreadsheet(oneTab(titled)).call(sheetsRead, { header_row: 1001 }))
        assert.deepStrictEqual(issues, [{
          path: ["input", "header_row"],
          message: "There is no such row: the tab \"Data\" has 1000 rows and 26 columns."
        }])
      }))
  })
})
