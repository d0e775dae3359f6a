import type { Root, RootContent, Table, Text } from "mdast"
import { gfmToMarkdown } from "mdast-util-gfm"
import { defaultHandlers, type Handle, type Options, toMarkdown, type Unsafe } from "mdast-util-to-markdown"

/** What begins a character reference, such as `&amp;`. */
const reference = "(?:#\\d{1,7}|#[xX][\\dA-Fa-f]{1,6}|[A-Za-z][\\dA-Za-z]{0,31});"

/** The library compiles a pattern once, so there must be one of each. */
const relaxedPatterns = new WeakMap<Unsafe, Unsafe>()

/** An ampersand is escaped where it begins a character reference, not in every address that has one. */
const relaxed = (pattern: Unsafe): Unsafe => {
  if (pattern.character !== "&") return pattern
  const known = relaxedPatterns.get(pattern) ?? { ...pattern, after: reference }
  relaxedPatterns.set(pattern, known)
  return known
}

const root: Handle = (node: Root, parent, state, info) => {
  state.unsafe = state.unsafe.map(relaxed)
  return defaultHandlers.root(node, parent, state, info)
}

/** A lone tilde means nothing, for that is how text is parsed. */
const text: Handle = (node: Text, parent, state, info) =>
  defaultHandlers.text(node, parent, state, info).replace(/(?<=[^~\\])\\~(?=[^~\\])/g, "~")

const delimiters = { left: ":---", center: ":---:", right: "---:" }

const gfm = gfmToMarkdown({ tablePipeAlign: false }).extensions ?? []

const writeTable = gfm.find((extension) => extension.handlers?.["table"] !== undefined)?.handlers?.["table"]

/** With delimiters of three dashes, which every reader of tables knows. */
const table: Handle = (node: Table, parent, state, info) => {
  const [head = "", , ...rows] = (writeTable?.(node, parent, state, info) ?? "").split("\n")
  const align = (node.align ?? []).map((each) => each === null || each === undefined ? "---" : delimiters[each])
  return [head, `| ${align.join(" | ")} |`, ...rows].join("\n")
}

const options: Options = {
  bullet: "-",
  emphasis: "*",
  fences: true,
  listItemIndent: "one",
  rule: "-",
  extensions: [...gfm, { handlers: { root, table, text } }]
}

/** Markdown whose literal characters are escaped where they would mean something else. */
export const writeMarkdown = (children: ReadonlyArray<RootContent>): string => {
  const tree: Root = { type: "root", children: [...children] }
  return toMarkdown(tree, options).replace(/\n$/, "")
}
