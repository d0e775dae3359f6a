import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsListTabs } from "../../../../src/Providers/Gsheets/Tools/ListTabs.ts"
import { fakeSpreadsheet, id, spreadsheetOf } from "../FakeSpreadsheet.ts"

const accounts = spreadsheetOf([
  { title: "Jon's", typed: [["Name", "", "Name"], ["Ann"]], grid: { frozenRowCount: 1 } },
  { title: "Old", sheetId: 812, hidden: true, rowCount: 20, columnCount: 3 },
  { title: "Chart", sheetId: 4, type: "OBJECT", rowCount: 0, columnCount: 0 },
  { title: "Warehouse", sheetId: 6, type: "DATA_SOURCE", rowCount: 500, columnCount: 4 }
])

describe("sheets_list_tabs", () => {
  it.effect("lists every tab with its grid, hidden ones and charts too, without a look at the cells", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(accounts)
      assert.deepStrictEqual(yield* fake.call(sheetsListTabs, {}), {
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
      assert.lengthOf(fake.calls, 1)
      assert.notMatch(String(fake.calls[0]?.input.query?.["fields"]), /data|spreadsheetUrl/)
    }))

  it.effect("returns the keys of row 1 on request, of the first 20 grids in one request", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(spreadsheetOf([
        { title: "Jon's", typed: [["Name", "", "Name"], ["Ann"]] },
        { title: "Chart", type: "OBJECT", rowCount: 0, columnCount: 0 },
        ...Array.from({ length: 25 }, (_, index) => ({ title: `T${index}`, typed: [["h"]] }))
      ]))
      const { tabs } = yield* fake.call(sheetsListTabs, { include_headers: true })
      const headers = tabs.map(({ headers }: { headers?: ReadonlyArray<string> }) => headers)
      assert.deepStrictEqual(headers.slice(0, 3), [["Name", "col_B", "Name_2"], undefined, ["h"]])
      assert.lengthOf(headers.filter((keys: unknown) => keys !== undefined), 20)
      assert.lengthOf(fake.calls, 2)
      assert.deepInclude(fake.calls[1]?.input.query, {
        majorDimension: "ROWS",
        valueRenderOption: "UNFORMATTED_VALUE",
        dateTimeRenderOption: "FORMATTED_STRING"
      })
    }))
})
