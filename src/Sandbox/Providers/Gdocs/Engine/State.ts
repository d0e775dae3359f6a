import type { Schema } from "effect"

/** A part of a document that is kept as the provider spells it. */
export interface Props {
  readonly [name: string]: Schema.Json
}

/** Text of one style. The last run of a paragraph ends with the paragraph's newline. */
export interface Run {
  readonly text: string
  readonly style: Props
  /** Suggestions. */
  readonly rest: Props
}

/** What stands in a paragraph without being text: a page break, a chip, an image, a footnote's mark, … */
export interface Thing {
  /** In UTF-16 code units; 1 but for an equation. */
  readonly width: number
  /** `{ "pageBreak": { … } }` */
  readonly element: Props
}

export type Inline = Run | Thing

export interface Bullet {
  readonly listId: string
  readonly nestingLevel: number
  readonly textStyle: Props
}

export interface Paragraph {
  readonly kind: "paragraph"
  readonly inlines: ReadonlyArray<Inline>
  readonly style: Props
  readonly bullet?: Bullet
  readonly rest: Props
}

export interface Cell {
  readonly content: Content
  readonly style: Props
  readonly rest: Props
}

export interface Row {
  readonly cells: ReadonlyArray<Cell>
  readonly style: Props
  readonly rest: Props
}

export interface Table {
  readonly kind: "table"
  readonly columns: number
  readonly rows: ReadonlyArray<Row>
  readonly style: Props
  readonly rest: Props
}

export interface TableOfContents {
  readonly kind: "tableOfContents"
  readonly content: Content
  readonly rest: Props
}

export interface SectionBreak {
  readonly kind: "sectionBreak"
  readonly rest: Props
}

export type Block = Paragraph | Table | TableOfContents | SectionBreak

/** Paragraphs and what stands between them; the last one is a paragraph. */
export type Content = ReadonlyArray<Block>

export interface Segment {
  readonly content: Content
  readonly rest: Props
}

export type SegmentKind = "headers" | "footers" | "footnotes"

export interface Tab {
  readonly tabId: string
  readonly title: string
  readonly iconEmoji?: string
  readonly body: Content
  readonly headers: Readonly<Record<string, Segment>>
  readonly footers: Readonly<Record<string, Segment>>
  readonly footnotes: Readonly<Record<string, Segment>>
  readonly lists: Readonly<Record<string, Props>>
  /** `documentStyle`, `namedStyles`, `inlineObjects`, … */
  readonly rest: Props
  readonly children: ReadonlyArray<Tab>
}

/** A document as the sandbox stores it: plain JSON, without indexes, which follow from the content. */
export interface DocumentState {
  readonly documentId: string
  readonly title: string
  /** How often it has been changed; its revision id follows from it. */
  readonly revision: number
  /** How many ids have been made for its lists, headings and so on. */
  readonly minted: number
  readonly tabs: ReadonlyArray<Tab>
}

export const isRun = (inline: Inline): inline is Run => "text" in inline
