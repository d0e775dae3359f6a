import type { PhrasingContent } from "mdast"
import { type Atom, isBlank, type Marks } from "./Atoms.ts"

type Mark = "href" | "strong" | "emphasis" | "delete"

/** Outermost first, where two marks cover the same text. */
const order: ReadonlyArray<Mark> = ["href", "strong", "emphasis", "delete"]

/**
 * Marks become nested spans: at each place the one that reaches furthest is the outermost. Spaces at the edges of a span
 * stay outside of it, for a span cannot begin or end with one.
 */
export const phrasingOf = (atoms: ReadonlyArray<Atom>): Array<PhrasingContent> => nested(atoms.flatMap(apart), [])

const nested = (atoms: ReadonlyArray<Atom>, open: ReadonlyArray<Mark>): Array<PhrasingContent> => {
  const nodes: Array<PhrasingContent> = []
  let position = 0
  while (position < atoms.length) {
    const [mark, length] = furthest(atoms.slice(position), open)
    const group = atoms.slice(position, position + length)
    position += length
    for (const node of mark === undefined ? group.map(leaf) : wrap(mark, group, [...open, mark])) push(nodes, node)
  }
  return nodes
}

/** Neighbouring texts are one, for what has to be escaped in a text depends on all of it. */
const push = (nodes: Array<PhrasingContent>, node: PhrasingContent): void => {
  const last = nodes.at(-1)
  if (last?.type === "text" && node.type === "text") {
    nodes[nodes.length - 1] = { ...last, value: last.value + node.value }
  } else nodes.push(node)
}

/** The spaces at the ends of a text as texts of their own. */
const apart = (atom: Atom): ReadonlyArray<Atom> =>
  atom.kind === "text"
    ? atom.value.split(/^(\s+)|(\s+)$/).filter((value) => value !== undefined && value !== "").map((value) => ({
      ...atom,
      value
    }))
    : [atom]

/** The mark that holds for most of what comes next, and for how many atoms, the last of them no space. */
const furthest = (
  atoms: ReadonlyArray<Atom>,
  open: ReadonlyArray<Mark>
): readonly [mark: Mark | undefined, length: number] => {
  const [first] = atoms
  let found: readonly [Mark | undefined, number] = [undefined, 1]
  if (first === undefined || first.kind === "whole" || isBlank(first)) return found
  for (const mark of order) {
    const value = first.marks[mark]
    if (open.includes(mark) || value === undefined || value === false) continue
    const end = atoms.findIndex((atom) => atom.kind === "whole" || atom.marks[mark] !== value)
    const length = atoms.slice(0, end === -1 ? atoms.length : end).findLastIndex((atom) => !isBlank(atom)) + 1
    if (found[0] === undefined || length > found[1]) found = [mark, length]
  }
  return found
}

const wrap = (mark: Mark, atoms: ReadonlyArray<Atom>, open: ReadonlyArray<Mark>): ReadonlyArray<PhrasingContent> => {
  const children = nested(atoms, open)
  if (mark !== "href") return [{ type: mark, children }]
  const [first] = atoms
  const url = first === undefined || first.kind === "whole" ? "" : first.marks.href ?? ""
  return [{ type: "link", url, children: isAddress(url) ? children : children.flatMap(inTwo) }]
}

/** What CommonMark takes between angle brackets. */
const isAddress = (url: string): boolean =>
  !url.startsWith("mailto:") ||
  /^mailto:[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?(?:\.[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?)*$/
    .test(url)

/** The library writes a link whose one text is its address in angle brackets, also where that is no link to anybody. */
const inTwo = (node: PhrasingContent): ReadonlyArray<PhrasingContent> =>
  node.type === "text"
    ? [{ type: "text", value: node.value.slice(0, 1) }, { type: "text", value: node.value.slice(1) }]
    : [node]

const leaf = (atom: Atom): PhrasingContent => {
  if (atom.kind === "whole") return atom.node
  if (atom.kind === "break") return { type: "html", value: "<br>" }
  return { type: isCode(atom.marks, atom.value) ? "inlineCode" : "text", value: atom.value }
}

const isCode = ({ code }: Marks, value: string): boolean => code && value.trim() !== ""
