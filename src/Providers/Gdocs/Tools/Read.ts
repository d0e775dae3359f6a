import { Effect, Option, Schema } from "effect"
import { InvalidInput, type ToolCallError } from "../../../Api/Errors.ts"
import type { JsonText } from "../../../Domain/Json/JsonText.ts"
import { DocumentReference } from "../../Google/FileReference.ts"
import { described, tool } from "../../Provider.ts"
import { choice, integer } from "../../Tooling/Fields.ts"
import { Integer } from "../../Tooling/Integer.ts"
import { decodeDocument, isLong } from "../DecodeDocument.ts"
import { documentsGet } from "../Endpoints.ts"
import { invalidField } from "../InvalidField.ts"
import { Heading } from "../Reading/Outline.ts"
import type { ReadRequest } from "../Reading/ReadDocument.ts"
import { tabField } from "../Schemas.ts"
import { everyTab } from "../Tabs.ts"
import type { JobsOfDocuments } from "../Worker/Jobs.ts"
import { runApart, runHere } from "../Worker/WorkerPool.ts"

export const docsRead = tool({
  name: "docs_read",
  ...described([
    "Reads a document as markdown-style text (headings, lists, tables, links), with title, `revisionId`, tabs, heading outline with indexes, and `endIndex`.",
    "Indexes count UTF-16 code units from the start of a tab.",
    "Markdown characters in the text are escaped (\\# tag); leave the backslashes out of `find` in docs_replace_text.",
    "When `truncated` is true, `nextStartIndex` is the next `start_index`, with `tab` \"*\" of the tab `next_tab`.",
    "`pending_suggestions` counts suggested changes, `note` what the text leaves out.",
    "For the indexes of single runs use the endpoint documents.get."
  ], [
    "Reads one tab without its child tabs, by default the first; `tab` \"*\" reads all tabs.",
    "Escaped text can be written back.",
    "`outline` is complete; in it, the title and the subtitle have level 0 and a `style`.",
    "`max_chars` ends the text after a paragraph or table.",
    "A document without text returns an empty `text`.",
    "Suggested changes are hidden unless `suggestions` is `mark`.",
    "Images are `![alt](object id)`, superscripts `<sup>2</sup>`."
  ]),
  writes: false,
  input: Schema.Struct({
    document: DocumentReference,
    tab: tabField("The tab to read, `*` for all of them; by default the first"),
    max_chars: integer({
      description: "The most characters to return. At least one paragraph or table is returned.",
      minimum: 1000,
      maximum: 200_000,
      default: 30_000
    }),
    start_index: integer({
      description: "Where to start: the previous `nextStartIndex` or a heading's `start`. Not with `tab` `*`.",
      minimum: 0,
      maximum: 2_147_483_647,
      default: 0
    }),
    format: choice(["markdown", "text"], {
      description:
        "`text` has no markdown: plain lines, list marks, cells separated by tabs, and `^(2)` for a superscript.",
      default: "markdown"
    }),
    suggestions: choice(["hide", "mark"], {
      description: "`hide` leaves suggested changes out; `mark` shows them as `{++added++}` and `{--removed--}`.",
      default: "hide"
    })
  }),
  resources: { names: ({ document }) => document.documentId },
  hasOwnFormat: true,
  output: Schema.Struct({
    documentId: Schema.String,
    title: Schema.String,
    url: Schema.String,
    revisionId: Schema.optionalKey(Schema.String),
    tab: Schema.String,
    tabs: Schema.Array(Schema.Struct({
      id: Schema.String,
      title: Schema.String,
      level: Integer,
      parent: Schema.optionalKey(Schema.String)
    })),
    outline: Schema.Array(Heading),
    endIndex: Schema.NullOr(Integer),
    text: Schema.String,
    truncated: Schema.Boolean,
    nextStartIndex: Schema.optionalKey(Integer),
    next_tab: Schema.optionalKey(Schema.String),
    pending_suggestions: Schema.optionalKey(Integer),
    note: Schema.optionalKey(Schema.String)
  }),
  run: Effect.fnUntraced(function*({ document, format, max_chars, start_index, suggestions, tab }, provider) {
    const wanted = tab ?? document.tab
    if (wanted === everyTab && start_index > 0) {
      return yield* invalidField("start_index", "An index belongs to one tab: name it as `tab` to go on in it.")
    }
    const request: ReadRequest = {
      documentId: document.documentId,
      wanted,
      options: { format, suggestions, maxChars: max_chars, startIndex: start_index }
    }
    const readView = (suggestionsViewMode: "SUGGESTIONS_INLINE" | "PREVIEW_WITHOUT_SUGGESTIONS") =>
      provider.callWith(
        documentsGet,
        {
          path: { documentId: document.documentId },
          query: { includeTabsContent: true, suggestionsViewMode, prettyPrint: false }
        },
        (body) => readBody(body, request)
      )
    return yield* Effect.catchIf(
      readView("SUGGESTIONS_INLINE"),
      isForbidden,
      () => readView("PREVIEW_WITHOUT_SUGGESTIONS")
    )
  })
})

/** Also the refusal for an account that may view the document, but not its suggestions. */
const isForbidden = (error: ToolCallError): boolean =>
  error._tag === "UpstreamError" ? error.status === 403 : error._tag === "CredentialsRejected" && error.denied

const readBody = (body: JsonText, request: ReadRequest) => {
  if (!isLong(body)) {
    const document = decodeDocument(body.value)
    if (Option.isNone(document)) return Effect.succeedNone
    if (!isLarge(document.value)) {
      return Effect.flatMap(runHere("readDocument", { document: document.value, request }), toRead)
    }
  }
  return runApart("decodeAndRead", request, [body]).pipe(
    Effect.catchTag(
      "JobTooLong",
      () => invalidField("format", "The document takes too long to write as markdown. Set `format` to \"text\".")
    ),
    Effect.flatMap(toRead)
  )
}

const toRead = (output: JobsOfDocuments["decodeAndRead"]["output"]) => {
  if (output === null) return Effect.succeedNone
  return "read" in output ? Effect.succeedSome(output.read) : Effect.fail(new InvalidInput(output))
}

/**
 * JSON values and the UTF-16 code units of their strings. Serializing markdown takes quadratic time at worst: up to
 * this size, 100 ms.
 */
const maxSizeInProcess = 20_000

const isLarge = (value: unknown): boolean => {
  const waiting = [value]
  for (let size = 0; waiting.length > 0; size++) {
    if (size + waiting.length > maxSizeInProcess) return true
    const next = waiting.pop()
    if (typeof next === "string") size += next.length
    if (typeof next === "object" && next !== null) { for (const each of Object.values(next)) waiting.push(each) }
  }
  return false
}
