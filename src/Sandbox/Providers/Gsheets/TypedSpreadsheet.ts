import { Result } from "effect"
import type { Day } from "../../Data/Day.ts"
import { callMethod, createSpreadsheet } from "./Engine/Methods.ts"
import type { Spreadsheet } from "./Engine/Spreadsheet.ts"

export type Row = ReadonlyArray<string | number | boolean | null>

/** A new spreadsheet with rows, by range, as a person types them. */
export const typedSpreadsheet = (
  spreadsheetId: string,
  today: Day,
  body: object,
  rows: Readonly<Record<string, ReadonlyArray<Row>>>
): Spreadsheet => {
  const now = today * 86_400_000
  return Result.getOrThrow(Result.gen(function*() {
    let { spreadsheet } = yield* createSpreadsheet(spreadsheetId, { body, query: {}, now })
    for (const [range, values] of Object.entries(rows)) {
      const written = yield* callMethod("values.update", spreadsheet, {
        params: { spreadsheetId, range },
        query: { valueInputOption: ["USER_ENTERED"] },
        body: { values },
        now
      })
      spreadsheet = written.spreadsheet
    }
    return spreadsheet
  }))
}
