import { Effect, Schema, Struct } from "effect"
import type { InvalidInput, RateLimited } from "../../../Api/Errors.ts"
import { DocumentReference } from "../../Google/FileReference.ts"
import { described, tool } from "../../Provider.ts"
import { choice, optionalText } from "../../Tooling/Fields.ts"
import { Integer } from "../../Tooling/Integer.ts"
import { revisionField, revisionOf, writeDocument } from "../DocumentCalls.ts"
import { structureQuery } from "../DocumentQueries.ts"
import { invalidField } from "../InvalidField.ts"
import type { Heading } from "../Reading/Outline.ts"
import type { Document } from "../Responses.ts"
import { formatField, tabField, textField } from "../Schemas.ts"
import { allTabs, chooseTab, type TabView } from "../Tabs.ts"
import { textBlocks } from "../TextBlocks.ts"
import { matchHeading } from "../Writing/HeadingMatch.ts"
import { insertBlocks, type Insertion, insertionFields } from "../Writing/Insertion.ts"
import { linkTargetsIn } from "../Writing/LinkTargets.ts"
import type { NewBlock } from "../Writing/NewBlocks.ts"
import { normalizeText } from "../Writing/NormalizeText.ts"
import { headingsOf, placeAtHeading, placeAtIndex, type Placement } from "../Writing/Placement.ts"
import { applyMarks, insertText } from "../Writing/Requests.ts"
import { UnsupportedContent, unsupportedField, unsupportedNote } from "../Writing/UnsupportedContent.ts"

const Input = Schema.Struct({
  document: DocumentReference,
  text: textField("What to insert."),
  heading: optionalText({
    description: "The heading to insert at: its text or its `headingId`.",
    maxLength: 1000
  }),
  index: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 })).annotate({
      description: "The index to insert at, as in docs_read. At the start of a paragraph the text goes before it."
    })
  ),
  occurrence: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })).annotate({
      description: "Which of several matching headings, counted from 1. Required when several match."
    })
  ),
  placement: choice(["below_heading", "section_end"], {
    description: "`section_end` is before the next heading of the same or a higher level.",
    default: "below_heading"
  }),
  format: formatField,
  tab: tabField("The tab to insert into; by default the first"),
  expect_revision: optionalText({
    description: "The `revisionId` from docs_read: nothing is written when the document has another.",
    maxLength: 1000
  })
}).check(Schema.makeFilter(({ heading, index }) => {
  if ((heading === undefined) !== (index === undefined)) return undefined
  return {
    path: [heading === undefined ? "heading" : "index"],
    issue: "Expected exactly one of \"heading\", \"index\""
  }
}))

type Input = typeof Input.Type

export const docsInsert = tool({
  name: "docs_insert",
  ...described([
    "Inserts text or simple markdown below a heading (matched by its text) or at an index from docs_read.",
    "Exactly one of `heading` or `index` must be passed.",
    "Only text without paragraphs can go inside a paragraph; it takes its style.",
    "Everything is written in one step, or nothing is.",
    "What a document cannot hold, such as images, is named in `unsupported`.",
    "Repeating the call inserts again.",
    "To append use docs_append."
  ], [
    "`below_heading` precedes the section's content, `section_end` follows it.",
    "No matching heading, or several without `occurrence`, is an error that lists candidates.",
    "Other text keeps its style.",
    "`startIndex` (of the text), `endIndex` (of the tab) and `chars` count UTF-16 code units.",
    "After a concurrent edit the write is tried once more; a second conflict is an error.",
    unsupportedNote,
    "To change words use docs_replace_text."
  ]),
  writes: true,
  input: Input,
  resources: { names: ({ document }) => document.documentId },
  output: Schema.Struct({
    documentId: Schema.String,
    tab: Schema.String,
    ...insertionFields,
    heading: Schema.optionalKey(Schema.Struct({ text: Schema.String, level: Integer, start: Integer })),
    ...revisionField,
    warning: Schema.optionalKey(Schema.String),
    ...unsupportedField
  }),
  run: Effect.fnUntraced(function*(input, provider) {
    const unsupported = new UnsupportedContent()
    const { plan, response } = yield* writeDocument(
      provider,
      input.document.documentId,
      structureQuery,
      (document) => planInsertion(document, input, unsupported)
    )
    return {
      documentId: input.document.documentId,
      ...Struct.omit(plan, ["requests"]),
      ...revisionOf(response),
      ...unsupported.field
    }
  })
})

interface PlannedInsertion extends Insertion {
  readonly tab: string
  readonly heading?: Pick<Heading, "text" | "level" | "start">
  readonly warning?: string
}

const planInsertion = Effect.fnUntraced(function*(
  document: Document,
  input: Input,
  unsupported: UnsupportedContent
): Effect.fn.Return<PlannedInsertion, InvalidInput | RateLimited> {
  const { expect_revision, format, tab: wanted = input.document.tab, text } = input
  if (expect_revision !== undefined && expect_revision !== document.revisionId) {
    return yield* invalidField(
      "expect_revision",
      `The document has changed since: its revision is ${document.revisionId}. Read it again.`
    )
  }
  const tab = yield* chooseTab(allTabs(document), wanted)
  const blocks = yield* textBlocks(text, format, linkTargetsIn(document, tab), unsupported)
  const { heading: wantedHeading, index = 0 } = input
  const placement = wantedHeading === undefined
    ? placeAtIndex(tab, index, blocks)
    : placeAtHeading(tab, wantedHeading, input)
  if ("message" in placement) {
    return yield* invalidField(placement.field, placement.message + otherTabHint(document, tab, input))
  }
  if (placement.kind === "inline") return { tab: tab.id, ...insertInline(placement, tab, text) }
  const insertion = insertBlocks(blocks, placement.point, tab, unsupported)
  const { heading } = placement
  if (heading === undefined) return { tab: tab.id, ...insertion }
  const warning = input.placement === "below_heading" ? sectionWarning(blocks, heading) : undefined
  return {
    tab: tab.id,
    ...insertion,
    heading: { text: heading.text, level: heading.level, start: heading.start },
    ...(warning === undefined ? {} : { warning })
  }
})

const otherTabHint = (document: Document, tab: TabView, { heading = "" }: Input): string => {
  if (heading === "" || "heading" in matchHeading(headingsOf(tab), heading, 1)) return ""
  const other = allTabs(document).find((each) =>
    each.id !== tab.id && "heading" in matchHeading(headingsOf(each), heading, 1)
  )
  return other === undefined ? "" : ` The tab "${other.title}" (${other.id}) has it.`
}

const sectionWarning = ([first]: ReadonlyArray<NewBlock>, heading: Heading): string | undefined => {
  if (first?.kind !== "paragraphs") return undefined
  const level = Number(/^HEADING_(\d)$/.exec(first.paragraphs[0]?.style.namedStyle ?? "")?.[1] ?? Infinity)
  return level > heading.level
    ? undefined
    : `The text begins with a heading of level ${level}, so what was below "${heading.text}" now stands below that one. ` +
      "With `placement` \"section_end\" it goes after the section."
}

const insertInline = (
  { inTable, index, paragraph }: Extract<Placement, { readonly kind: "inline" }>,
  { endIndex, id }: TabView,
  text: string
): Insertion => {
  const source = trimEnd(normalizeText(text), "\n")
  const leading = source.trim() === "" ? source : /^[ \t]*/.exec(source)?.[0] ?? ""
  const trailing = source.trim() === "" ? "" : source.slice(trimEnd(source, " \t").length)
  const content = source === paragraph.text ? source : leading + paragraph.text + trailing
  const offset = source === paragraph.text ? 0 : leading.length
  const scope = { tabId: id, inTable }
  return {
    requests: [
      insertText(scope, index, content),
      ...paragraph.runs.map(({ end, marks, start }) =>
        applyMarks(scope, { from: index + offset + start, to: index + offset + end }, marks)
      )
    ],
    startIndex: index,
    endIndex: endIndex + content.length,
    chars: content.length
  }
}

/** `/[ \t]*$/` would take quadratic time. */
const trimEnd = (text: string, characters: string): string => {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
