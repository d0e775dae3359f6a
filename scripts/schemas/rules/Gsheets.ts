import type { Module } from "../Rules.ts"

export const gsheets: Module = {
  document: "sheets-v4",
  roots: [
    "ValueRange",
    "BatchUpdateValuesRequest",
    "ClearValuesRequest",
    "Spreadsheet",
    "BatchUpdateSpreadsheetRequest"
  ],
  output: "src/Providers/Gsheets/Generated.ts",
  imports: ["import { CellValues } from \"./Values.ts\""],
  rules: {
    ValueRange: { fields: { values: "CellValues" } },
    BatchUpdateValuesRequest: {
      required: ["valueInputOption"],
      fields: { valueInputOption: "Schema.Literals([\"RAW\", \"USER_ENTERED\"])" }
    },
    Request: { union: true },
    BatchUpdateSpreadsheetRequest: { required: ["requests"] }
  }
}
