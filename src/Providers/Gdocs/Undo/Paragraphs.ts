import { Schema } from "effect"
import { canonicalJson } from "../../../Domain/Json/CanonicalJson.ts"
import { noText } from "./Texts.ts"

const Fields = Schema.Record(Schema.String, Schema.Json)

export const Piece = Schema.Struct({
  text: Schema.String,
  style: Fields,
  /** What is no text, without its indexes. */
  other: Schema.optionalKey(Schema.Json)
})

export const KeptParagraph = Schema.Struct({
  pieces: Schema.Array(Piece),
  style: Fields,
  bullet: Schema.NullOr(Fields)
})
export type KeptParagraph = typeof KeptParagraph.Type

export interface PlacedParagraph extends KeptParagraph {
  readonly tabId: string
  readonly segmentId: string
  /** The body, or the cell of a table. */
  readonly container: string
  readonly start: number
}

export const textOfParagraph = ({ pieces }: KeptParagraph): string => pieces.map(({ text }) => text).join("")

export const isSameParagraph = (one: KeptParagraph, other: KeptParagraph): boolean =>
  canonicalJson([one.pieces, one.style, one.bullet]) === canonicalJson([other.pieces, other.style, other.bullet])

/** The length of its first character. */
export const firstCharacter = (paragraph: KeptParagraph): number =>
  (textOfParagraph(paragraph).codePointAt(0) ?? 0) > 0xFFFF ? 2 : 1

/**
 * Whether the text of an item has another style than its bullet and no parts: a request that styles the whole text
 * styles the bullet as well.
 */
export const isInseparable = (paragraph: KeptParagraph): boolean => {
  const { bullet, pieces: [first] } = paragraph
  if (bullet === null || textOfParagraph(paragraph).length > firstCharacter(paragraph) + 1) return false
  return canonicalJson(first?.style ?? {}) !== canonicalJson(bullet["textStyle"] ?? {})
}

const Element = Schema.StructWithRest(
  Schema.Struct({
    startIndex: Schema.optionalKey(Schema.Int),
    endIndex: Schema.optionalKey(Schema.Int),
    textRun: Schema.optionalKey(Schema.Struct({
      content: Schema.optionalKey(Schema.String),
      textStyle: Schema.optionalKey(Fields),
      suggestedInsertionIds: Schema.optionalKey(Schema.Json),
      suggestedDeletionIds: Schema.optionalKey(Schema.Json),
      suggestedTextStyleChanges: Schema.optionalKey(Schema.Json)
    }))
  }),
  [Fields]
)

interface Block {
  readonly startIndex?: number
  readonly paragraph?: {
    readonly elements?: ReadonlyArray<typeof Element.Type>
    readonly paragraphStyle?: typeof Fields.Type
    readonly bullet?: typeof Fields.Type
  }
  readonly table?: {
    readonly tableRows?: ReadonlyArray<{
      readonly tableCells?: ReadonlyArray<{ readonly content?: ReadonlyArray<Block> }>
    }>
  }
}

const Blocks: Schema.Codec<ReadonlyArray<Block>> = Schema.Array(Schema.suspend((): Schema.Codec<Block> => Block))

const Block = Schema.Struct({
  startIndex: Schema.optionalKey(Schema.Int),
  paragraph: Schema.optionalKey(Schema.Struct({
    elements: Schema.optionalKey(Schema.Array(Element)),
    paragraphStyle: Schema.optionalKey(Fields),
    bullet: Schema.optionalKey(Fields)
  })),
  table: Schema.optionalKey(Schema.Struct({
    tableRows: Schema.optionalKey(Schema.Array(Schema.Struct({
      tableCells: Schema.optionalKey(Schema.Array(Schema.Struct({ content: Schema.optionalKey(Blocks) })))
    })))
  }))
})

const Segment = Schema.Struct({ content: Schema.optionalKey(Blocks) })
const Segments = Schema.optionalKey(Schema.Record(Schema.String, Segment))

export interface Tab {
  readonly tabProperties?: { readonly tabId?: string }
  readonly documentTab?: {
    readonly body?: typeof Segment.Type
    readonly headers?: Readonly<Record<string, typeof Segment.Type>>
    readonly footers?: Readonly<Record<string, typeof Segment.Type>>
    readonly footnotes?: Readonly<Record<string, typeof Segment.Type>>
  }
  readonly childTabs?: ReadonlyArray<Tab>
}

const Tab: Schema.Codec<Tab> = Schema.Struct({
  tabProperties: Schema.optionalKey(Schema.Struct({ tabId: Schema.optionalKey(Schema.String) })),
  documentTab: Schema.optionalKey(Schema.Struct({
    body: Schema.optionalKey(Segment),
    headers: Segments,
    footers: Segments,
    footnotes: Segments
  })),
  childTabs: Schema.optionalKey(Schema.Array(Schema.suspend((): Schema.Codec<Tab> => Tab)))
})

/** A document with all of its styles. */
export const StyledDocument = Schema.Struct({
  revisionId: Schema.optionalKey(Schema.String),
  tabs: Schema.optionalKey(Schema.Array(Tab))
})
export type StyledDocument = typeof StyledDocument.Type

export const paragraphsOf = ({ tabs = [] }: StyledDocument): ReadonlyArray<PlacedParagraph> => tabs.flatMap(ofTab)

const ofTab = ({ childTabs = [], documentTab = {}, tabProperties = {} }: Tab): ReadonlyArray<PlacedParagraph> => {
  const { tabId = "" } = tabProperties
  const { body = {}, footers = {}, footnotes = {}, headers = {} } = documentTab
  return [
    ...ofBlocks(body.content ?? [], tabId, "", ""),
    ...[headers, footers, footnotes].flatMap((segments) =>
      Object.entries(segments).flatMap(([id, { content = [] }]) => ofBlocks(content, tabId, id, ""))
    ),
    ...childTabs.flatMap(ofTab)
  ]
}

const ofBlocks = (
  blocks: ReadonlyArray<Block>,
  tabId: string,
  segmentId: string,
  container: string
): ReadonlyArray<PlacedParagraph> => {
  // Paragraphs on either side of a table are apart.
  let part = 0
  return blocks.flatMap(({ paragraph, startIndex = 0, table }): ReadonlyArray<PlacedParagraph> => {
    if (paragraph === undefined) {
      part++
      return (table?.tableRows ?? []).flatMap(({ tableCells = [] }, row) =>
        tableCells.flatMap(({ content = [] }, column) =>
          ofBlocks(content, tabId, segmentId, `${container}/${part}.${row}.${column}`)
        )
      )
    }
    const { bullet = null, elements = [], paragraphStyle: style = {} } = paragraph
    return [{
      tabId,
      segmentId,
      container: `${container}/${part}`,
      start: startIndex,
      pieces: elements.map(pieceOf),
      style,
      bullet
    }]
  })
}

const pieceOf = ({ endIndex = 0, startIndex = 0, textRun, ...other }: typeof Element.Type): typeof Piece.Type => {
  const { content, textStyle = {}, ...suggested } = textRun ?? {}
  return content !== undefined && Object.keys(suggested).length === 0
    ? { text: content, style: textStyle }
    : {
      text: noText.repeat(endIndex - startIndex),
      style: {},
      other: { ...other, ...suggested, ...textRun === undefined ? {} : { textStyle } }
    }
}

/** Whether a text is suggested, or suggested to go. */
export const isSuggested = (other: Schema.Json): boolean =>
  typeof other === "object" && other !== null && Object.keys(other).some((name) => name.startsWith("suggested"))
