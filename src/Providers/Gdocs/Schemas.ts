import { Schema } from "effect"
import { choice, optionalText, text } from "../Tooling/Fields.ts"

export const SuggestionsViewMode = Schema.Literals([
  "DEFAULT_FOR_CURRENT_ACCESS",
  "SUGGESTIONS_INLINE",
  "PREVIEW_SUGGESTIONS_ACCEPTED",
  "PREVIEW_WITHOUT_SUGGESTIONS"
]).annotate({
  description: "How suggested changes are shown. Editors get `SUGGESTIONS_INLINE` by default. The indexes of " +
    "`documents.batchUpdate` are those of `SUGGESTIONS_INLINE`.",
  default: "DEFAULT_FOR_CURRENT_ACCESS"
})

export const NewDocument = Schema.Struct({
  title: Schema.optionalKey(Schema.String.annotate({ description: "The new document's title." }))
}).annotate({ description: "The new document." })

const namedRangeMessage = "Expected 1 to 256 UTF-16 code units"

export const NamedRangeName = Schema.String.check(
  Schema.isMinLength(1, { message: namedRangeMessage }),
  Schema.isMaxLength(256, { message: namedRangeMessage })
)

/** About sixty pages. `documents.batchUpdate` accepts more. */
export const maxTextLength = 200_000

export const tabField = (purpose: string) =>
  optionalText({ description: `${purpose}: its id (\`t.0\`) or its title.`, maxLength: 500 })

export const markdownNote =
  "Markdown: headings, emphasis, code, links, nested lists, tasks, tables, quotes, rules, `<sup>` and `<sub>`."

export const textField = (purpose: string) =>
  text({ description: `${purpose} ${markdownNote}`, maxLength: maxTextLength })

export const formatField = choice(["markdown", "plain"], {
  description: "`plain` keeps every character and makes each line a paragraph.",
  default: "markdown"
})
