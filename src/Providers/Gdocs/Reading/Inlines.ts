import { Equal } from "effect"
import type { PhrasingContent } from "mdast"
import { append } from "../../../Domain/Lists.ts"
import type { DocumentTab, Link, ObjectProperties, Paragraph, ParagraphElement, TextStyle } from "../Responses.ts"
import { isMonospaced } from "./ParagraphStyle.ts"
import { elementContent, isDeleted, isInserted, type SuggestionsMode } from "./Suggestions.ts"

export interface Marks {
  readonly strong: boolean
  readonly emphasis: boolean
  readonly delete: boolean
  readonly code: boolean
  readonly baseline?: "sup" | "sub"
  readonly href?: string
}

export interface TextInline {
  readonly kind: "text"
  readonly value: string
  readonly marks: Marks
  /** A placeholder, which is written without escapes. */
  readonly verbatim?: true
}

export interface BreakInline {
  readonly kind: "break"
  readonly marks: Marks
}

export interface NodeInline {
  readonly kind: "node"
  readonly node: PhrasingContent
  readonly text: string
  readonly href?: string
  /** A picture that text flows around. Its place is the paragraph, not a character. */
  readonly floats?: true
}

export type Inline = TextInline | BreakInline | NodeInline

export interface ReadContext {
  readonly tabId: string
  readonly contents: DocumentTab
  readonly suggestions: SuggestionsMode
  readonly footnotePrefix: string
}

export const noMarks: Marks = { strong: false, emphasis: false, delete: false, code: false }

export const lineBreak: BreakInline = { kind: "break", marks: noMarks }

export const markLineBreaks = (inlines: ReadonlyArray<Inline>): ReadonlyArray<Inline> => {
  const after: Array<Inline | undefined> = []
  for (let at = inlines.length - 1; at >= 0; at--) {
    after[at] = inlines[at]?.kind === "break"
      ? after[at + 1]
      : inlines[at]
  }
  let before: Inline | undefined
  return inlines.map((inline, position) => {
    if (inline.kind === "break") return { kind: "break", marks: sharedMarks(before, after[position]) }
    before = inline
    return inline
  })
}

const sharedMarks = (before: Inline | undefined, after: Inline | undefined): Marks => {
  if (before?.kind !== "text" || after?.kind !== "text") return noMarks
  const [left, right] = [before.marks, after.marks]
  return {
    strong: left.strong && right.strong,
    emphasis: left.emphasis && right.emphasis,
    delete: left.delete && right.delete,
    code: false,
    ...(left.href === undefined || left.href !== right.href ? {} : { href: left.href })
  }
}

export const objectReplacement = "\uFFFC"

const inlinesOf = (elements: ReadonlyArray<ParagraphElement>, tab: ReadContext): ReadonlyArray<Inline> =>
  markLineBreaks(trimLines(mergeTexts(untrimmedInlines(elements, tab))))

export const untrimmedInlines = (
  elements: ReadonlyArray<ParagraphElement>,
  tab: ReadContext
): ReadonlyArray<Inline> =>
  tab.suggestions === "mark"
    ? markSuggestions(elements, tab)
    : elements.filter((element) => !isInserted(elementContent(element))).flatMap((element) => inlinesIn(element, tab))

export const paragraphInlines = (
  { positionedObjectIds = [], suggestedPositionedObjectIds = {}, ...paragraph }: Paragraph,
  tab: ReadContext,
  elements: ReadonlyArray<ParagraphElement> = paragraph.elements ?? []
): ReadonlyArray<Inline> => {
  const inlines = inlinesOf(elements, tab)
  const isMarked = tab.suggestions === "mark"
  const floats = [
    ...positionedObjectIds.map((id) => ({
      id,
      sign: isMarked && isDeleted(tab.contents.positionedObjects?.[id]) ? "--" : ""
    })),
    ...(isMarked ? Object.values(suggestedPositionedObjectIds) : [])
      .flatMap(({ objectIds = [] }) => objectIds.map((id) => ({ id, sign: "++" })))
  ]
  return floats.reduce<ReadonlyArray<Inline>>((before, { id, sign }) => [
    ...before,
    ...(before.length === 0 ? [] : [{ kind: "text" as const, value: " ", marks: noMarks }]),
    ...(sign === "" ? [] : [verbatim(`{${sign}`)]),
    { ...image(id, tab.contents.positionedObjects?.[id]?.positionedObjectProperties), floats: true },
    ...(sign === "" ? [] : [verbatim(`${sign}}`)])
  ], inlines)
}

const markSuggestions = (elements: ReadonlyArray<ParagraphElement>, tab: ReadContext): ReadonlyArray<Inline> => {
  const inlines: Array<Inline> = []
  let open = ""
  for (const element of elements) {
    const content = elementContent(element)
    const sign = isInserted(content) ? "++" : isDeleted(content) ? "--" : ""
    const inside = inlinesIn(element, tab)
    if (inside.length === 0) continue
    if (sign !== open) {
      if (open !== "") inlines.push(verbatim(`${open}}`))
      if (sign !== "") inlines.push(verbatim(`{${sign}`))
      open = sign
    }
    append(inlines, inside)
  }
  return open === "" ? inlines : [...inlines, verbatim(`${open}}`)]
}

const verbatim = (value: string): NodeInline => ({ kind: "node", node: { type: "html", value }, text: value })

const inlinesIn = (element: ParagraphElement, tab: ReadContext): ReadonlyArray<Inline> => {
  const { autoText, dateElement, equation, footnoteReference, inlineObjectElement, person, richLink, textRun } = element
  if ((element.pageBreak ?? element.columnBreak ?? element.horizontalRule) !== undefined) return [lineBreak]
  if (textRun !== undefined) return textInlines(textRun.content ?? "", marksOf(textRun.textStyle, tab.tabId))
  if (person !== undefined) {
    const { email = "", name } = person.personProperties ?? {}
    return chip([name, email], email === "" ? "" : `mailto:${email}`, marksOf(person.textStyle, tab.tabId))
  }
  if (richLink !== undefined) {
    const { title, uri = "" } = richLink.richLinkProperties ?? {}
    return chip([title, uri], uri, marksOf(richLink.textStyle, tab.tabId))
  }
  if (dateElement !== undefined) {
    const { displayText, timestamp } = dateElement.dateElementProperties ?? {}
    return chip([displayText, timestamp], "", marksOf(dateElement.textStyle, tab.tabId))
  }
  if (autoText !== undefined) {
    const value = autoText.type === "PAGE_COUNT" ? "[page count]" : "[page number]"
    return [{ kind: "text", value, marks: marksOf(autoText.textStyle, tab.tabId), verbatim: true }]
  }
  if (inlineObjectElement !== undefined) {
    const { inlineObjectId: id = "", textStyle } = inlineObjectElement
    const { href } = marksOf(textStyle, tab.tabId)
    const shown = image(id, tab.contents.inlineObjects?.[id]?.inlineObjectProperties)
    return [href === undefined ? shown : { ...shown, href }]
  }
  if (footnoteReference !== undefined) {
    const label = `${tab.footnotePrefix}${footnoteReference.footnoteNumber ?? ""}`
    return [{
      kind: "node",
      node: { type: "footnoteReference", identifier: label, label },
      text: `[${label}]`
    }]
  }
  return equation === undefined ? [] : textInlines(objectReplacement, noMarks)
}

const textInlines = (content: string, marks: Marks): ReadonlyArray<Inline> =>
  content.replace(/\n$/, "").replaceAll("\uE907", objectReplacement).split(/(\v)/).flatMap(
    (value): ReadonlyArray<Inline> => {
      if (value === "\u000B") return [{ kind: "break", marks }]
      return value === "" ? [] : [{ kind: "text", value, marks }]
    }
  )

const marksOf = (style: TextStyle = {}, tabId: string): Marks => {
  const href = style.link === undefined ? undefined : hrefOf(style.link, tabId)
  return {
    strong: style.bold === true,
    emphasis: style.italic === true,
    delete: style.strikethrough === true,
    code: isMonospaced(style),
    ...(style.baselineOffset === "SUPERSCRIPT"
      ? { baseline: "sup" }
      : style.baselineOffset === "SUBSCRIPT"
      ? { baseline: "sub" }
      : {}),
    ...(href === undefined ? {} : { href })
  }
}

const hrefOf = ({ bookmark, bookmarkId, heading, headingId, tabId, url }: Link, here: string): string | undefined => {
  if (url !== undefined) return url
  const place = heading ?? bookmark
  const inTab = place?.tabId === undefined || place.tabId === here ? "" : `?tab=${place.tabId}`
  const headingTarget = heading?.id ?? headingId
  if (headingTarget !== undefined) return `${inTab}#heading=${headingTarget}`
  const bookmarkTarget = bookmark?.id ?? bookmarkId
  if (bookmarkTarget !== undefined) return `${inTab}#bookmark=${bookmarkTarget}`
  return tabId === undefined ? undefined : `?tab=${tabId}`
}

const chip = (texts: ReadonlyArray<string | undefined>, url: string, marks: Marks): ReadonlyArray<Inline> =>
  textInlines(
    texts.find((text = "") => text !== "") ?? objectReplacement,
    url === "" ? marks : { ...marks, href: url }
  )

const image = (
  objectId: string,
  { embeddedObject: { description, title } = {} }: ObjectProperties = {}
): NodeInline => {
  const alt = [description, title].find((text = "") => text !== "") ?? ""
  return { kind: "node", node: { type: "image", url: objectId, alt }, text: alt === "" ? "[image]" : alt }
}

export const mergeTexts = (inlines: ReadonlyArray<Inline>): ReadonlyArray<Inline> => {
  const joined: Array<Inline> = []
  for (const inline of inlines) {
    const before = joined.at(-1)
    if (
      before?.kind === "text" && inline.kind === "text" && before.verbatim === inline.verbatim &&
      Equal.equals(before.marks, inline.marks)
    ) {
      joined[joined.length - 1] = { ...before, value: before.value + inline.value }
    } else {
      joined.push(inline)
    }
  }
  return joined
}

/** Drops the spaces around line breaks, and both at the ends. */
const trimLines = (inlines: ReadonlyArray<Inline>): ReadonlyArray<Inline> => {
  const kept: Array<Inline> = [lineBreak]
  for (const inline of [...inlines, lineBreak]) {
    if (inline.kind === "text" && kept.at(-1)?.kind === "break") {
      const value = trimLineStart(inline)
      if (value !== "") kept.push({ ...inline, value })
      continue
    }
    if (inline.kind === "break") dropTrailingSpace(kept)
    kept.push(inline)
  }
  const isShown = ({ kind }: Inline): boolean => kind !== "break"
  return kept.slice(kept.findIndex(isShown), kept.findLastIndex(isShown) + 1)
}

/** Spaces before code are its indentation. */
const trimLineStart = ({ marks, value }: TextInline): string =>
  marks.code && value.trim() !== "" ? value : value.trimStart()

const dropTrailingSpace = (inlines: Array<Inline>): void => {
  for (let last = inlines.at(-1); last?.kind === "text"; last = inlines.at(-1)) {
    const value = last.value.trimEnd()
    inlines.pop()
    if (value !== "") return void inlines.push({ ...last, value })
  }
}

export const isBlank = (inline: Inline): boolean =>
  inline.kind === "break" || (inline.kind === "text" && inline.value.trim() === "")

export const plainText = (inlines: ReadonlyArray<Inline>): string => {
  let text = ""
  let open: Marks["baseline"]
  for (const inline of inlines) {
    const baseline = inline.kind === "text" && !isBlank(inline) ? inline.marks.baseline : undefined
    if (baseline !== open) text += (open === undefined ? "" : ")") + (baseline === undefined ? "" : plainTags[baseline])
    open = baseline
    text += inline.kind === "text" ? inline.value : inline.kind === "break" ? "\n" : inline.text
  }
  return open === undefined ? text : `${text})`
}

export const plainTags = { sup: "^(", sub: "_(" } as const
