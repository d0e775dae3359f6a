import { Schema } from "effect"

export const unsupportedNote =
  "What a document cannot hold (images, other HTML, ticked tasks, other first list numbers, code languages, footnotes) " +
  "is written as closely as possible and named in `unsupported`."

const outcomes = {
  image: "written as a link",
  "raw HTML": "written as text",
  link: "written as text",
  footnote: "written as text",
  "ticked task": "written as an open one",
  "task in a numbered list": "written as an item",
  "list that starts at": "numbered anew",
  "list deeper than nine levels": "written on the ninth",
  "quote around a list in an item": "written without the quote",
  "quote around a table": "written without the quote",
  "code language": "left out"
} as const

export const unsupportedField = { unsupported: Schema.optionalKey(Schema.Array(Schema.String)) }

const maxTextLength = 60
const maxListed = 50

export class UnsupportedContent {
  readonly #found = new Set<string>()

  add(kind: keyof typeof outcomes, text: string): void {
    const line = text.replace(/\s+/g, " ").trim()
    const short = line.length > maxTextLength ? `${line.slice(0, maxTextLength).toWellFormed()}…` : line
    const named = kind === "list that starts at" ? `${kind} ${short}` : short === "" ? kind : `${kind} "${short}"`
    this.#found.add(`${named}: ${outcomes[kind]}`)
  }

  addLines(lines: ReadonlyArray<string>): void {
    for (const line of lines) this.#found.add(line)
  }

  get lines(): ReadonlyArray<string> {
    return [...this.#found]
  }

  get field(): { readonly unsupported?: ReadonlyArray<string> } {
    const found = this.lines
    if (found.length === 0) return {}
    return {
      unsupported: found.length <= maxListed
        ? found
        : [...found.slice(0, maxListed), `and ${found.length - maxListed} more`]
    }
  }
}
