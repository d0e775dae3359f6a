import type { Lines } from "./Answers.ts"

/**
 * The index of the last line that holds data, -1 without any. Cells that hold nothing, nothing but an empty text (as
 * under an array formula), or `false` (as under a column of checkboxes) are no data; gaps between lines do not end it.
 */
export const lastDataRow = (lines: Lines): number =>
  lines.findLastIndex((line) => line.some((value) => value !== "" && value !== null && value !== false))
