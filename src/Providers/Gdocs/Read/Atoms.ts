import type { PhrasingContent } from "mdast"
import type { DocumentTab, Link, ParagraphElement, TextStyle } from "./DocumentAnswer.ts"
import { isMonospaced } from "./Looks.ts"
import { isDeleted, isInserted, type SuggestionsMode, thingIn } from "./Suggestions.ts"

export interface Marks {
  readonly strong: boolean
  readonly emphasis: boolean
  readonly delete: boolean
  readonly code: boolean
  readonly href?: string
}

export interface Text {
  readonly kind: "text"
  readonly value: string
  readonly marks: Marks
}

/** A soft line break (U+000B). */
export interface Break {
  readonly kind: "break"
  readonly marks: Marks
}

/** What has no marks of its own, with what stands for it in plain text. */
export interface Whole {
  readonly kind: "whole"
  readonly node: PhrasingContent
  readonly text: string
}

/** A paragraph's content: no two neighbouring texts have the same marks. */
export type Atom = Text | Break | Whole

export interface ReadingTab {
  readonly tabId: string
  readonly contents: DocumentTab
  readonly suggestions: SuggestionsMode
  /** Put before the numbers of footnotes, where several tabs share one text. */
  readonly footnotePrefix: string
}

export const noMarks: Marks = { strong: false, emphasis: false, delete: false, code: false }

export const sameMarks = (left: Marks, right: Marks): boolean =>
  left.strong === right.strong && left.emphasis === right.emphasis && left.delete === right.delete &&
  left.code === right.code && left.href === right.href

/** A line break has the marks that the texts around it share. */
export const bridged = (atoms: ReadonlyArray<Atom>): ReadonlyArray<Atom> =>
  atoms.map((atom, position) => {
    if (atom.kind !== "break") return atom
    const before = atoms.slice(0, position).findLast(({ kind }) => kind !== "break")
    const after = atoms.slice(position).find(({ kind }) => kind !== "break")
    return { kind: "break", marks: sharedMarks(before, after) }
  })

const sharedMarks = (left: Atom | undefined, right: Atom | undefined): Marks => {
  if (left?.kind !== "text" || right?.kind !== "text") return noMarks
  const [one, other] = [left.marks, right.marks]
  return {
    strong: one.strong && other.strong,
    emphasis: one.emphasis && other.emphasis,
    delete: one.delete && other.delete,
    code: false,
    ...(one.href === undefined || one.href !== other.href ? {} : { href: one.href })
  }
}

/** What stands for a thing that the provider does not describe: the standard's own character for it. */
export const unknownThing = "\uFFFC"

export const atomsOf = (elements: ReadonlyArray<ParagraphElement>, tab: ReadingTab): ReadonlyArray<Atom> => {
  const shown = elements.filter((element) => tab.suggestions === "mark" || !isInserted(thingIn(element)))
  const atoms = tab.suggestions === "mark" ? marked(shown, tab) : shown.flatMap((element) => atomsIn(element, tab))
  return bridged(trimmed(aroundBreaks(merged(atoms))))
}

const marked = (elements: ReadonlyArray<ParagraphElement>, tab: ReadingTab): ReadonlyArray<Atom> => {
  const atoms: Array<Atom> = []
  let open = ""
  for (const element of elements) {
    const thing = thingIn(element)
    const sign = isInserted(thing) ? "++" : isDeleted(thing) ? "--" : ""
    const inside = atomsIn(element, tab)
    if (inside.length === 0) continue
    if (sign !== open) {
      if (open !== "") atoms.push(verbatim(`${open}}`))
      if (sign !== "") atoms.push(verbatim(`{${sign}`))
      open = sign
    }
    atoms.push(...inside)
  }
  return open === "" ? atoms : [...atoms, verbatim(`${open}}`)]
}

const verbatim = (value: string): Whole => ({ kind: "whole", node: { type: "html", value }, text: value })

const atomsIn = (element: ParagraphElement, tab: ReadingTab): ReadonlyArray<Atom> => {
  const { dateElement, equation, footnoteReference, inlineObjectElement, person, richLink, textRun } = element
  if (textRun !== undefined) return textAtoms(textRun.content ?? "", marksOf(textRun.textStyle, tab.tabId))
  if (person !== undefined) {
    const { email = "", name = email } = person.personProperties ?? {}
    return chip(name, email === "" ? "" : `mailto:${email}`)
  }
  if (richLink !== undefined) {
    const { title = "", uri = "" } = richLink.richLinkProperties ?? {}
    return chip(title === "" ? uri : title, uri)
  }
  if (dateElement !== undefined) {
    const { displayText, timestamp = "" } = dateElement.dateElementProperties ?? {}
    return textAtoms(displayText ?? timestamp, marksOf(dateElement.textStyle, tab.tabId))
  }
  if (inlineObjectElement !== undefined) return image(inlineObjectElement.inlineObjectId ?? "", tab)
  if (footnoteReference !== undefined) {
    const label = `${tab.footnotePrefix}${footnoteReference.footnoteNumber ?? ""}`
    return [{
      kind: "whole",
      node: { type: "footnoteReference", identifier: label, label },
      text: `[${label}]`
    }]
  }
  return equation === undefined ? [] : textAtoms(unknownThing, noMarks)
}

const textAtoms = (content: string, marks: Marks): ReadonlyArray<Atom> =>
  content.replace(/\n$/, "").replaceAll("\uE907", unknownThing).split(/(\v)/).flatMap(
    (value): ReadonlyArray<Atom> => {
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
    ...(href === undefined ? {} : { href })
  }
}

/** Links within the document are written as the end of the document's address. */
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

const chip = (text: string, url: string): ReadonlyArray<Atom> => {
  if (text === "") return []
  if (url === "") return textAtoms(text, noMarks)
  return [{ kind: "whole", node: { type: "link", url, children: [{ type: "text", value: text }] }, text }]
}

const image = (objectId: string, { contents }: ReadingTab): ReadonlyArray<Atom> => {
  const { description, title } = contents.inlineObjects?.[objectId]?.inlineObjectProperties?.embeddedObject ?? {}
  const alt = description ?? title ?? ""
  return [{ kind: "whole", node: { type: "image", url: objectId, alt }, text: alt === "" ? "[image]" : alt }]
}

const merged = (atoms: ReadonlyArray<Atom>): ReadonlyArray<Atom> => {
  const joined: Array<Atom> = []
  for (const atom of atoms) {
    const before = joined.at(-1)
    if (before?.kind === "text" && atom.kind === "text" && sameMarks(before.marks, atom.marks)) {
      joined[joined.length - 1] = { ...before, value: before.value + atom.value }
    } else {
      joined.push(atom)
    }
  }
  return joined
}

/** Spaces beside a line break are not seen. */
const aroundBreaks = (atoms: ReadonlyArray<Atom>): ReadonlyArray<Atom> => {
  const kept: Array<Atom> = []
  for (const atom of atoms) {
    if (atom.kind === "text" && kept.at(-1)?.kind === "break") {
      const value = atom.value.trimStart()
      if (value !== "") kept.push({ ...atom, value })
      continue
    }
    if (atom.kind === "break") dropTrailingSpace(kept)
    kept.push(atom)
  }
  return kept
}

const dropTrailingSpace = (atoms: Array<Atom>): void => {
  const last = atoms.pop()
  if (last === undefined) return
  const value = last.kind === "text" ? last.value.trimEnd() : ""
  if (last.kind !== "text") atoms.push(last)
  else if (value === "") dropTrailingSpace(atoms)
  else atoms.push({ ...last, value })
}

/** Space and line breaks. */
export const isBlank = (atom: Atom): boolean =>
  atom.kind === "break" || (atom.kind === "text" && atom.value.trim() === "")

/** Without the space at both ends. */
const trimmed = (atoms: ReadonlyArray<Atom>): ReadonlyArray<Atom> => {
  const first = atoms.findIndex((atom) => !isBlank(atom))
  const last = atoms.findLastIndex((atom) => !isBlank(atom))
  return atoms.slice(Math.max(first, 0), last + 1).map((atom, position): Atom => {
    if (atom.kind !== "text") return atom
    const start = position === 0 ? atom.value.trimStart() : atom.value
    return { ...atom, value: first + position === last ? start.trimEnd() : start }
  })
}

/** As it is read without markdown. */
export const plainOf = (atoms: ReadonlyArray<Atom>): string =>
  atoms.map((atom) => atom.kind === "text" ? atom.value : atom.kind === "break" ? "\n" : atom.text).join("")
