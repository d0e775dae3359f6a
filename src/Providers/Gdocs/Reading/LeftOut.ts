import { Struct } from "effect"
import {
  cellsOf,
  type DocumentTab,
  type ObjectProperties,
  type Paragraph,
  type ParagraphElement,
  type StructuralElement,
  type TextStyle
} from "../Responses.ts"
import { type Block, marksInCode } from "./Blocks.ts"
import { objectReplacement } from "./Inlines.ts"
import { headingStyleOf } from "./ParagraphStyle.ts"
import { serializePlainText } from "./PlainText.ts"
import { elementContent, isInserted, type SuggestionsMode } from "./Suggestions.ts"

/** How many things of each kind the text does not show. */
export type LeftOut = Readonly<Record<string, number>>

interface ReadForm {
  readonly format: "markdown" | "text"
  readonly suggestions: SuggestionsMode
}

export const countLeftOut = (
  { body, commentAnchors = {}, footers = {}, footnotes = {}, headers = {}, ...contents }: DocumentTab,
  blocks: ReadonlyArray<Block>,
  form: ReadForm
): LeftOut => {
  const { inlineObjects = {}, namedRanges = {}, positionedObjects = {} } = contents
  const kinds = [
    ...Object.values(headers).filter(hasContent).map(() => "header"),
    ...Object.values(footers).filter(hasContent).map(() => "footer"),
    ...[body, ...Object.values(footnotes)].flatMap((segment) => kindsIn(segment?.content, form, false)),
    ...Object.values(inlineObjects).flatMap(({ inlineObjectProperties }) => kindsInObject(inlineObjectProperties)),
    ...Object.values(positionedObjects)
      .flatMap(({ positionedObjectProperties }) => kindsInObject(positionedObjectProperties)),
    ...Object.keys(namedRanges).map(() => "named range"),
    ...Object.keys(commentAnchors).map(() => "comment")
  ]
  const placeholders = serializePlainText(blocks).split(objectReplacement).length - 1
  const equations = kinds.filter((kind) => kind === breakKinds.equation).length
  return addCounts([
    ...kinds.map((kind) => ({ [kind]: 1 })),
    { "chip of an unknown kind": placeholders - equations, "mark in code": marksInCode(blocks) }
  ])
}

export const addCounts = (counts: ReadonlyArray<LeftOut>): LeftOut => {
  const sums: Record<string, number> = {}
  for (const each of counts) {
    for (const [kind, count] of Object.entries(each)) if (count > 0) sums[kind] = (sums[kind] ?? 0) + count
  }
  return sums
}

export const leftOutNote = (leftOut: LeftOut): ReadonlyArray<string> => {
  const parts = Object.entries(leftOut).map(([kind, count]) => `${count} ${count === 1 ? kind : pluralOf(kind)}`)
  return parts.length === 0
    ? []
    : [`The text leaves out: ${parts.join(", ")}. The endpoint documents.get has them.`]
}

const pluralOf = (kind: string): string =>
  /\b(of|in|to)\b/.test(kind) ? kind.replace(/ (of|in|to) /, "s $1 ") : `${kind}s`

const unknown = "element of an unknown kind"

const kindsIn = (
  content: ReadonlyArray<StructuralElement> = [],
  form: ReadForm,
  inTable: boolean
): ReadonlyArray<string> =>
  content.flatMap(({ paragraph, sectionBreak, startIndex = 0, table, tableOfContents }) => {
    if (paragraph !== undefined) return kindsInParagraph(paragraph, form, inTable)
    if (tableOfContents !== undefined) return ["table of contents"]
    // Every document begins with one.
    if (sectionBreak !== undefined) return startIndex === 0 ? [] : ["section break"]
    return table === undefined
      ? [unknown]
      : cellsOf(table).flatMap((cell) => kindsIn(cell.content, form, true))
  })

const kindsInParagraph = (paragraph: Paragraph, form: ReadForm, inTable: boolean): ReadonlyArray<string> => {
  const shown = (paragraph.elements ?? []).filter((element) =>
    form.suggestions === "mark" || !isInserted(elementContent(element))
  )
  const styled = shown.filter(({ textRun }) => textRun === undefined || (textRun.content ?? "").trim() !== "")
  return [
    ...(paragraph.paragraphStyle?.pageBreakBefore === true ? ["page break"] : []),
    ...(inTable && headingStyleOf(paragraph) !== undefined ? ["heading style in a table"] : []),
    ...shown.flatMap((element) =>
      elementContent(element) === undefined
        ? [unknown]
        : Struct.keys(breakKinds).filter((kind) => element[kind] !== undefined).map((kind) => breakKinds[kind])
    ),
    ...(form.format === "text" ? shown.filter(hasHiddenAddress).map(() => "link") : []),
    ...Object.entries({ ...marksLost, ...(form.format === "text" ? marksOfMarkdown : {}) })
      .flatMap(([kind, isLost]) => passages(styled, isLost).map(() => kind))
  ]
}

const breakKinds = { pageBreak: "page break", columnBreak: "column break", equation: "equation" } as const

/** A chip shows a name or a title instead. */
const hasHiddenAddress = ({ person, richLink }: ParagraphElement): boolean => {
  const { email, name } = person?.personProperties ?? {}
  const { title, uri } = richLink?.richLinkProperties ?? {}
  return [[name, email], [title, uri]].some((texts) => texts.every((text = "") => text !== ""))
}

type IsLost = (style: TextStyle) => boolean

const marksLost: Readonly<Record<string, IsLost>> = {
  "underlined passage": ({ link, underline }) => underline === true && link === undefined,
  "highlighted passage": ({ backgroundColor }) => {
    const { blue = 0, green = 0, red = 0 } = backgroundColor?.color?.rgbColor ?? { blue: 1, green: 1, red: 1 }
    return red + green + blue < 3
  }
}

const marksOfMarkdown: Readonly<Record<string, IsLost>> = {
  link: ({ link }) => link !== undefined,
  "struck-through passage": ({ strikethrough }) => strikethrough === true
}

const styledKinds = ["textRun", "autoText", "person", "richLink", "dateElement", "inlineObjectElement"] as const

/** The first element of each passage. */
const passages = (elements: ReadonlyArray<ParagraphElement>, isLost: IsLost): ReadonlyArray<ParagraphElement> => {
  const has = (element: ParagraphElement | undefined): boolean => {
    const style = styledKinds.map((kind) => element?.[kind]?.textStyle).find((each) => each !== undefined)
    return style !== undefined && isLost(style)
  }
  return elements.filter((element, at) => has(element) && !has(elements[at - 1]))
}

const kindsInObject = ({ embeddedObject = {} }: ObjectProperties = {}): ReadonlyArray<string> => {
  const { description = "", embeddedDrawingProperties, linkedContentReference, title = "" } = embeddedObject
  return [
    ...(description !== "" && title !== "" ? ["title of a picture"] : []),
    ...(embeddedDrawingProperties === undefined ? [] : ["drawing"]),
    ...(linkedContentReference === undefined ? [] : ["link to a chart"])
  ]
}

const hasContent = ({ content = [] }: { readonly content?: ReadonlyArray<StructuralElement> }): boolean =>
  content.some(({ paragraph, table }) =>
    table !== undefined || (paragraph?.positionedObjectIds ?? []).length > 0 ||
    (paragraph?.elements ?? []).some(({ textRun }) => textRun === undefined || (textRun.content ?? "").trim() !== "")
  )
