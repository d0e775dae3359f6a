/** The first cell of a range in A1 notation, whose columns and rows are counted from 1. Rows start at 1 in `Tab!A:B`. */
export const cornerOf = (range: string): { readonly column: number; readonly row: number } | undefined => {
  const cells = range.slice(range.lastIndexOf("!") + 1)
  const [, letters, row = "1"] = /^\$?([A-Za-z]{1,3})(?:\$?(\d+)(?::|$)|:)/.exec(cells) ?? []
  if (letters === undefined) return undefined
  const column = [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  return { column, row: Number(row) }
}

/** The name of a column that is counted from 1: `A`, `Z`, `AA`. */
export const lettersOf = (column: number): string =>
  column <= 0 ? "" : lettersOf(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + (column - 1) % 26)
