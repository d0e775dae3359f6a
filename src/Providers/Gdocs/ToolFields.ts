import { choice, optionalText, text } from "../Tooling/Fields.ts"

/** `documents.batchUpdate` takes more; a text of this size is some sixty pages. */
export const longestText = 200_000

export const tabField = (what: string) =>
  optionalText({ description: `${what}: its id (\`t.0\`) or its title.`, maxLength: 500 })

export const markdownNote =
  "Markdown: headings 1 to 6, paragraphs, bold, italic, strikethrough, code, links, nested lists with " +
  "bullets, numbers or tasks, tables, fenced code, quotes and rules."

export const textField = (what: string) => text({ description: `${what} ${markdownNote}`, maxLength: longestText })

export const formatField = choice(["markdown", "plain"], {
  description: "`plain` takes every character as it is and makes a paragraph of every line.",
  default: "markdown"
})

export const unsupportedNote =
  "What a document cannot hold (images, raw HTML, ticked tasks, a list's other first number, code languages, footnotes) " +
  "is written as well as it can be and named in `unsupported`."
