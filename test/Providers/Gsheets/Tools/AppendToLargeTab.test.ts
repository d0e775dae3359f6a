import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsAppendRows } from "../../../../src/Providers/Gsheets/Tools/AppendRows.ts"
import { fakeProvider } from "../../../support/FakeProvider.ts"
import { callWith, fakeSpreadsheet, id, issuesOf, oneTab } from "../FakeSpreadsheet.ts"

const writes = (fake: ReturnType<typeof fakeSpreadsheet>) =>
  fake.calls.map(({ endpoint }) => endpoint).filter((endpoint) => !/get$/i.test(endpoint))

describe("sheets_append_rows on a tab of more than 500,000 cells", () => {
  const large = { rowCount: 60_000, columnCount: 10 }

  it.effect("the provider finds the end and inserts the rows", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab([["", "Name", "Age"], ["", "Ann", 31]], large))
      const answer = yield* fake.call(sheetsAppendRows, { rows: [{ Age: 4 }, { Name: "Cy" }] })
      assert.deepStrictEqual(answer, {
        spreadsheetId: id,
        tab: "Data",
        updated_range: "Data!B3:C4",
        first_row: 3,
        rows_appended: 2,
        cells: 2
      })
      assert.deepStrictEqual(fake.values("Data!A1:C6"), [["", "Name", "Age"], ["", "Ann", 31], ["", "", 4], [
        "",
        "Cy"
      ]])
      assert.deepStrictEqual(fake.calls.map(({ endpoint }) => endpoint), [
        "spreadsheets.get",
        "values.get",
        "values.append"
      ])
      assert.deepInclude(fake.calls[2]?.input.query, { insertDataOption: "INSERT_ROWS", valueInputOption: "RAW" })
    }))

  it.effect.each([
    { place: "Data!C1:D1", warns: true },
    { place: "Data!D4:E4", warns: true },
    { place: "", warns: true },
    { place: "'a!b'!B4:C4", warns: false },
    { place: "Data!A4:B4", warns: false }
  ])("rows placed at $place are checked", ({ place, warns }) =>
    Effect.gen(function*() {
      const { provider } = fakeProvider((endpoint) =>
        endpoint === "spreadsheets.get"
          ? {
            spreadsheetId: id,
            properties: {},
            sheets: [{ properties: { title: "Data", gridProperties: large } }]
          }
          : endpoint === "values.get"
          ? { values: [["", "Name", "Age"]] }
          : { updates: { updatedRange: place, updatedCells: 2 } }
      )
      const { warning } = yield* callWith(provider, sheetsAppendRows, {
        spreadsheet: id,
        rows: [{ Name: "x", Age: 1 }]
      })
      assert.strictEqual(warning?.includes("not below the header") ?? false, warns)
    }))

  it.effect("a blank header is refused", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab([], large))
      const [issue] = yield* issuesOf(fake.call(sheetsAppendRows, { rows: [{ a: 1 }] }))
      assert.deepStrictEqual(issue?.path, ["input", "header_row"])
      assert.deepStrictEqual(writes(fake), [])
    }))

  it.effect("a formula is refused with its column", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab([["Name"], ["Ann"]], large))
      const [issue] = yield* issuesOf(fake.call(sheetsAppendRows, { rows: [{ Name: "=1" }], parse: true }))
      assert.deepStrictEqual(issue?.path, ["input", "rows", 0, "Name"])
      assert.include(issue?.message, "A cell of column A would get \"=1\"")
    }))
})
