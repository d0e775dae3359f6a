import type { InlineCode, Root, RootContent, Table, Text } from "mdast"
import { gfmToMarkdown } from "mdast-util-gfm"
import { defaultHandlers, type Handle, type Options, toMarkdown, type Unsafe } from "mdast-util-to-markdown"
import { attentionHandlers, writeAttention } from "./Attention.ts"

const reference = "(?:#\\d{1,7}|#[xX][\\dA-Fa-f]{1,6}|[A-Za-z][\\dA-Za-z]{0,31});"

/** One object per pattern, because the library caches compiled patterns by identity. */
const relaxedPatterns = new WeakMap<Unsafe, Unsafe>()

const relaxAmpersand = (pattern: Unsafe): Unsafe => {
  if (pattern.character !== "&") return pattern
  const known = relaxedPatterns.get(pattern) ?? { ...pattern, after: reference }
  relaxedPatterns.set(pattern, known)
  return known
}

const root: Handle = (node: Root, parent, state, info) => {
  state.unsafe = state.unsafe.map(relaxAmpersand)
  writeAttention(state)
  return defaultHandlers.root(node, parent, state, info)
}

/** Does not escape single tildes, because the parser has `singleTilde` off. */
const text: Handle = (node: Text, parent, state, info) =>
  defaultHandlers.text(node, parent, state, info).replace(/(?<=[^~\\])\\~(?=[^~\\])/g, "~")

const delimiters = { left: ":---", center: ":---:", right: "---:" }

const gfm = gfmToMarkdown({ tablePipeAlign: false }).extensions ?? []

const gfmHandler = (name: "table" | "inlineCode") =>
  gfm.find((extension) => extension.handlers?.[name] !== undefined)?.handlers?.[name]

const [writeTable, writeInlineCode] = [gfmHandler("table"), gfmHandler("inlineCode")]

/** In cells, writes a comment between a backslash and a pipe: even in code, the backslash would escape the pipe. */
const inlineCode: Handle = (node: InlineCode, parent, state, info) =>
  (state.stack.includes("tableCell") ? node.value.split(/(?<=\\)(?=\|)/) : [node.value])
    .map((value) => writeInlineCode?.({ ...node, value }, parent, state, info) ?? "").join("<!-- -->")

Object.assign(inlineCode, { peek: () => "`" })

const table: Handle = (node: Table, parent, state, info) => {
  const [head = "", , ...rows] = (writeTable?.(node, parent, state, info) ?? "").split("\n")
  const align = (node.align ?? []).map((each) => each === null || each === undefined ? "---" : delimiters[each])
  return [head, `| ${align.join(" | ")} |`, ...rows].join("\n")
}

/** The library escapes `www.` only before a letter. The parser also links it before anything else. */
const bareWww: Unsafe = {
  character: ".",
  before: "(?<!\\w)[Ww]{3}",
  after: "[^\\w.-]",
  inConstruct: "phrasing",
  notInConstruct: ["autolink", "link", "image", "label"]
}

const options: Options = {
  bullet: "-",
  emphasis: "*",
  fences: true,
  listItemIndent: "one",
  rule: "-",
  unsafe: [bareWww],
  extensions: [...gfm, { handlers: { ...attentionHandlers, inlineCode, root, table, text } }]
}

export const serializeMarkdown = (children: ReadonlyArray<RootContent>): string => {
  const tree: Root = { type: "root", children: [...children] }
  return toMarkdown(tree, options).replace(/\n$/, "")
}
