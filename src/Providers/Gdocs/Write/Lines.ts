import type { Definition, PhrasingContent, Root } from "mdast"
import type { Line, LinkTarget, Look, Marks, Run } from "./Blocks.ts"
import { normalizeText } from "./Text.ts"
import type { Unsupported } from "./Unsupported.ts"

/** Where the text goes: what of the document a link in it can point at. */
export interface Destination {
  readonly tabId?: string
  readonly hasTab: (tabId: string) => boolean
  /** `tabId` is the tab that the heading is looked for in. */
  readonly hasHeading: (headingId: string, tabId: string) => boolean
}

/** A new document has nothing to point at. */
export const nowhere: Destination = { hasTab: () => false, hasHeading: () => false }

export interface Reading {
  readonly definitions: ReadonlyMap<string, Definition>
  readonly destination: Destination
  readonly unsupported: Unsupported
}

export const definitionsOf = (root: Root): ReadonlyMap<string, Definition> => {
  const found = new Map<string, Definition>()
  const visit = (node: { readonly type: string; readonly children?: ReadonlyArray<unknown> } | Definition): void => {
    if (isDefinition(node)) {
      if (!found.has(node.identifier)) found.set(node.identifier, node)
    } else if ("children" in node) {
      node.children?.forEach((child) => isNode(child) && visit(child))
    }
  }
  visit(root)
  return found
}

const isNode = (value: unknown): value is { readonly type: string } =>
  typeof value === "object" && value !== null && "type" in value

const isDefinition = (node: { readonly type: string }): node is Definition => node.type === "definition"

interface Part {
  readonly text: string
  readonly marks: Marks
}

/** Phrasing content as paragraphs' text with its runs; `breakAs` is what a line break becomes. */
export const linesOf = (
  nodes: ReadonlyArray<PhrasingContent>,
  look: Look,
  reading: Reading,
  breakAs: "\u000B" | "\n" = "\u000B"
): ReadonlyArray<Line> => {
  const parts = nodes.flatMap((node) => partsOf(node, {}, reading, breakAs))
  const lines: Array<Array<Part>> = [[]]
  for (const part of parts) {
    for (const [index, text] of part.text.split("\n").entries()) {
      if (index > 0) lines.push([])
      if (text !== "") lines.at(-1)?.push({ ...part, text })
    }
  }
  return lines.map((line) => lineOf(line, look))
}

/** One paragraph. */
export const lineFrom = (nodes: ReadonlyArray<PhrasingContent>, look: Look, reading: Reading): Line =>
  linesOf(nodes, look, reading)[0] ?? { text: "", runs: [], look }

const lineOf = (parts: ReadonlyArray<Part>, look: Look): Line => {
  const whole = parts.map(({ text }) => text).join("")
  const first = /^\s*/.exec(whole)?.[0].length ?? 0
  const last = whole.trimEnd().length
  const runs: Array<Run> = []
  let at = 0
  for (const { marks, text } of parts) {
    const start = Math.max(at, first) - first
    at += text.length
    const end = Math.min(at, last) - first
    if (end > start && Object.keys(marks).length > 0) addRun(runs, { start, end, marks })
  }
  return { text: whole.slice(first, Math.max(first, last)), runs, look }
}

const addRun = (runs: Array<Run>, run: Run): void => {
  const before = runs.at(-1)
  if (before?.end === run.start && sameMarks(before.marks, run.marks)) {
    runs[runs.length - 1] = { ...before, end: run.end }
  } else runs.push(run)
}

const sameMarks = (left: Marks, right: Marks): boolean =>
  left.bold === right.bold && left.italic === right.italic && left.strikethrough === right.strikethrough &&
  left.code === right.code && JSON.stringify(left.link) === JSON.stringify(right.link)

/** Newlines in a paragraph's source are spaces; so are those that a character reference brings in. */
const inLine = (text: string): string => normalizeText(text).replaceAll("\n", " ")

const partsOf = (
  node: PhrasingContent,
  marks: Marks,
  reading: Reading,
  breakAs: "\u000B" | "\n"
): ReadonlyArray<Part> => {
  const inside = (children: ReadonlyArray<PhrasingContent>, more: Marks) =>
    children.flatMap((child) => partsOf(child, { ...marks, ...more }, reading, breakAs))
  switch (node.type) {
    case "text":
      return [{ text: inLine(node.value), marks }]
    case "strong":
      return inside(node.children, { bold: true })
    case "emphasis":
      return inside(node.children, { italic: true })
    case "delete":
      return inside(node.children, { strikethrough: true })
    case "inlineCode":
      return [{ text: inLine(node.value), marks: { ...marks, code: true } }]
    case "break":
      return [{ text: breakAs, marks }]
    case "link":
      return linked(node.url, node.children)
    case "linkReference":
      return linked(reading.definitions.get(node.identifier)?.url ?? "", node.children)
    case "image":
      return image(node.url, node.alt)
    case "imageReference":
      return image(reading.definitions.get(node.identifier)?.url ?? "", node.alt)
    case "footnoteReference":
      reading.unsupported.add("footnote", node.label ?? node.identifier)
      return [{ text: `[^${node.label ?? node.identifier}]`, marks }]
    case "html":
      return html(node.value)
  }

  function linked(url: string, children: ReadonlyArray<PhrasingContent>): ReadonlyArray<Part> {
    const link = linkTarget(url, reading.destination)
    if (link === undefined) reading.unsupported.add("link", url)
    return inside(children, link === undefined ? {} : { link })
  }

  function image(url: string, alt: string | null | undefined): ReadonlyArray<Part> {
    reading.unsupported.add("image", url)
    const link = linkTarget(url, reading.destination)
    const text = inLine(alt ?? "")
    return [{ text: text.trim() === "" ? inLine(url) : text, marks: link === undefined ? marks : { ...marks, link } }]
  }

  function html(value: string): ReadonlyArray<Part> {
    if (/^<br\s*\/?>$/i.test(value)) return [{ text: breakAs, marks }]
    if (isComment(value)) return []
    reading.unsupported.add("raw HTML", value)
    return [{ text: inLine(value), marks }]
  }
}

export const isComment = (html: string): boolean => /^\s*(?:<!--[\s\S]*?-->\s*)+$/.test(html)

const place = /^(?:\?tab=([^#&\s]+))?(?:#heading=([^#&\s]+))?$/

/**
 * Addresses need a scheme; the forms for places in the document are those that reading writes. Whether a bookmark is
 * there cannot be told, and a link to one that is not would have everything refused.
 */
const linkTarget = (url: string, { hasHeading, hasTab, tabId: here = "" }: Destination): LinkTarget | undefined => {
  if (/^(?:https?:\/\/|mailto:|tel:|ftp:\/\/)\S/i.test(url)) return { url: normalizeText(url) }
  const [, tab, heading] = place.exec(url) ?? []
  if (tab === undefined && heading === undefined) return undefined
  const tabId = tab ?? here
  if (!hasTab(tabId)) return undefined
  if (heading === undefined) return { tabId }
  return hasHeading(heading, tabId) ? { heading: { id: heading, tabId } } : undefined
}
