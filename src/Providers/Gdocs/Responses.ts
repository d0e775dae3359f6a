import { Schema } from "effect"

/*
 * The parts of the provider's responses that the tools read. Every field is optional: the provider leaves empty ones
 * out, and field masks leave empty objects behind.
 */

const optional = <A, I>(schema: Schema.Codec<A, I>) => Schema.optionalKey(schema)

const Ids = Schema.Array(Schema.String)

const Changes = Schema.Record(Schema.String, Schema.Unknown)

const suggested = {
  suggestedInsertionIds: optional(Ids),
  suggestedDeletionIds: optional(Ids)
}

const Dimension = Schema.Struct({ magnitude: optional(Schema.Finite) })

const Place = Schema.Struct({ id: optional(Schema.String), tabId: optional(Schema.String) })

const Link = Schema.Struct({
  url: optional(Schema.String),
  tabId: optional(Schema.String),
  heading: optional(Place),
  headingId: optional(Schema.String),
  bookmark: optional(Place),
  bookmarkId: optional(Schema.String)
})
export type Link = typeof Link.Type

const RgbColor = Schema.Struct({
  red: optional(Schema.Finite),
  green: optional(Schema.Finite),
  blue: optional(Schema.Finite)
})

const TextStyle = Schema.Struct({
  bold: optional(Schema.Boolean),
  italic: optional(Schema.Boolean),
  strikethrough: optional(Schema.Boolean),
  baselineOffset: optional(Schema.String),
  underline: optional(Schema.Boolean),
  backgroundColor: optional(Schema.Struct({ color: optional(Schema.Struct({ rgbColor: optional(RgbColor) })) })),
  link: optional(Link),
  weightedFontFamily: optional(Schema.Struct({ fontFamily: optional(Schema.String) }))
})
export type TextStyle = typeof TextStyle.Type

const styled = { textStyle: optional(TextStyle), suggestedTextStyleChanges: optional(Changes), ...suggested }

const Mark = Schema.Struct(styled)

const ParagraphElement = Schema.Struct({
  startIndex: optional(Schema.Int),
  endIndex: optional(Schema.Int),
  textRun: optional(Schema.Struct({ content: optional(Schema.String), ...styled })),
  autoText: optional(Schema.Struct({ type: optional(Schema.String), ...styled })),
  pageBreak: optional(Mark),
  columnBreak: optional(Mark),
  horizontalRule: optional(Mark),
  equation: optional(Schema.Struct(suggested)),
  footnoteReference: optional(Schema.Struct({
    footnoteId: optional(Schema.String),
    footnoteNumber: optional(Schema.String),
    ...styled
  })),
  inlineObjectElement: optional(Schema.Struct({ inlineObjectId: optional(Schema.String), ...styled })),
  person: optional(Schema.Struct({
    personProperties: optional(Schema.Struct({ name: optional(Schema.String), email: optional(Schema.String) })),
    ...styled
  })),
  richLink: optional(Schema.Struct({
    richLinkProperties: optional(Schema.Struct({ title: optional(Schema.String), uri: optional(Schema.String) })),
    ...styled
  })),
  dateElement: optional(Schema.Struct({
    dateElementProperties: optional(Schema.Struct({
      displayText: optional(Schema.String),
      timestamp: optional(Schema.String)
    })),
    suggestedDateElementPropertiesChanges: optional(Changes),
    ...styled
  }))
})
export type ParagraphElement = typeof ParagraphElement.Type

const ParagraphStyle = Schema.Struct({
  namedStyleType: optional(Schema.String),
  headingId: optional(Schema.String),
  pageBreakBefore: optional(Schema.Boolean),
  alignment: optional(Schema.String),
  indentStart: optional(Dimension),
  indentEnd: optional(Dimension),
  indentFirstLine: optional(Dimension),
  borderBottom: optional(Schema.Struct({ width: optional(Dimension) })),
  shading: optional(Schema.Struct({
    backgroundColor: optional(Schema.Struct({ color: optional(Schema.Struct({ rgbColor: optional(Schema.Unknown) })) }))
  }))
})

const Paragraph = Schema.Struct({
  elements: optional(Schema.Array(ParagraphElement)),
  paragraphStyle: optional(ParagraphStyle),
  bullet: optional(Schema.Struct({
    listId: optional(Schema.String),
    nestingLevel: optional(Schema.Int)
  })),
  positionedObjectIds: optional(Ids),
  suggestedPositionedObjectIds: optional(Schema.Record(
    Schema.String,
    Schema.Struct({ objectIds: optional(Ids) })
  )),
  suggestedParagraphStyleChanges: optional(Changes),
  suggestedBulletChanges: optional(Changes)
})
export type Paragraph = typeof Paragraph.Type

const Content: Schema.Codec<ReadonlyArray<StructuralElement>> = Schema.Array(
  Schema.suspend((): Schema.Codec<StructuralElement> => StructuralElement)
)

const TableCell = Schema.Struct({
  content: optional(Content),
  tableCellStyle: optional(Schema.Struct({ columnSpan: optional(Schema.Int), rowSpan: optional(Schema.Int) })),
  suggestedTableCellStyleChanges: optional(Changes),
  ...suggested
})

export type TableCell = typeof TableCell.Type

const Table = Schema.Struct({
  columns: optional(Schema.Int),
  tableRows: optional(Schema.Array(Schema.Struct({
    tableCells: optional(Schema.Array(TableCell)),
    suggestedTableRowStyleChanges: optional(Changes),
    ...suggested
  }))),
  ...suggested
})
export type Table = typeof Table.Type

const StructuralElement = Schema.Struct({
  startIndex: optional(Schema.Int),
  endIndex: optional(Schema.Int),
  paragraph: optional(Paragraph),
  table: optional(Table),
  tableOfContents: optional(Schema.Struct({ content: optional(Content), ...suggested })),
  sectionBreak: optional(Schema.Unknown)
})
export interface StructuralElement extends Schema.Schema.Type<typeof StructuralElement> {}

const NestingLevel = Schema.Struct({
  glyphType: optional(Schema.String),
  glyphSymbol: optional(Schema.String),
  startNumber: optional(Schema.Int)
})
export type NestingLevel = typeof NestingLevel.Type

const suggestedObject = {
  suggestedInsertionId: optional(Schema.String),
  suggestedDeletionIds: optional(Ids)
}

const List = Schema.Struct({
  suggestedListPropertiesChanges: optional(Changes),
  ...suggestedObject,
  listProperties: optional(Schema.Struct({ nestingLevels: optional(Schema.Array(NestingLevel)) }))
})

const ObjectProperties = Schema.Struct({
  embeddedObject: optional(Schema.Struct({
    title: optional(Schema.String),
    description: optional(Schema.String),
    embeddedDrawingProperties: optional(Schema.Unknown),
    linkedContentReference: optional(Schema.Unknown)
  }))
})

export type ObjectProperties = typeof ObjectProperties.Type

const InlineObject = Schema.Struct({
  inlineObjectProperties: optional(ObjectProperties),
  suggestedInlineObjectPropertiesChanges: optional(Changes),
  ...suggestedObject
})

const PositionedObject = Schema.Struct({
  positionedObjectProperties: optional(ObjectProperties),
  suggestedPositionedObjectPropertiesChanges: optional(Changes),
  ...suggestedObject
})

const DocumentTab = Schema.Struct({
  body: optional(Schema.Struct({ content: optional(Content) })),
  headers: optional(Schema.Record(Schema.String, Schema.Struct({ content: optional(Content) }))),
  footers: optional(Schema.Record(Schema.String, Schema.Struct({ content: optional(Content) }))),
  footnotes: optional(Schema.Record(Schema.String, Schema.Struct({ content: optional(Content) }))),
  lists: optional(Schema.Record(Schema.String, List)),
  inlineObjects: optional(Schema.Record(Schema.String, InlineObject)),
  positionedObjects: optional(Schema.Record(Schema.String, PositionedObject)),
  namedRanges: optional(Schema.Record(Schema.String, Schema.Unknown)),
  commentAnchors: optional(Schema.Record(Schema.String, Schema.Unknown)),
  suggestedDocumentStyleChanges: optional(Changes),
  suggestedNamedStylesChanges: optional(Changes)
})
export type DocumentTab = typeof DocumentTab.Type

export interface Tab {
  readonly tabProperties?: { readonly tabId?: string; readonly title?: string }
  readonly documentTab?: DocumentTab
  readonly childTabs?: ReadonlyArray<Tab>
}

const Tab = Schema.Struct({
  tabProperties: optional(Schema.Struct({ tabId: optional(Schema.String), title: optional(Schema.String) })),
  documentTab: optional(DocumentTab),
  childTabs: optional(Schema.Array(Schema.suspend((): Schema.Codec<Tab> => Tab)))
})

export const Document = Schema.Struct({
  documentId: optional(Schema.String),
  title: optional(Schema.String),
  revisionId: optional(Schema.String),
  suggestionsViewMode: optional(Schema.String),
  tabs: optional(Schema.Array(Tab)),
  // The fields of the only tab, from an API that does not answer with tabs.
  ...DocumentTab.fields
})
export type Document = typeof Document.Type

export const CreatedDocument = Schema.Struct({
  documentId: Schema.String,
  title: Schema.optionalKey(Schema.String),
  revisionId: Schema.optionalKey(Schema.String)
})

export const BatchUpdateDocumentResponse = Schema.Struct({
  replies: optional(Schema.Array(Schema.Struct({
    replaceAllText: optional(Schema.Struct({ occurrencesChanged: optional(Schema.Int) }))
  }))),
  writeControl: optional(Schema.Struct({ requiredRevisionId: optional(Schema.String) }))
})
export type BatchUpdateDocumentResponse = typeof BatchUpdateDocumentResponse.Type
