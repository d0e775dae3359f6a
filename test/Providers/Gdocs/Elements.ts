import type { Document } from "../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import type { JsonObject } from "../../../src/Sandbox/Providers/Gdocs/Engine/Json.ts"
import { fromResource } from "../../Sandbox/Providers/Gdocs/FromResource.ts"

export const run = (content: string, textStyle: JsonObject = {}, rest: JsonObject = {}): JsonObject => ({
  textRun: { content, textStyle, ...rest }
})

export const paragraph = (
  elements: ReadonlyArray<JsonObject> | string,
  more: { readonly style?: JsonObject; readonly rest?: JsonObject } = {}
): JsonObject => ({
  paragraph: {
    elements: typeof elements === "string" ? [run(`${elements}\n`)] : [...elements, run("\n")],
    paragraphStyle: { namedStyleType: "NORMAL_TEXT", direction: "LEFT_TO_RIGHT", ...more.style },
    ...more.rest
  }
})

export const heading = (level: 1 | 2 | 3, text: string, headingId: string): JsonObject =>
  paragraph(text, { style: { namedStyleType: `HEADING_${level}`, headingId } })

export const item = (text: string, listId: string, nestingLevel = 0): JsonObject =>
  paragraph(text, { rest: { bullet: { listId, nestingLevel, textStyle: {} } } })

export const cell = (text: string | ReadonlyArray<JsonObject>, tableCellStyle: JsonObject = {}): JsonObject => ({
  content: typeof text === "string" ? [paragraph(text)] : text,
  tableCellStyle
})

export const table = (...rows: ReadonlyArray<ReadonlyArray<JsonObject>>): JsonObject => ({
  table: {
    columns: Math.max(...rows.map((cells) => cells.length)),
    tableRows: rows.map((tableCells) => ({ tableCells }))
  }
})

export const list = (...glyphs: ReadonlyArray<string>): JsonObject => ({
  listProperties: {
    nestingLevels: glyphs.map((glyph) =>
      /^[A-Z_]+$/.test(glyph) ? { glyphType: glyph, startNumber: 1 } : { glyphSymbol: glyph }
    )
  }
})

const body = (content: ReadonlyArray<JsonObject>): JsonObject => ({ content: [{ sectionBreak: {} }, ...content] })

export const document = (content: ReadonlyArray<JsonObject>, more: JsonObject = {}): Document =>
  fromResource({ documentId: "doc", title: "Draft", body: body(content), ...more })

export const tab = (
  tabId: string,
  title: string,
  content: ReadonlyArray<JsonObject>,
  childTabs: ReadonlyArray<JsonObject> = []
): JsonObject => ({ tabProperties: { tabId, title }, documentTab: { body: body(content) }, childTabs })

export const tabbed = (...tabs: ReadonlyArray<JsonObject>): Document =>
  fromResource({ documentId: "doc", title: "Draft", tabs })
