import type { PhrasingContent } from "mdast"
import { type Inline, isBlank, type Marks, type TextInline } from "./Inlines.ts"

type Mark = "href" | "strong" | "emphasis" | "delete" | "baseline"

const order: ReadonlyArray<Mark> = ["href", "strong", "emphasis", "delete", "baseline"]

export const phrasingOf = (inlines: ReadonlyArray<Inline>): Array<PhrasingContent> =>
  nested(inlines.flatMap((inline, at) => splitOuterSpaces(inline, inlines[at - 1])), [])

const nested = (inlines: ReadonlyArray<Inline>, open: ReadonlyArray<Mark>): Array<PhrasingContent> => {
  const nodes: Array<PhrasingContent> = []
  const groups = new Map<Mark, MarkGroup>()
  let position = 0
  while (position < inlines.length) {
    const [mark, length] = longestMark(inlines, position, open, groups)
    const group = inlines.slice(position, position + length)
    position += length
    for (const node of mark === undefined ? group.map(phrasingNode) : wrap(mark, group, [...open, mark])) {
      push(nodes, node)
    }
  }
  return nodes
}

const push = (nodes: Array<PhrasingContent>, node: PhrasingContent): void => {
  const last = nodes.at(-1)
  if (last?.type === "text" && node.type === "text") {
    nodes[nodes.length - 1] = { ...last, value: last.value + node.value }
  } else nodes.push(node)
}

/** Spaces at the start of a line of code are its indentation. */
const splitOuterSpaces = (inline: Inline, before: Inline | undefined): ReadonlyArray<Inline> => {
  if (inline.kind !== "text") return [inline]
  const isIndented = isCode(inline) && (before === undefined || before.kind === "break")
  return splitSpaces(inline.value, isIndented).filter((value) => value !== "").map((value) => ({ ...inline, value }))
}

const splitSpaces = (value: string, isIndented: boolean): ReadonlyArray<string> => {
  const start = isIndented ? 0 : value.length - value.trimStart().length
  const end = Math.max(start, value.trimEnd().length)
  return [value.slice(0, start), value.slice(start, end), value.slice(end)]
}

const longestMark = (
  inlines: ReadonlyArray<Inline>,
  start: number,
  open: ReadonlyArray<Mark>,
  groups: Map<Mark, MarkGroup>
): readonly [mark: Mark | undefined, length: number] => {
  const first = inlines[start]
  let found: readonly [Mark | undefined, number] = [undefined, 1]
  if (first === undefined || isBlank(first)) return found
  const hasTag = (inline: Inline | undefined) =>
    inline !== undefined && tagMarks.some((mark) => !open.includes(mark) && isSet(markOf(inline, mark)))
  for (const mark of order) {
    const value = markOf(first, mark)
    if (open.includes(mark) || !isSet(value)) continue
    const isTag = tagMarks.some((each) => each === mark)
    if (!isTag && hasTag(first) && touches(inlines[start - 1], letterAtEnd)) continue
    const known = groups.get(mark)
    const group = known !== undefined && start < known.stop ? known : groupFrom(inlines, start, mark)
    groups.set(mark, group)
    let { end } = group
    if (!isTag && touches(inlines[end], letterAtStart)) {
      while (end > start && hasTag(inlines[end - 1])) end--
      groups.set(mark, { ...group, end })
    }
    const length = end - start
    const [chosen, longest] = found
    // Beside a letter, `***` alone opens and closes both. To CommonMark the emphasis is then the outer one.
    const isOuter = mark === "emphasis" && chosen === "strong" && length === longest &&
      (touches(inlines[start - 1], letterAtEnd) || touches(inlines[end], letterAtStart))
    if (length > 0 && (chosen === undefined || length > longest || isOuter)) found = [mark, length]
  }
  return found
}

const letterAtStart = /^[\p{L}\p{N}]/u
const letterAtEnd = /[\p{L}\p{N}]$/u

interface MarkGroup {
  /** The index of the first inline on which the mark has another value. */
  readonly stop: number
  /** The index after the last text that is not blank. */
  readonly end: number
}

const groupFrom = (inlines: ReadonlyArray<Inline>, start: number, mark: Mark): MarkGroup => {
  const valueOf = (inline: Inline | undefined) => inline === undefined ? undefined : markOf(inline, mark)
  const value = valueOf(inlines[start])
  let stop = start
  let end = start
  for (let inline = inlines[stop]; inline !== undefined && valueOf(inline) === value; inline = inlines[stop]) {
    stop++
    if (!isBlank(inline)) end = stop
  }
  return { stop, end }
}

/** Marks that are written as punctuation. Between that and a letter, `*` neither opens nor closes. */
const tagMarks = ["href", "baseline"] as const

const markOf = (inline: Inline, mark: Mark): Marks[Mark] =>
  inline.kind !== "node" ? inline.marks[mark] : mark === "href" ? inline.href : undefined

const isSet = (value: Marks[Mark]): boolean => value !== undefined && value !== false

const touches = (inline: Inline | undefined, letter: RegExp): boolean =>
  inline?.kind === "text" && !inline.marks.code && !tagMarks.some((mark) => isSet(markOf(inline, mark))) &&
  letter.test(inline.value)

const wrap = (
  mark: Mark,
  inlines: ReadonlyArray<Inline>,
  open: ReadonlyArray<Mark>
): ReadonlyArray<PhrasingContent> => {
  const children = nested(inlines, open)
  const [first] = inlines
  if (mark === "baseline") {
    const tag = first?.kind === "text" ? first.marks.baseline : undefined
    return [{ type: "html", value: `<${tag}>` }, ...children, { type: "html", value: `</${tag}>` }]
  }
  if (mark !== "href") return [{ type: mark, children }]
  const url = (first?.kind === "node" ? first.href : first?.marks.href) ?? ""
  return [{ type: "link", url, children: isAutolinkAddress(url) ? children : children.flatMap(splitText) }]
}

const isAutolinkAddress = (url: string): boolean =>
  !url.startsWith("mailto:") ||
  /^mailto:[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?(?:\.[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?)*$/
    .test(url)

/** A link whose only text is its address would become an autolink. Two texts prevent that. */
const splitText = (node: PhrasingContent): ReadonlyArray<PhrasingContent> =>
  node.type === "text"
    ? [{ type: "text", value: node.value.slice(0, 1) }, { type: "text", value: node.value.slice(1) }]
    : [node]

const phrasingNode = (inline: Inline): PhrasingContent => {
  if (inline.kind === "node") return inline.node
  if (inline.kind === "break") return { type: "html", value: "<br>" }
  if (isCode(inline)) return { type: "inlineCode", value: inline.value }
  return { type: inline.verbatim === true ? "html" : "text", value: inline.value }
}

const isCode = ({ marks, value }: TextInline): boolean => marks.code && value.trim() !== ""
