export const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`

/** An invisible character between characters that would be markup in one of the services. */
const invisible = "\u200B"

/** Not empty, because some services refuse an empty text. */
const nothing = "…"

/**
 * A text that no service reads as markup: one line without control and direction characters, addresses, links of
 * Markdown, and tags or mentions in angle brackets. At most `max` UTF-16 code units.
 */
export const plain = (text: string, max: number): string => {
  const line = text
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .replace(/\](?=\()|<|:(?=\/\/)|\bwww(?=\.)/giu, `$&${invisible}`)
  if (line.length <= max) return line === "" ? nothing : line
  return `${line.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "").trimEnd()}…`
}
