import { Effect, Schema } from "effect"
import type { InvalidInput } from "../../Api/Errors.ts"
import { DocumentReference } from "../Google/FileReference.ts"
import { tool } from "../Provider.ts"
import { choice, optionalText } from "../Tooling/Fields.ts"
import { mistake } from "./Mistakes.ts"
import type { DocumentAnswer } from "./Read/DocumentAnswer.ts"
import type { Heading } from "./Read/Outline.ts"
import { tabsOf, type TabView } from "./Read/Tabs.ts"
import { tabOf } from "./TabOf.ts"
import { textBlocks } from "./TextBlocks.ts"
import { formatField, tabField, textField, unsupportedNote } from "./ToolFields.ts"
import type { Block } from "./Write/Blocks.ts"
import { destinationIn } from "./Write/Destination.ts"
import { matchHeading } from "./Write/HeadingMatch.ts"
import { headingsOf, type Place, placeByHeading, placeByIndex, type Placed } from "./Write/InsertPlace.ts"
import { type Plan, planBlocks } from "./Write/Plan.ts"
import { insertText, markText } from "./Write/Requests.ts"
import { revisionOf, writeDocument } from "./Write/Send.ts"
import { structureQuery } from "./Write/Structure.ts"
import { normalizeText } from "./Write/Text.ts"
import { Unsupported } from "./Write/Unsupported.ts"

const Input = Schema.Struct({
  document: DocumentReference,
  text: textField("What to insert."),
  heading: optionalText({
    description: "The heading to insert at: its text, or its `headingId`. Exactly one of `heading` and `index`.",
    maxLength: 1000
  }),
  index: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 })).annotate({
      description: "The index to insert at, as in docs_read; at a paragraph's start it goes before that paragraph. " +
        "Exactly one of `heading` and `index`."
    })
  ),
  occurrence: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })).annotate({
      description: "Which of several matching headings, counted from 1; needed when several match."
    })
  ),
  placement: choice(["below_heading", "section_end"], {
    description:
      "`below_heading` is directly under the heading, before what is there; `section_end` is before the next " +
      "heading of the same or a higher level.",
    default: "below_heading"
  }),
  format: formatField,
  tab: tabField("The tab to insert into; by default the first"),
  expect_revision: optionalText({
    description:
      "The `revisionId` that the document has to have, as docs_read gave it; with another one nothing is written.",
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
  description: [
    "Inserts text or simple markdown below a heading (matched by its text) or at an index from docs_read. Exactly one of",
    "`heading` or `index` must be passed.",
    "Freshness: it is there at once; `revisionId` is the state after it.",
    "Window: one place in one tab, the first tab by default; nothing else is restyled. In the middle of a paragraph only text",
    "without paragraphs of its own can go, and it takes the style that is there.",
    "Units: `startIndex` (where the text begins), `endIndex` (the tab's end) and `chars` are in UTF-16 code units.",
    "Order: the text's own; `below_heading` goes before what is under the heading, `section_end` after it.",
    "Truncation: none; all of it is written in one step or nothing is. When somebody changes the document meanwhile, it is",
    "read and tried once more; a second time is an error, and nothing is written.",
    "Empty: no heading that matches, or several without `occurrence`, is an error that lists the candidates.",
    unsupportedNote,
    "Repeating the call inserts again. At the end of a document use docs_append; to change words docs_replace_text."
  ].join(" "),
  writes: true,
  input: Input,
  run: Effect.fnUntraced(function*(input, provider) {
    const unsupported = new Unsupported()
    const { answer, plan } = yield* writeDocument(
      provider,
      input.document.documentId,
      structureQuery,
      (document) => planned(document, input, unsupported)
    )
    return {
      documentId: input.document.documentId,
      tab: plan.tab,
      startIndex: plan.startIndex,
      endIndex: plan.endIndex,
      chars: plan.chars,
      ...(plan.heading === undefined ? {} : { heading: plan.heading }),
      ...revisionOf(answer),
      ...(plan.warning === undefined ? {} : { warning: plan.warning }),
      ...unsupported.field
    }
  })
})

interface InsertPlan extends Plan {
  readonly tab: string
  readonly heading?: Pick<Heading, "text" | "level" | "start">
  readonly warning?: string
}

const planned = Effect.fnUntraced(function*(
  document: DocumentAnswer,
  input: Input,
  unsupported: Unsupported
): Effect.fn.Return<InsertPlan, InvalidInput> {
  const { expect_revision, format, tab: wanted = input.document.tab, text } = input
  if (expect_revision !== undefined && expect_revision !== document.revisionId) {
    return yield* mistake(
      "expect_revision",
      `The document has changed since: its revision is ${document.revisionId}. Read it again.`
    )
  }
  const tab = yield* tabOf(tabsOf(document), wanted)
  const blocks = yield* textBlocks(text, format, destinationIn(document, tab), unsupported)
  const placed = placeOf(tab, blocks, input)
  if ("message" in placed) return yield* mistake(placed.field, placed.message + elsewhere(document, tab, input))
  if (placed.kind === "inline") return { tab: tab.id, ...insertLine(placed, tab, text) }
  const plan = planBlocks(blocks, placed.spot, tab, unsupported)
  const { heading } = placed
  if (heading === undefined) return { tab: tab.id, ...plan }
  const warning = input.placement === "below_heading" ? takesOver(blocks, heading) : undefined
  return {
    tab: tab.id,
    ...plan,
    heading: { text: heading.text, level: heading.level, start: heading.start },
    ...(warning === undefined ? {} : { warning })
  }
})

const placeOf = (
  tab: TabView,
  blocks: ReadonlyArray<Block>,
  { heading, index, occurrence, placement }: Input
): Placed =>
  heading === undefined
    ? placeByIndex(tab, index ?? 0, blocks)
    : placeByHeading(tab, { heading, occurrence, placement })

/** Where a heading that this tab does not have is. */
const elsewhere = (document: DocumentAnswer, tab: TabView, { heading = "" }: Input): string => {
  if (heading === "" || "heading" in matchHeading(headingsOf(tab), heading, 1)) return ""
  const other = tabsOf(document).find((each) =>
    each.id !== tab.id && "heading" in matchHeading(headingsOf(each), heading, 1)
  )
  return other === undefined ? "" : ` The tab "${other.title}" (${other.id}) has it.`
}

/** What stood below the heading would belong to the heading that is inserted there. */
const takesOver = ([first]: ReadonlyArray<Block>, heading: Heading): string | undefined => {
  if (first?.kind !== "paragraphs") return undefined
  const level = Number(/^HEADING_(\d)$/.exec(first.lines[0]?.look.named ?? "")?.[1] ?? Infinity)
  return level > heading.level
    ? undefined
    : `The text begins with a heading of level ${level}, so what was below "${heading.text}" now stands below that one. ` +
      "With `placement` \"section_end\" it goes after the section."
}

/** Spaces around the text count where it goes into a sentence. */
const insertLine = (
  { inTable, index, line }: Extract<Place, { readonly kind: "inline" }>,
  { endIndex, id }: TabView,
  text: string
): Plan => {
  const source = normalizeText(text).replace(/\n+$/, "")
  const lead = source.trim() === "" ? source : /^[ \t]*/.exec(source)?.[0] ?? ""
  const trail = source.trim() === "" ? "" : /[ \t]*$/.exec(source)?.[0] ?? ""
  const own = source === line.text ? source : lead + line.text.trim() + trail
  const shift = source === line.text ? 0 : lead.length
  const scope = { tabId: id, inTable }
  return {
    requests: [
      insertText(scope, index, own),
      ...line.runs.map(({ end, marks, start }) =>
        markText(scope, { from: index + shift + start, to: index + shift + end }, marks)
      )
    ],
    startIndex: index,
    endIndex: endIndex + own.length,
    chars: own.length
  }
}
