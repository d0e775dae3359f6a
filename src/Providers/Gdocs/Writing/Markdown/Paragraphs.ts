import { Equal } from "effect"
import type { Definition, PhrasingContent, Root } from "mdast"
import { type LinkTargets, parseLinkTarget } from "../LinkTargets.ts"
import type { Marks, NewParagraph, ParagraphStyle, Run } from "../NewBlocks.ts"
import { normalizeText } from "../NormalizeText.ts"
import type { UnsupportedContent } from "../UnsupportedContent.ts"

export interface MarkdownContext {
  readonly definitions: ReadonlyMap<string, Definition>
  readonly linkTargets: LinkTargets
  readonly unsupported: UnsupportedContent
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
  readonly isTag?: true
}

export const paragraphsOf = (
  nodes: ReadonlyArray<PhrasingContent>,
  style: ParagraphStyle,
  context: MarkdownContext,
  lineBreak: "\u000B" | "\n" = "\u000B"
): ReadonlyArray<NewParagraph> => {
  const parts = applyTags(nodes.flatMap((node) => partsOf(node, {}, context, lineBreak)), context.unsupported)
  const lines: Array<Array<Part>> = [[]]
  for (const part of parts) {
    for (const [index, text] of part.text.split("\n").entries()) {
      if (index > 0) lines.push([])
      if (text !== "") lines.at(-1)?.push({ ...part, text })
    }
  }
  return lines.map((line) => joinParts(line, style))
}

export const paragraphOf = (
  nodes: ReadonlyArray<PhrasingContent>,
  style: ParagraphStyle,
  context: MarkdownContext
): NewParagraph => paragraphsOf(nodes, style, context)[0] ?? { text: "", runs: [], style }

const baselines: Readonly<Record<string, NonNullable<Marks["baseline"]>>> = { sup: "SUPERSCRIPT", sub: "SUBSCRIPT" }

const baselineTag = /^<(\/?)(su[bp])\s*>$/i

/** Raises the text in `<sup>` and lowers that in `<sub>`. A tag without its counterpart stays text. */
const applyTags = (parts: ReadonlyArray<Part>, unsupported: UnsupportedContent): ReadonlyArray<Part> => {
  const paired = new Set<Part>()
  const open: Readonly<Record<string, Array<{ readonly at: number; readonly part: Part }>>> = { sup: [], sub: [] }
  for (const [at, part] of parts.entries()) {
    if (part.isTag !== true) continue
    const [, slash, name = ""] = baselineTag.exec(part.text.toLowerCase()) ?? []
    if (slash === "") {
      open[name]?.push({ at, part })
      continue
    }
    const opener = open[name]?.pop()
    if (opener === undefined) continue
    paired.add(opener.part).add(part)
    const others = open[name === "sup" ? "sub" : "sup"] ?? []
    while ((others.at(-1)?.at ?? -1) > opener.at) others.pop()
  }
  const inside: Array<NonNullable<Marks["baseline"]>> = []
  return parts.flatMap((part): ReadonlyArray<Part> => {
    if (paired.has(part)) {
      const [, slash, name = ""] = baselineTag.exec(part.text.toLowerCase()) ?? []
      const baseline = baselines[name]
      if (slash !== "") inside.pop()
      else if (baseline !== undefined) inside.push(baseline)
      return []
    }
    if (part.isTag === true) unsupported.add("raw HTML", part.text)
    const baseline = inside.at(-1)
    return [baseline === undefined ? part : { ...part, marks: { ...part.marks, baseline } }]
  })
}

const joinParts = (parts: ReadonlyArray<Part>, style: ParagraphStyle): NewParagraph => {
  const whole = parts.map(({ text }) => text).join("")
  const withoutCode = parts.map(({ marks, text }) => marks.code === true ? "x".repeat(text.length) : text).join("")
  const first = /^\s*/.exec(withoutCode)?.[0].length ?? 0
  const last = withoutCode.trimEnd().length
  const runs: Array<Run> = []
  let at = 0
  for (const { marks, text } of parts) {
    const start = Math.max(at, first) - first
    at += text.length
    const end = Math.min(at, last) - first
    if (end > start && Object.keys(marks).length > 0) addRun(runs, { start, end, marks })
  }
  return { text: whole.slice(first, Math.max(first, last)), runs, style }
}

const addRun = (runs: Array<Run>, run: Run): void => {
  const before = runs.at(-1)
  if (before?.end === run.start && Equal.equals(before.marks, run.marks)) {
    runs[runs.length - 1] = { ...before, end: run.end }
  } else runs.push(run)
}

const oneLine = (text: string): string => normalizeText(text).replaceAll("\n", " ")

const partsOf = (
  node: PhrasingContent,
  marks: Marks,
  context: MarkdownContext,
  lineBreak: "\u000B" | "\n"
): ReadonlyArray<Part> => {
  const inside = (children: ReadonlyArray<PhrasingContent>, more: Marks) =>
    children.flatMap((child) => partsOf(child, { ...marks, ...more }, context, lineBreak))
  switch (node.type) {
    case "text":
      return [{ text: oneLine(node.value), marks }]
    case "strong":
      return inside(node.children, { bold: true })
    case "emphasis":
      return inside(node.children, { italic: true })
    case "delete":
      return inside(node.children, { strikethrough: true })
    case "inlineCode":
      return [{ text: oneLine(node.value), marks: { ...marks, code: true } }]
    case "break":
      return [{ text: lineBreak, marks }]
    case "link":
      return linked(node.url, node.children)
    case "linkReference":
      return linked(context.definitions.get(node.identifier)?.url ?? "", node.children)
    case "image":
      return image(node.url, node.alt)
    case "imageReference":
      return image(context.definitions.get(node.identifier)?.url ?? "", node.alt)
    case "footnoteReference":
      context.unsupported.add("footnote", node.label ?? node.identifier)
      return [{ text: `[^${node.label ?? node.identifier}]`, marks }]
    case "html":
      return html(node.value)
  }

  function linked(url: string, children: ReadonlyArray<PhrasingContent>): ReadonlyArray<Part> {
    const link = parseLinkTarget(url, context.linkTargets)
    if (link === undefined) context.unsupported.add("link", url)
    return inside(children, link === undefined ? {} : { link })
  }

  function image(url: string, alt: string | null | undefined): ReadonlyArray<Part> {
    context.unsupported.add("image", url)
    const link = parseLinkTarget(url, context.linkTargets)
    const text = oneLine(alt ?? "")
    return [{ text: text.trim() === "" ? oneLine(url) : text, marks: link === undefined ? marks : { ...marks, link } }]
  }

  function html(value: string): ReadonlyArray<Part> {
    if (/^<br\s*\/?>$/i.test(value)) return [{ text: lineBreak, marks }]
    if (isComment(value)) return []
    if (baselineTag.test(value)) return [{ text: value, marks, isTag: true }]
    context.unsupported.add("raw HTML", value)
    return [{ text: oneLine(value), marks }]
  }
}

export const isComment = (html: string): boolean => /^\s*(?:<!--[\s\S]*?-->\s*)+$/.test(html)
