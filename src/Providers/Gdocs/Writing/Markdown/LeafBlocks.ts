import type { Code, Heading, Html, Table } from "mdast"
import { maxOf } from "../../../../Domain/Lists.ts"
import { type NewBlock, type NewParagraph, type NewTable, type ParagraphStyle, plainStyle } from "../NewBlocks.ts"
import { normalizeText } from "../NormalizeText.ts"
import type { UnsupportedContent } from "../UnsupportedContent.ts"
import { type MarkdownContext, paragraphOf, paragraphsOf } from "./Paragraphs.ts"

export const headingParagraph = (
  { children, depth }: Heading,
  style: ParagraphStyle,
  context: MarkdownContext
): NewParagraph => paragraphOf(children, { ...style, namedStyle: `HEADING_${depth}` }, context)

export const nonEmptyParagraphs = (paragraphs: ReadonlyArray<NewParagraph>): ReadonlyArray<NewBlock> => {
  const kept = paragraphs.filter(({ text }) => text !== "")
  return kept.length === 0 ? [] : [{ kind: "paragraphs", paragraphs: kept }]
}

export const codeBlock = (
  { lang, value }: Code,
  style: ParagraphStyle,
  unsupported: UnsupportedContent
): ReadonlyArray<NewBlock> => {
  if (typeof lang === "string" && lang !== "") unsupported.add("code language", lang)
  if (value.trim() === "") return []
  const lines = normalizeText(value).replaceAll("\u000B", "\n").replace(/^(?:[ \t]*\n)+|(?:\n[ \t]*)+$/g, "")
    .split("\n")
  return [{
    kind: "paragraphs",
    paragraphs: lines.map((text): NewParagraph => ({
      text,
      runs: text === "" ? [] : [{ start: 0, end: text.length, marks: { code: true } }],
      style: { ...style, kind: "code" }
    }))
  }]
}

export const htmlBlock = (
  { value }: Html,
  style: ParagraphStyle,
  unsupported: UnsupportedContent
): ReadonlyArray<NewBlock> => {
  if (/^\s*<br\s*\/?>\s*$/i.test(value)) return []
  unsupported.add("raw HTML", value)
  return nonEmptyParagraphs(normalizeText(value).split("\n").map((text) => ({ text: text.trim(), runs: [], style })))
}

const alignments: Readonly<Record<string, "CENTER" | "END">> = { center: "CENTER", right: "END" }

export const tableBlock = ({ align, children }: Table, context: MarkdownContext): NewTable => {
  const columns = maxOf(children.map((row) => row.children.length), 1)
  return {
    kind: "table",
    columns,
    rows: children.map((row) =>
      Array.from({ length: columns }, (_, column) => {
        const alignment = alignments[align?.[column] ?? ""]
        const style: ParagraphStyle = { ...plainStyle, ...(alignment === undefined ? {} : { alignment }) }
        return paragraphsOf(row.children[column]?.children ?? [], style, context, "\n")
      })
    )
  }
}
