import { columnLetters, quotedTab } from "../../../../../Providers/Gsheets/A1.ts"
import { type Reference, type ReferenceCorner, tokenize } from "./Tokenizer.ts"

const mapReferences = (formula: string, change: (reference: Reference) => Reference | undefined): string => {
  const found = tokenize(formula.slice(1))
  if (found === undefined) return formula
  const texts = found.map((token) => {
    if (token.kind !== "reference") return token.text
    const changed = change(token.reference)
    return changed === token.reference ? token.text : changed === undefined ? "#REF!" : referenceText(changed)
  })
  return `=${texts.join("")}`
}

const referenceText = ({ from, tab, to }: Reference): string => {
  const cells = to === undefined ? cornerText(from) : `${cornerText(from)}:${cornerText(to)}`
  return tab === undefined ? cells : `${/^[\p{L}_][\p{L}\p{N}_]*$/u.test(tab) ? tab : quotedTab(tab)}!${cells}`
}

const cornerText = ({ column, row }: ReferenceCorner): string =>
  `${column === undefined ? "" : `${column.fixed ? "$" : ""}${columnLetters(column.index)}`}${
    row === undefined ? "" : `${row.fixed ? "$" : ""}${row.index + 1}`
  }`

export interface Shift {
  readonly dimension: "ROWS" | "COLUMNS"
  readonly index: number
  readonly count: number
}

export const shiftSpan = (
  start: number,
  end: number,
  { count, index }: Shift
): { readonly start: number; readonly end: number } | undefined => {
  if (count >= 0) return { start: start >= index ? start + count : start, end: end > index ? end + count : end }
  const after = (place: number) => place <= index ? place : Math.max(index, place + count)
  const span = { start: after(start), end: after(end) }
  return span.end > span.start ? span : undefined
}

export const shiftFormula = (formula: string, shift: Shift, names: (reference: Reference) => boolean): string =>
  mapReferences(formula, (reference) => names(reference) ? shiftReference(reference, shift) : reference)

const shiftReference = (reference: Reference, shift: Shift): Reference | undefined => {
  const axis = shift.dimension === "ROWS" ? "row" : "column"
  const { from, to = from } = reference
  const start = from[axis]
  const end = to[axis]
  if (start === undefined && end === undefined) return reference
  const span = shiftSpan(start?.index ?? 0, (end?.index ?? Number.MAX_SAFE_INTEGER - 1) + 1, shift)
  if (span === undefined) return undefined
  return {
    ...reference,
    from: start === undefined ? from : { ...from, [axis]: { ...start, index: span.start } },
    to: reference.to === undefined || end === undefined
      ? reference.to
      : { ...to, [axis]: { ...end, index: span.end - 1 } }
  }
}
