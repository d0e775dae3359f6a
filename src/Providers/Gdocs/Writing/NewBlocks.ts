import type { LinkTarget } from "./LinkTargets.ts"

export interface Marks {
  readonly bold?: true
  readonly italic?: true
  readonly strikethrough?: true
  readonly code?: true
  readonly baseline?: "SUPERSCRIPT" | "SUBSCRIPT"
  readonly link?: LinkTarget
}

/** Offsets count UTF-16 code units from the start of the paragraph. */
export interface Run {
  readonly start: number
  readonly end: number
  readonly marks: Marks
}

export interface ParagraphStyle {
  readonly namedStyle: "NORMAL_TEXT" | `HEADING_${1 | 2 | 3 | 4 | 5 | 6}`
  readonly quoteLevels: number
  readonly listLevels: number
  readonly kind: "text" | "code" | "rule"
  readonly alignment?: "CENTER" | "END"
}

export interface NewParagraph {
  readonly text: string
  readonly runs: ReadonlyArray<Run>
  readonly style: ParagraphStyle
}

export interface NewParagraphs {
  readonly kind: "paragraphs"
  readonly paragraphs: ReadonlyArray<NewParagraph>
}

export type ListKind = "bullet" | "number" | "checkbox"

export interface NewListItem {
  readonly paragraph: NewParagraph
  readonly level: number
  readonly below: ReadonlyArray<NewBlock>
}

export interface NewList {
  readonly kind: "list"
  readonly listKind: ListKind
  readonly start: number
  readonly items: ReadonlyArray<NewListItem>
}

export type NewCell = ReadonlyArray<NewParagraph>

export interface NewTable {
  readonly kind: "table"
  readonly columns: number
  readonly rows: ReadonlyArray<ReadonlyArray<NewCell>>
}

export type NewBlock = NewParagraphs | NewList | NewTable

export const plainStyle: ParagraphStyle = { namedStyle: "NORMAL_TEXT", quoteLevels: 0, listLevels: 0, kind: "text" }

export const emptyParagraph: NewParagraph = { text: "", runs: [], style: plainStyle }

export const mergeParagraphs = (blocks: ReadonlyArray<NewBlock>): ReadonlyArray<NewBlock> => {
  const merged: Array<NewBlock> = []
  for (const block of blocks) {
    const before = merged.at(-1)
    if (block.kind === "paragraphs" && before?.kind === "paragraphs") {
      merged[merged.length - 1] = { kind: "paragraphs", paragraphs: [...before.paragraphs, ...block.paragraphs] }
    } else if (block.kind !== "paragraphs" || block.paragraphs.length > 0) {
      merged.push(block)
    }
  }
  return merged
}
