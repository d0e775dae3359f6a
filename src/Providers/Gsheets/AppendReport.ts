import type { Lines, Updated } from "./Answers.ts"
import type { AppendPlan } from "./AppendPlan.ts"
import { coercions, reportedCoercions } from "./Coercions.ts"
import { lastDataRow } from "./LastDataRow.ts"

/** What a caller is told of an append that went where the plan says. */
export const appendReport = (
  { createsHeaders, left, lines, top }: AppendPlan,
  { updatedCells = 0, updatedData, updatedRange }: Updated,
  misplaced?: string
) => {
  const headers = createsHeaders ? 1 : 0
  const { warning: cut, ...coerced } = reportedCoercions(coercions(lines, updatedData?.values ?? [], { top, left }))
  const warnings = [misplaced, cut, fragileRows(lines.slice(headers), top + headers)].filter((each) =>
    each !== undefined
  )
  return {
    updated_range: updatedRange,
    first_row: top + headers + 1,
    rows_appended: lines.length - headers,
    cells: updatedCells,
    ...(createsHeaders ? { headers_created: true } : {}),
    ...coerced,
    ...(warnings.length === 0 ? {} : { warning: warnings.join(" ") })
  }
}

/** Lines that count as empty to the next append; `firstRow` is the zero-based row of the first. */
const fragileRows = (lines: Lines, firstRow: number): string | undefined => {
  const rows = lines.flatMap((line, index) => lastDataRow([line]) === -1 ? [firstRow + index + 1] : [])
  return rows.length === 0
    ? undefined
    : `Row ${
      rows.slice(0, 20).join(", ")
    } holds nothing but false, which counts as empty, as unticked checkboxes do: ` +
      "at the end of the tab the next append writes over it."
}
