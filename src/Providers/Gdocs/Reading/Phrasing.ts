import type { PhrasingContent } from "mdast"
import { type Inline, isBlank, type Marks } from "./Inlines.ts"

type Mark = "href" | "strong" | "emphasis" | "delete"

const order: ReadonlyArray<Mark> = ["href", "strong", "emphasis", "delete"]

export const phrasingOf = (inlines: ReadonlyArray<Inline>): Array<PhrasingContent> =>
  nested(inlines.flatMap(splitOuterSpaces), [])

const nested = (inlines: ReadonlyArray<Inline>, open: ReadonlyArray<Mark>): Array<PhrasingContent> => {
  const nodes: Array<PhrasingContent> = []
  let position = 0
  while (position < inlines.length) {
    const [mark, length] = longestMark(inlines, position, open)
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

const splitOuterSpaces = (inline: Inline): ReadonlyArray<Inline> =>
  inline.kind === "text"
    ? splitSpaces(inline.value).filter((value) => value !== "").map((value) => ({ ...inline, value }))
    : [inline]

const splitSpaces = (value: string): ReadonlyArray<string> => {
  const start = value.length - value.trimStart().length
  const end = Math.max(start, value.trimEnd().length)
  return [value.slice(0, start), value.slice(start, end), value.slice(end)]
}

const longestMark = (
  inlines: ReadonlyArray<Inline>,
  start: number,
  open: ReadonlyArray<Mark>
): readonly [mark: Mark | undefined, length: number] => {
  const first = inlines[start]
  let found: readonly [Mark | undefined, number] = [undefined, 1]
  if (first === undefined || first.kind === "node" || isBlank(first)) return found
  for (const mark of order) {
    const value = first.marks[mark]
    if (open.includes(mark) || value === undefined || value === false) continue
    let length = 0
    for (let at = start; at < inlines.length; at++) {
      const inline = inlines[at]
      if (inline === undefined || inline.kind === "node" || inline.marks[mark] !== value) break
      if (!isBlank(inline)) length = at + 1 - start
    }
    if (found[0] === undefined || length > found[1]) found = [mark, length]
  }
  return found
}

const wrap = (
  mark: Mark,
  inlines: ReadonlyArray<Inline>,
  open: ReadonlyArray<Mark>
): ReadonlyArray<PhrasingContent> => {
  const children = nested(inlines, open)
  if (mark !== "href") return [{ type: mark, children }]
  const [first] = inlines
  const url = first === undefined || first.kind === "node" ? "" : first.marks.href ?? ""
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
  return { type: isCode(inline.marks, inline.value) ? "inlineCode" : "text", value: inline.value }
}

const isCode = ({ code }: Marks, value: string): boolean => code && value.trim() !== ""
