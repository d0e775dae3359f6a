import { Schema } from "effect"
import { Integer } from "../../Tooling/Integer.ts"
import { type CellRows, lastDataRow } from "../CellValues.ts"
import type { UpdateValuesResponse } from "../Responses.ts"
import type { AppendPlan } from "./AppendPlan.ts"
import { coercionFields, coercionReport, coercions } from "./Coercions.ts"

export const appendReportFields = {
  updated_range: Schema.String,
  first_row: Integer,
  rows_appended: Integer,
  cells: Integer,
  headers_created: Schema.optionalKey(Schema.Boolean),
  ...coercionFields
}

export const appendReport = (
  { createsHeaders, left, values, top }: AppendPlan,
  { updatedCells = 0, updatedData, updatedRange }: UpdateValuesResponse & { readonly updatedRange: string },
  misplaced?: string
) => {
  const headers = createsHeaders ? 1 : 0
  const { warning: cut, ...coerced } = coercionReport(coercions(values, updatedData, { top, left }))
  const warnings = [misplaced, cut, fragileRows(values.slice(headers), top + headers)].filter((each) =>
    each !== undefined
  )
  return {
    updated_range: updatedRange,
    first_row: top + headers + 1,
    rows_appended: values.length - headers,
    cells: updatedCells,
    ...(createsHeaders ? { headers_created: true } : {}),
    ...coerced,
    ...(warnings.length === 0 ? {} : { warning: warnings.join(" ") })
  }
}

const fragileRows = (values: CellRows, firstRow: number): string | undefined => {
  const rows = values.flatMap((cells, index) => lastDataRow([cells]) === -1 ? [firstRow + index + 1] : [])
  return rows.length === 0
    ? undefined
    : `Row ${
      rows.slice(0, 20).join(", ")
    } holds nothing but false, which counts as empty, like an unticked checkbox. ` +
      "At the end of the tab the next append overwrites it."
}
