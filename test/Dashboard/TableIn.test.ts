import { assert, it } from "@effect/vitest"
import { tableIn } from "../../src/Dashboard/Data/TableIn.ts"

it("A table of a sheet has its columns in the order of the sheet, also those that are years", () => {
  const sheet = { columns: ["name", "2024", "2023"], rows: [{ _row: 2, name: "a", "2023": 1, "2024": 2 }] }
  const table = tableIn(sheet)
  assert.deepStrictEqual(table?.columns.map(({ name }) => name), ["_row", "name", "2024", "2023"])
  assert.deepStrictEqual(table?.rows, [[2, "a", 2, 1]])
})
