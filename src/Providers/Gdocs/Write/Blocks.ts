/** What a link points at: an address, or a place in the same document. */
export type LinkTarget =
  | { readonly url: string }
  | { readonly heading: { readonly id: string; readonly tabId: string } }
  | { readonly tabId: string }

export interface Marks {
  readonly bold?: true
  readonly italic?: true
  readonly strikethrough?: true
  readonly code?: true
  readonly link?: LinkTarget
}

/** Text of one look; offsets in UTF-16 code units of the line. */
export interface Run {
  readonly start: number
  readonly end: number
  readonly marks: Marks
}

export type NamedStyle =
  | "NORMAL_TEXT"
  | "HEADING_1"
  | "HEADING_2"
  | "HEADING_3"
  | "HEADING_4"
  | "HEADING_5"
  | "HEADING_6"

export interface Look {
  readonly named: NamedStyle
  /** Quotes around the paragraph. */
  readonly quotes: number
  /** Levels of a list whose text the paragraph is aligned with. */
  readonly items: number
  readonly kind: "text" | "code" | "rule"
  readonly align?: "CENTER" | "END"
}

/** A paragraph to be: its text holds no newline. */
export interface Line {
  readonly text: string
  readonly runs: ReadonlyArray<Run>
  readonly look: Look
}

export interface Paragraphs {
  readonly kind: "paragraphs"
  readonly lines: ReadonlyArray<Line>
}

export type ListKind = "bullet" | "number" | "checkbox"

export interface ListLine {
  readonly line: Line
  readonly level: number
  /** What stands below the item without belonging to the same list: paragraphs, tables, lists of another kind. */
  readonly after: ReadonlyArray<Block>
}

export interface List {
  readonly kind: "list"
  readonly list: ListKind
  /** What the first item is numbered, where items are. */
  readonly start: number
  readonly lines: ReadonlyArray<ListLine>
}

export interface Cell {
  /** A paragraph each. */
  readonly lines: ReadonlyArray<Line>
}

export interface Table {
  readonly kind: "table"
  readonly columns: number
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
}

export type Block = Paragraphs | List | Table

export const plain: Look = { named: "NORMAL_TEXT", quotes: 0, items: 0, kind: "text" }

export const emptyLine: Line = { text: "", runs: [], look: plain }

/** Neighbouring paragraphs are written together. */
export const grouped = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const groups: Array<Block> = []
  for (const block of blocks) {
    const before = groups.at(-1)
    if (block.kind === "paragraphs" && before?.kind === "paragraphs") {
      groups[groups.length - 1] = { kind: "paragraphs", lines: [...before.lines, ...block.lines] }
    } else if (block.kind !== "paragraphs" || block.lines.length > 0) {
      groups.push(block)
    }
  }
  return groups
}
