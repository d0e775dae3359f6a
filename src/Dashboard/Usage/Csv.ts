/** A text that a spreadsheet would take for a formula starts with an apostrophe. */
const cell = (value: string | number): string => {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
}

/** As in RFC 4180. */
export const csvOf = (rows: ReadonlyArray<ReadonlyArray<string | number>>): string =>
  rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("")
