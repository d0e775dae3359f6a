import { type Cells, cellsBetween, type Corner } from "../../../../Providers/Gsheets/A1.ts"

const notation = /^(R(?:0*([1-9]\d*)|\[(\d+)\])?)?(C(?:0*([1-9]\d*)|\[(\d+)\])?)?$/i

const parseCorner = (text: string): Corner | undefined => {
  const match = text === "" ? null : notation.exec(text)
  if (match === null) return undefined
  const [, rowPart, row, rowOffset, columnPart, column, columnOffset] = match
  return [row, rowOffset, column, columnOffset].every((number) => number === undefined)
    ? { row: 0, column: 0 }
    : { row: index(rowPart, row, rowOffset), column: index(columnPart, column, columnOffset) }
}

/** A number counts from 1, one in brackets from A1; a letter without a number is the first row, or column. */
const index = (part: string | undefined, absolute: string | undefined, offset: string | undefined) => {
  if (absolute !== undefined) return Number(absolute) - 1
  if (offset !== undefined) return Number(offset)
  return part === undefined ? undefined : 0
}

/** The other notation of a range: `R1C1:R2C3`, `R[0]C[1]`, `C[2]`. A1 notation goes first where a text is both. */
export const parseR1C1 = (text: string): Cells | undefined => {
  const corners = text.split(":").map(parseCorner)
  const [from, to = from] = corners
  return from === undefined || to === undefined || corners.length > 2 || corners.includes(undefined)
    ? undefined
    : cellsBetween(from, to)
}
