/*
 * What becomes of each field of the provider's documents. A field that is new in the provider's schema fails a test until
 * it stands here.
 */

interface Decisions {
  /** Fields shown in the text, or in what `docs_read` says beside it. */
  readonly shown?: string
  /** Counted in `note`, by kind. */
  readonly noted?: Readonly<Record<string, string>>
  /** Counted in `pending_suggestions`. */
  readonly suggested?: string
  /** Says how the document looks or names something for programs, and changes nothing in what it says. */
  readonly appearance?: string
}

const suggested = "suggestedInsertionIds suggestedDeletionIds"
const styled = `${suggested} suggestedTextStyleChanges`
const objectSuggested = "suggestedInsertionId suggestedDeletionIds"
const margins = "marginTop marginBottom marginLeft marginRight"

export const fieldDecisions = {
  Document: {
    shown: "title documentId revisionId tabs body footnotes lists inlineObjects positionedObjects",
    noted: { headers: "header", footers: "footer", namedRanges: "named range", comments: "comment thread" },
    suggested: "suggestions suggestedDocumentStyleChanges suggestedNamedStylesChanges",
    appearance: "documentStyle namedStyles suggestionsViewMode commentsViewMode"
  },
  Tab: { shown: "tabProperties documentTab childTabs" },
  TabProperties: { shown: "tabId title parentTabId index nestingLevel", appearance: "iconEmoji" },
  DocumentTab: {
    shown: "body footnotes lists inlineObjects positionedObjects",
    noted: { headers: "header", footers: "footer", namedRanges: "named range", commentAnchors: "comment" },
    suggested: "suggestedDocumentStyleChanges suggestedNamedStylesChanges",
    appearance: "documentStyle namedStyles"
  },
  Body: { shown: "content" },
  Header: { noted: { content: "header" }, appearance: "headerId" },
  Footer: { noted: { content: "footer" }, appearance: "footerId" },
  Footnote: { shown: "content footnoteId" },
  StructuralElement: {
    shown: "startIndex endIndex paragraph table",
    noted: { tableOfContents: "table of contents", sectionBreak: "section break" }
  },
  SectionBreak: { suggested, appearance: "sectionStyle" },
  TableOfContents: { noted: { content: "table of contents" }, suggested },
  Paragraph: {
    shown: "elements paragraphStyle bullet positionedObjectIds",
    suggested: "suggestedParagraphStyleChanges suggestedBulletChanges suggestedPositionedObjectIds"
  },
  ParagraphElement: {
    shown:
      "startIndex endIndex textRun autoText horizontalRule footnoteReference inlineObjectElement person richLink " +
      "dateElement",
    noted: { pageBreak: "page break", columnBreak: "column break", equation: "equation" }
  },
  TextRun: { shown: "content textStyle", suggested: styled },
  AutoText: { shown: "type textStyle", suggested: styled },
  PageBreak: { suggested: styled, appearance: "textStyle" },
  ColumnBreak: { suggested: styled, appearance: "textStyle" },
  HorizontalRule: { suggested: styled, appearance: "textStyle" },
  Equation: { suggested },
  FootnoteReference: { shown: "footnoteId footnoteNumber", suggested: styled, appearance: "textStyle" },
  InlineObjectElement: { shown: "inlineObjectId textStyle", suggested: styled },
  Person: { shown: "personProperties textStyle", suggested: styled, appearance: "personId" },
  PersonProperties: { shown: "name email" },
  RichLink: { shown: "richLinkProperties textStyle", suggested: styled, appearance: "richLinkId" },
  RichLinkProperties: { shown: "title uri", appearance: "mimeType" },
  DateElement: {
    shown: "dateElementProperties textStyle",
    suggested: `${styled} suggestedDateElementPropertiesChanges`,
    appearance: "dateId"
  },
  DateElementProperties: { shown: "displayText timestamp", appearance: "dateFormat locale timeFormat timeZoneId" },
  TextStyle: {
    shown: "bold italic strikethrough baselineOffset link weightedFontFamily",
    noted: { underline: "underlined passage", backgroundColor: "highlighted passage" },
    appearance: "fontSize foregroundColor smallCaps"
  },
  WeightedFontFamily: { shown: "fontFamily", appearance: "weight" },
  Link: { shown: "url tabId heading headingId bookmark bookmarkId" },
  HeadingLink: { shown: "id tabId" },
  BookmarkLink: { shown: "id tabId" },
  ParagraphStyle: {
    shown: "namedStyleType headingId alignment indentStart indentEnd indentFirstLine borderBottom shading",
    noted: { pageBreakBefore: "page break" },
    appearance:
      "direction lineSpacing spaceAbove spaceBelow spacingMode borderBetween borderTop borderLeft borderRight " +
      "tabStops keepLinesTogether keepWithNext avoidWidowAndOrphan"
  },
  Bullet: { shown: "listId nestingLevel", appearance: "textStyle" },
  List: { shown: "listProperties", suggested: `${objectSuggested} suggestedListPropertiesChanges` },
  ListProperties: { shown: "nestingLevels" },
  NestingLevel: {
    shown: "glyphType glyphSymbol startNumber",
    appearance: "bulletAlignment glyphFormat indentFirstLine indentStart textStyle"
  },
  Table: { shown: "rows columns tableRows", suggested, appearance: "tableStyle" },
  TableRow: {
    shown: "tableCells startIndex endIndex",
    suggested: `${suggested} suggestedTableRowStyleChanges`,
    appearance: "tableRowStyle"
  },
  TableCell: {
    shown: "content tableCellStyle startIndex endIndex",
    suggested: `${suggested} suggestedTableCellStyleChanges`
  },
  TableCellStyle: {
    shown: "rowSpan columnSpan",
    appearance: "backgroundColor contentAlignment borderTop borderBottom borderLeft borderRight paddingTop " +
      "paddingBottom paddingLeft paddingRight"
  },
  InlineObject: {
    shown: "objectId inlineObjectProperties",
    suggested: `${objectSuggested} suggestedInlineObjectPropertiesChanges`
  },
  InlineObjectProperties: { shown: "embeddedObject" },
  PositionedObject: {
    shown: "objectId positionedObjectProperties",
    suggested: `${objectSuggested} suggestedPositionedObjectPropertiesChanges`
  },
  PositionedObjectProperties: { shown: "embeddedObject", appearance: "positioning" },
  ObjectReferences: { shown: "objectIds" },
  EmbeddedObject: {
    shown: "description imageProperties",
    noted: {
      title: "title of a picture",
      embeddedDrawingProperties: "drawing",
      linkedContentReference: "link to a chart"
    },
    appearance: `size embeddedObjectBorder ${margins}`
  },
  /** The object id stands for the picture; its address expires. */
  ImageProperties: {
    shown: "contentUri sourceUri",
    appearance: "angle brightness contrast cropProperties transparency"
  }
} as const satisfies Readonly<Record<string, Decisions>>
