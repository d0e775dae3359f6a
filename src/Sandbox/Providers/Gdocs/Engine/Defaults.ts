import type { Document, Paragraph, SectionBreak, Tab, Table, TableRow } from "./Document.ts"
import type { JsonObject } from "./Json.ts"

export const points = (magnitude: number): JsonObject => magnitude === 0 ? { unit: "PT" } : { magnitude, unit: "PT" }

const grey = (level: number): JsonObject => ({ color: { rgbColor: { red: level, green: level, blue: level } } })

const noBorder: JsonObject = { color: {}, width: points(0), padding: points(0), dashStyle: "SOLID" }

const heading = (namedStyleType: string, textStyle: JsonObject, above: number, below: number): JsonObject => ({
  namedStyleType,
  textStyle,
  paragraphStyle: {
    namedStyleType: "NORMAL_TEXT",
    direction: "LEFT_TO_RIGHT",
    spaceAbove: points(above),
    spaceBelow: points(below),
    keepLinesTogether: true,
    keepWithNext: true,
    pageBreakBefore: false
  }
})

const namedStyles: JsonObject = {
  styles: [
    {
      namedStyleType: "NORMAL_TEXT",
      textStyle: {
        bold: false,
        italic: false,
        underline: false,
        strikethrough: false,
        smallCaps: false,
        backgroundColor: {},
        foregroundColor: { color: { rgbColor: {} } },
        fontSize: points(11),
        weightedFontFamily: { fontFamily: "Arial", weight: 400 },
        baselineOffset: "NONE"
      },
      paragraphStyle: {
        namedStyleType: "NORMAL_TEXT",
        alignment: "START",
        lineSpacing: 115,
        direction: "LEFT_TO_RIGHT",
        spacingMode: "COLLAPSE_LISTS",
        spaceAbove: points(0),
        spaceBelow: points(0),
        borderBetween: noBorder,
        borderTop: noBorder,
        borderBottom: noBorder,
        borderLeft: noBorder,
        borderRight: noBorder,
        indentFirstLine: points(0),
        indentStart: points(0),
        indentEnd: points(0),
        keepLinesTogether: false,
        keepWithNext: false,
        avoidWidowAndOrphan: true,
        shading: { backgroundColor: {} },
        pageBreakBefore: false
      }
    },
    heading("HEADING_1", { fontSize: points(20) }, 20, 6),
    heading("HEADING_2", { bold: false, fontSize: points(16) }, 18, 6),
    heading("HEADING_3", { bold: false, foregroundColor: grey(0.2627451), fontSize: points(14) }, 16, 4),
    heading("HEADING_4", { foregroundColor: grey(0.4), fontSize: points(12) }, 14, 4),
    heading("HEADING_5", { foregroundColor: grey(0.4), fontSize: points(11) }, 12, 4),
    heading("HEADING_6", { italic: true, foregroundColor: grey(0.4), fontSize: points(11) }, 12, 4),
    heading("TITLE", { fontSize: points(26) }, 0, 3),
    heading(
      "SUBTITLE",
      {
        italic: false,
        foregroundColor: grey(0.4),
        fontSize: points(15),
        weightedFontFamily: { fontFamily: "Arial", weight: 400 }
      },
      0,
      16
    )
  ]
}

const documentStyle: JsonObject = {
  background: { color: {} },
  pageNumberStart: 1,
  marginTop: points(72),
  marginBottom: points(72),
  marginRight: points(72),
  marginLeft: points(72),
  pageSize: { height: points(792), width: points(612) },
  marginHeader: points(36),
  marginFooter: points(36),
  useCustomHeaderFooterMargins: true
}

const sectionBreak: SectionBreak = {
  kind: "sectionBreak",
  rest: { sectionStyle: { columnSeparatorStyle: "NONE", contentDirection: "LEFT_TO_RIGHT", sectionType: "CONTINUOUS" } }
}

const newParagraph = (text: string, textStyle: JsonObject = {}): Paragraph => ({
  kind: "paragraph",
  inlines: [{ text, style: textStyle, rest: {} }],
  style: { namedStyleType: "NORMAL_TEXT", direction: "LEFT_TO_RIGHT" },
  rest: {}
})

const cellStyle: JsonObject = {
  rowSpan: 1,
  columnSpan: 1,
  backgroundColor: {},
  paddingLeft: points(5),
  paddingRight: points(5),
  paddingTop: points(5),
  paddingBottom: points(5),
  contentAlignment: "TOP"
}

const newRow = (columns: number, textStyle: JsonObject): TableRow => ({
  cells: Array.from({ length: columns }, () => ({
    content: [newParagraph("\n", textStyle)],
    style: cellStyle,
    rest: {}
  })),
  style: { minRowHeight: points(0) },
  rest: {}
})

export const newTable = (rows: number, columns: number, textStyle: JsonObject): Table => ({
  kind: "table",
  columns,
  rows: Array.from({ length: rows }, () => newRow(columns, textStyle)),
  style: { tableColumnProperties: Array.from({ length: columns }, () => ({ widthType: "EVENLY_DISTRIBUTED" })) },
  rest: {}
})

export const newTab = (tabId: string, title: string): Tab => ({
  tabId,
  title,
  body: [sectionBreak, newParagraph("\n")],
  headers: {},
  footers: {},
  footnotes: {},
  lists: {},
  rest: { documentStyle, namedStyles },
  children: []
})

export const blankDocument = (documentId: string, title = ""): Document => ({
  documentId,
  title: title === "" ? "Untitled document" : title,
  revision: 0,
  minted: 0,
  tabs: [newTab("t.0", "Tab 1")]
})
