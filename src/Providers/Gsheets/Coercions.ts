import { cellName } from "./A1.ts"
import type { CellValue, Lines } from "./Answers.ts"

export interface Coercion {
  readonly cell: string
  readonly sent: CellValue
  readonly stored: CellValue
}

const mostReported = 100

/**
 * The cells that hold something else than what was sent: `007` that has become 7. `stored` has formulas as formulas and
 * dates as numbers.
 */
export const coercions = (
  sent: Lines,
  stored: Lines,
  { left, top }: { readonly top: number; readonly left: number }
): ReadonlyArray<Coercion> =>
  sent.flatMap((line, row) =>
    line.flatMap((value, column) => {
      const found = stored[row]?.[column] ?? ""
      return value === null || isAlike(value, found)
        ? []
        : [{ cell: cellName(top + row, left + column), sent: value, stored: found }]
    })
  )

/** What goes into an answer. */
export const reportedCoercions = (all: ReadonlyArray<Coercion>) => ({
  ...(all.length === 0 ? {} : { coerced: all.slice(0, mostReported) }),
  ...(all.length > mostReported
    ? {
      warning:
        `${all.length} cells were stored as something else than was sent; \`coerced\` has the first ${mostReported}.`
    }
    : {})
})

/** An apostrophe in front asks for text and is not stored; a formula may be stored in another spelling. */
const isAlike = (sent: CellValue, stored: CellValue): boolean =>
  sent === stored ||
  (typeof sent === "string" && typeof stored === "string" &&
    (sent === `'${stored}` || (sent.trimStart().startsWith("=") && stored.startsWith("="))))
