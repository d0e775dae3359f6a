/** What a document cannot hold, or not as it is written; the text itself is always kept. */
export type Kind =
  | "image"
  | "raw HTML"
  | "link"
  | "footnote"
  | "ticked task"
  | "task in a numbered list"
  | "list that starts at"
  | "list deeper than nine levels"
  | "quote around a list in an item"
  | "quote around a table"
  | "code language"

const written: Readonly<Record<Kind, string>> = {
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
}

/** Messages are to be read, not to repeat the text. */
const longest = 60
const most = 50

/** Collects what could not be written as it is; each thing once. */
export class Unsupported {
  readonly #found = new Set<string>()

  add(kind: Kind, what: string): void {
    const text = what.replace(/\s+/g, " ").trim()
    const short = text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
    const named = kind === "list that starts at" ? `${kind} ${short}` : short === "" ? kind : `${kind} "${short}"`
    this.#found.add(`${named}: ${written[kind]}`)
  }

  /** For a tool's output: absent when everything is as it was written. */
  get field(): { readonly unsupported?: ReadonlyArray<string> } {
    const found = [...this.#found]
    if (found.length === 0) return {}
    return { unsupported: found.length <= most ? found : [...found.slice(0, most), `and ${found.length - most} more`] }
  }
}
