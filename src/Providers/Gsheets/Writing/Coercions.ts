import { Schema } from "effect"
import { cellName } from "../A1.ts"
import { type CellRows, CellValue, flatMapCells } from "../CellValues.ts"

export const Coercion = Schema.Struct({ cell: Schema.String, sent: CellValue, stored: CellValue })
export type Coercion = typeof Coercion.Type

const maxReported = 100

/** None without `updated`: the response then does not say what is stored. */
export const coercions = (
  sent: CellRows,
  updated: { readonly values?: CellRows } | undefined,
  { left, top }: { readonly top: number; readonly left: number }
): ReadonlyArray<Coercion> => {
  if (updated === undefined) return []
  const { values: stored = [] } = updated
  return flatMapCells(sent, (value, row, column) => {
    const found = stored[row]?.[column] ?? ""
    return value === null || isEquivalent(value, found)
      ? []
      : [{ cell: cellName(top + row, left + column), sent: value, stored: found }]
  })
}

export const coercionFields = {
  coerced: Schema.optionalKey(Schema.Array(Coercion)),
  warning: Schema.optionalKey(Schema.String)
}

export const coercionReport = (all: ReadonlyArray<Coercion>) => ({
  ...(all.length === 0 ? {} : { coerced: all.slice(0, maxReported) }),
  ...(all.length > maxReported
    ? {
      warning:
        `${all.length} cells were stored as something else than was sent; \`coerced\` has the first ${maxReported}.`
    }
    : {})
})

/** The apostrophe that forces text is not stored. Formulas may be stored in another spelling. */
const isEquivalent = (sent: CellValue, stored: CellValue): boolean =>
  sent === stored ||
  (typeof sent === "string" && typeof stored === "string" &&
    (sent === `'${stored}` || (sent.trimStart().startsWith("=") && stored.startsWith("="))))
