/** Zero-based. `bottom` and `right` are exclusive. Without them, the range reaches the last row or column. */
export interface CellRange {
  readonly top: number
  readonly left: number
  readonly bottom: number | undefined
  readonly right: number | undefined
}

export interface Rectangle extends CellRange {
  readonly bottom: number
  readonly right: number
}

export interface Size {
  readonly rows: number
  readonly columns: number
}

export const columnLetters = (column: number): string =>
  (column < 26 ? "" : columnLetters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + column % 26)

export const columnIndex = (letters: string): number =>
  [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

export const cellName = (row: number, column: number): string => `${columnLetters(column)}${row + 1}`

export const rectangleName = ({ bottom, left, right, top }: Rectangle): string =>
  bottom - top === 1 && right - left === 1
    ? cellName(top, left)
    : `${cellName(top, left)}:${cellName(bottom - 1, right - 1)}`

/** Always quoted: a bare title such as `A1`, `ENT2` or `R` can mean a cell or a named range. */
export const quotedTab = (title: string): string => `'${title.replaceAll("'", "''")}'`

export const rangeOnTab = (title: string, cells: string): string => `${quotedTab(title)}!${cells}`

export const splitTab = (text: string): { readonly tab: string | undefined; readonly cells: string } => {
  const quoted = /^'((?:[^']|'')*)'!(.*)$/su.exec(text)
  if (quoted !== null) return { tab: quoted[1]?.replaceAll("''", "'"), cells: quoted[2] ?? "" }
  const bang = text.lastIndexOf("!")
  return bang === -1 ? { tab: undefined, cells: text } : { tab: text.slice(0, bang), cells: text.slice(bang + 1) }
}

interface Corner {
  readonly row: number | undefined
  readonly column: number | undefined
}

const parseCorner = (text: string): Corner | undefined => {
  const match = /^\$?([A-Za-z]{1,3})?(?:\$?([1-9]\d{0,8}))?$/.exec(text)
  if (match === null || (match[1] === undefined && match[2] === undefined)) return undefined
  return {
    row: match[2] === undefined ? undefined : Number(match[2]) - 1,
    column: match[1] === undefined ? undefined : columnIndex(match[1])
  }
}

export const parseCells = (text: string): CellRange | undefined => {
  const [from, to, ...others] = text.split(":").map(parseCorner)
  if (from === undefined || others.length > 0) return undefined
  if (text.includes(":")) return to === undefined ? undefined : cellsBetween(from, to)
  return from.row === undefined || from.column === undefined ? undefined : cellsBetween(from, from)
}

const cellsBetween = (from: Corner, to: Corner): CellRange => {
  const [top, bottom] = between(from.row, to.row)
  const [left, right] = between(from.column, to.column)
  return { top, left, bottom, right }
}

const between = (from = 0, to: number | undefined): readonly [number, number | undefined] =>
  to === undefined ? [from, undefined] : [Math.min(from, to), Math.max(from, to) + 1]
