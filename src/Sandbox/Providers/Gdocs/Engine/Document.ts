import { createHash } from "node:crypto"
import type { JsonObject } from "./Json.ts"

export interface TextRun {
  readonly text: string
  readonly style: JsonObject
  readonly rest: JsonObject
}

export interface InlineElement {
  /** UTF-16 code units. Only equations are wider than 1. */
  readonly width: number
  readonly element: JsonObject
}

export type Inline = TextRun | InlineElement

export interface Bullet {
  readonly listId: string
  readonly nestingLevel: number
  readonly textStyle: JsonObject
}

export interface Paragraph {
  readonly kind: "paragraph"
  readonly inlines: ReadonlyArray<Inline>
  readonly style: JsonObject
  readonly bullet?: Bullet
  readonly rest: JsonObject
}

export interface Cell {
  readonly content: Content
  readonly style: JsonObject
  readonly rest: JsonObject
}

export interface TableRow {
  readonly cells: ReadonlyArray<Cell>
  readonly style: JsonObject
  readonly rest: JsonObject
}

export interface Table {
  readonly kind: "table"
  readonly columns: number
  readonly rows: ReadonlyArray<TableRow>
  readonly style: JsonObject
  readonly rest: JsonObject
}

/** Only documents of other programs have one: the sandbox neither makes nor changes it. */
export interface TableOfContents {
  readonly kind: "tableOfContents"
  readonly width: number
  readonly rest: JsonObject
}

export interface SectionBreak {
  readonly kind: "sectionBreak"
  readonly rest: JsonObject
}

export type Block = Paragraph | Table | TableOfContents | SectionBreak

export type Content = ReadonlyArray<Block>

export interface Segment {
  readonly content: Content
  readonly rest: JsonObject
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
  readonly lists: Readonly<Record<string, JsonObject>>
  readonly rest: JsonObject
  readonly children: ReadonlyArray<Tab>
}

export interface Document {
  readonly documentId: string
  readonly title: string
  readonly revision: number
  readonly minted: number
  readonly tabs: ReadonlyArray<Tab>
}

export const isTextRun = (inline: Inline): inline is TextRun => "text" in inline

export interface IdGenerator {
  readonly next: (prefix: "kix." | "h." | "t.") => string
  readonly count: () => number
}

export const makeIdGenerator = ({ documentId, minted }: Pick<Document, "documentId" | "minted">): IdGenerator => {
  let count = minted
  return {
    next: (prefix) => `${prefix}${digest(`${documentId} ${++count}`).slice(0, 12)}`,
    count: () => count
  }
}

export const revisionId = (documentId: string, revision: number): string =>
  `ALm37B${digest(`${documentId} revision ${revision}`)}`

const digest = (text: string): string =>
  BigInt(`0x${createHash("sha256").update(text).digest("hex")}`).toString(36).padStart(50, "0")
