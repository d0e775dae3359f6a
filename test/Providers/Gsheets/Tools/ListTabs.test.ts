import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsListTabs } from "../../../../src/Providers/Gsheets/Tools/ListTabs.ts"
import { fakeProvider } from "../../../support/FakeProvider.ts"
import { fakeSpreadsheet, id, spreadsheetOf } from "../FakeSpreadsheet.ts"

const accounts = spreadsheetOf([
  { title: "Jon's", typed: [["Name", "", "Name"], ["Ann"]], grid: { frozenRowCount: 1 } },
  { title: "Old", sheetId: 812, hidden: true, rowCount: 20, columnCount: 3 },
  { title: "Chart", sheetId: 4, type: "OBJECT", rowCount: 0, columnCount: 0 },
  { title: "Warehouse", sheetId: 6, type: "DATA_SOURCE", rowCount: 500, columnCount: 4 }
])

describe("sheets_list_tabs", () => {
  it.effect("lists every tab with its grid, hidden ones and charts too", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* fakeSpreadsheet(accounts).call(sheetsListTabs, {}), {
        spreadsheetId: id,
        title: "Accounts",
        url: `https://docs.google.com/spreadsheets/d/${id}/edit`,
        locale: "en_US",
        time_zone: "Etc/GMT",
        tabs: [
          { tab: "Jon's", tab_id: 0, index: 0, rows: 1000, columns: 26, frozen_rows: 1 },
          { tab: "Old", tab_id: 812, index: 1, rows: 20, columns: 3, frozen_rows: 0, hidden: true },
          { tab: "Chart", tab_id: 4, index: 2, type: "chart" },
          { tab: "Warehouse", tab_id: 6, index: 3, rows: 500, columns: 4, frozen_rows: 0, type: "data_source" }
        ]
      })
    }))

  it.effect("requests no cells", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(accounts)
      yield* fake.call(sheetsListTabs, {})
      assert.lengthOf(fake.calls, 1)
      assert.notMatch(String(fake.calls[0]?.input.query?.["fields"]), /data|spreadsheetUrl/)
    }))

  it.effect("returns the keys of row 1 on request", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(accounts)
      const { tabs } = yield* fake.call(sheetsListTabs, { include_headers: true })
      assert.deepStrictEqual(
        tabs.map(({ headers }: { headers?: ReadonlyArray<string> }) => headers),
        [["Name", "col_B", "Name_2"], [], undefined, undefined]
      )
      assert.deepStrictEqual(fake.calls[1], {
        endpoint: "values.batchGet",
        input: {
          path: { spreadsheetId: id },
          query: {
            ranges: ["'Jon''s'!1:1", "'Old'!1:1"],
            majorDimension: "ROWS",
            valueRenderOption: "UNFORMATTED_VALUE",
            dateTimeRenderOption: "FORMATTED_STRING"
          }
        }
      })
    }))

  it.effect("returns headers for the first 20 grids", () =>
    Effect.gen(function*() {
      const many = spreadsheetOf(Array.from({ length: 25 }, (_, index) => ({ title: `T${index}`, typed: [["h"]] })))
      const { tabs } = yield* fakeSpreadsheet(many).call(sheetsListTabs, { include_headers: true })
      assert.strictEqual(tabs.filter(({ headers }: { headers?: unknown }) => headers !== undefined).length, 20)
      assert.lengthOf(tabs, 25)
    }))

  it.effect("reads no headers in a spreadsheet of charts", () =>
    Effect.gen(function*() {
      const charts = spreadsheetOf([{ title: "Chart", type: "OBJECT", rowCount: 0, columnCount: 0 }])
      const fake = fakeSpreadsheet(charts)
      yield* fake.call(sheetsListTabs, { include_headers: true })
      assert.lengthOf(fake.calls, 1)
    }))

  it.effect("returns a URL without the account's id", () =>
    Effect.gen(function*() {
      const { provider } = fakeProvider(() => ({
        spreadsheetId: id,
        properties: { title: "T" },
        sheets: [],
        spreadsheetUrl: `https://docs.google.com/spreadsheets/d/${id}/edit?ouid=123456`
      }))
      const answer = yield* sheetsListTabs.run({ spreadsheet: { spreadsheetId: id }, include_headers: false }, provider)
      assert.notInclude(JSON.stringify(answer), "ouid")
    }))
})
