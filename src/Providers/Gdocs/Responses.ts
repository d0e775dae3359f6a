import { Schema, Struct } from "effect"
import { partial } from "../Google/Message.ts"

/*
 * The parts of the provider's responses that the tools read. Every field is optional: the provider leaves empty ones
 * out, and field masks leave empty objects behind.
 */

const Ids = Schema.Array(Schema.String)

const Changes = Schema.Record(Schema.String, Schema.Unknown)

const suggested = { suggestedInsertionIds: Ids, suggestedDeletionIds: Ids }

const Dimension = partial({ magnitude: Schema.Finite })

const Place = partial({ id: Schema.String, tabId: Schema.String })

const Link = partial({
  url: Schema.String,
  tabId: Schema.String,
  heading: Place,
  headingId: Schema.String,
  bookmark: Place,
  bookmarkId: Schema.String
})
export type Link = typeof Link.Type

const RgbColor = partial({ red: Schema.Finite, green: Schema.Finite, blue: Schema.Finite })

const TextStyle = partial({
  bold: Schema.Boolean,
  italic: Schema.Boolean,
  strikethrough: Schema.Boolean,
  baselineOffset: Schema.String,
  underline: Schema.Boolean,
  backgroundColor: partial({ color: partial({ rgbColor: RgbColor }) }),
  link: Link,
  weightedFontFamily: partial({ fontFamily: Schema.String })
})
export type TextStyle = typeof TextStyle.Type

const styled = { textStyle: TextStyle, suggestedTextStyleChanges: Changes, ...suggested }

const Mark = partial(styled)

/** What an element is. It has one of these. */
const elementContents = {
  textRun: partial({ content: Schema.String, ...styled }),
  autoText: partial({ type: Schema.String, ...styled }),
  pageBreak: Mark,
  columnBreak: Mark,
  horizontalRule: Mark,
  equation: partial(suggested),
  footnoteReference: partial({ footnoteId: Schema.String, footnoteNumber: Schema.String, ...styled }),
  inlineObjectElement: partial({ inlineObjectId: Schema.String, ...styled }),
  person: partial({ personProperties: partial({ name: Schema.String, email: Schema.String }), ...styled }),
  richLink: partial({ richLinkProperties: partial({ title: Schema.String, uri: Schema.String }), ...styled }),
  dateElement: partial({
    dateElementProperties: partial({ displayText: Schema.String, timestamp: Schema.String }),
    suggestedDateElementPropertiesChanges: Changes,
    ...styled
  })
}
export const elementKinds = Struct.keys(elementContents)

const ParagraphElement = partial({ startIndex: Schema.Int, endIndex: Schema.Int, ...elementContents })
export type ParagraphElement = typeof ParagraphElement.Type

const ParagraphStyle = partial({
  namedStyleType: Schema.String,
  headingId: Schema.String,
  pageBreakBefore: Schema.Boolean,
  alignment: Schema.String,
  indentStart: Dimension,
  indentEnd: Dimension,
  indentFirstLine: Dimension,
  borderBottom: partial({ width: Dimension }),
  shading: partial({ backgroundColor: partial({ color: partial({ rgbColor: Schema.Unknown }) }) })
})

const Paragraph = partial({
  elements: Schema.Array(ParagraphElement),
  paragraphStyle: ParagraphStyle,
  bullet: partial({ listId: Schema.String, nestingLevel: Schema.Int }),
  positionedObjectIds: Ids,
  suggestedPositionedObjectIds: Schema.Record(Schema.String, partial({ objectIds: Ids })),
  suggestedParagraphStyleChanges: Changes,
  suggestedBulletChanges: Changes
})
export type Paragraph = typeof Paragraph.Type

const Content: Schema.Codec<ReadonlyArray<StructuralElement>> = Schema.Array(
  Schema.suspend((): Schema.Codec<StructuralElement> => StructuralElement)
)

const TableCell = partial({
  content: Content,
  tableCellStyle: partial({ columnSpan: Schema.Int, rowSpan: Schema.Int }),
  suggestedTableCellStyleChanges: Changes,
  ...suggested
})
export type TableCell = typeof TableCell.Type

const Table = partial({
  columns: Schema.Int,
  tableRows: Schema.Array(partial({
    tableCells: Schema.Array(TableCell),
    suggestedTableRowStyleChanges: Changes,
    ...suggested
  })),
  ...suggested
})
export type Table = typeof Table.Type

export const cellsOf = ({ tableRows = [] }: Table = {}): ReadonlyArray<TableCell> =>
  tableRows.flatMap(({ tableCells = [] }) => tableCells)

const StructuralElement = partial({
  startIndex: Schema.Int,
  endIndex: Schema.Int,
  paragraph: Paragraph,
  table: Table,
  tableOfContents: partial({ content: Content, ...suggested }),
  sectionBreak: Schema.Unknown
})
export interface StructuralElement extends Schema.Schema.Type<typeof StructuralElement> {}

const NestingLevel = partial({ glyphType: Schema.String, glyphSymbol: Schema.String, startNumber: Schema.Int })
export type NestingLevel = typeof NestingLevel.Type

const suggestedObject = { suggestedInsertionId: Schema.String, suggestedDeletionIds: Ids }

const List = partial({
  suggestedListPropertiesChanges: Changes,
  ...suggestedObject,
  listProperties: partial({ nestingLevels: Schema.Array(NestingLevel) })
})

const ObjectProperties = partial({
  embeddedObject: partial({
    title: Schema.String,
    description: Schema.String,
    embeddedDrawingProperties: Schema.Unknown,
    linkedContentReference: Schema.Unknown
  })
})
export type ObjectProperties = typeof ObjectProperties.Type

const InlineObject = partial({
  inlineObjectProperties: ObjectProperties,
  suggestedInlineObjectPropertiesChanges: Changes,
  ...suggestedObject
})

const PositionedObject = partial({
  positionedObjectProperties: ObjectProperties,
  suggestedPositionedObjectPropertiesChanges: Changes,
  ...suggestedObject
})

const byId = <Value extends Schema.Constraint>(value: Value) => Schema.Record(Schema.String, value)

const Segment = partial({ content: Content })

const tabFields = {
  body: Segment,
  headers: byId(Segment),
  footers: byId(Segment),
  footnotes: byId(Segment),
  lists: byId(List),
  inlineObjects: byId(InlineObject),
  positionedObjects: byId(PositionedObject),
  namedRanges: byId(Schema.Unknown),
  commentAnchors: byId(Schema.Unknown),
  suggestedDocumentStyleChanges: Changes,
  suggestedNamedStylesChanges: Changes
}

const DocumentTab = partial(tabFields)
export type DocumentTab = typeof DocumentTab.Type

export interface Tab {
  readonly tabProperties?: { readonly tabId?: string; readonly title?: string }
  readonly documentTab?: DocumentTab
  readonly childTabs?: ReadonlyArray<Tab>
}

const Tab = partial({
  tabProperties: partial({ tabId: Schema.String, title: Schema.String }),
  documentTab: DocumentTab,
  childTabs: Schema.Array(Schema.suspend((): Schema.Codec<Tab> => Tab))
})

export const Document = partial({
  documentId: Schema.String,
  title: Schema.String,
  revisionId: Schema.String,
  suggestionsViewMode: Schema.String,
  tabs: Schema.Array(Tab),
  // The fields of the only tab, from an API that does not answer with tabs.
  ...tabFields
})
export type Document = typeof Document.Type

export const CreatedDocument = Schema.Struct({
  documentId: Schema.String,
  title: Schema.optionalKey(Schema.String),
  revisionId: Schema.optionalKey(Schema.String)
})

export const BatchUpdateDocumentResponse = partial({
  replies: Schema.Array(partial({ replaceAllText: partial({ occurrencesChanged: Schema.Int }) })),
  writeControl: partial({ requiredRevisionId: Schema.String })
})
export type BatchUpdateDocumentResponse = typeof BatchUpdateDocumentResponse.Type
