import type { DocumentState, Props } from "../../../src/Sandbox/Providers/Gdocs/Engine/State.ts"
import { fromDocument } from "../../Sandbox/Providers/Gdocs/FromDocument.ts"

/** Parts of a document as the provider answers them, for tests that need what requests cannot make. */

export const run = (content: string, textStyle: Props = {}, rest: Props = {}): Props => ({
  textRun: { content, textStyle, ...rest }
})

export const paragraph = (
  elements: ReadonlyArray<Props> | string,
  more: { readonly style?: Props; readonly rest?: Props } = {}
): Props => ({
  paragraph: {
    elements: typeof elements === "string" ? [run(`${elements}\n`)] : [...elements, run("\n")],
    paragraphStyle: { namedStyleType: "NORMAL_TEXT", direction: "LEFT_TO_RIGHT", ...more.style },
    ...more.rest
  }
})

export const heading = (level: 1 | 2 | 3, text: string, headingId: string): Props =>
  paragraph(text, { style: { namedStyleType: `HEADING_${level}`, headingId } })

export const item = (text: string, listId: string, nestingLevel = 0): Props =>
  paragraph(text, { rest: { bullet: { listId, nestingLevel, textStyle: {} } } })

export const cell = (text: string | ReadonlyArray<Props>, tableCellStyle: Props = {}): Props => ({
  content: typeof text === "string" ? [paragraph(text)] : text,
  tableCellStyle
})

export const table = (...rows: ReadonlyArray<ReadonlyArray<Props>>): Props => ({
  table: {
    columns: Math.max(...rows.map((cells) => cells.length)),
    tableRows: rows.map((tableCells) => ({ tableCells }))
  }
})

/** A list whose levels have these glyphs: `DECIMAL`, `NONE`, …, or a symbol. */
export const list = (...glyphs: ReadonlyArray<string>): Props => ({
  listProperties: {
    nestingLevels: glyphs.map((glyph) =>
      /^[A-Z_]+$/.test(glyph) ? { glyphType: glyph, startNumber: 1 } : { glyphSymbol: glyph }
    )
  }
})

const body = (content: ReadonlyArray<Props>): Props => ({ content: [{ sectionBreak: {} }, ...content] })

export const document = (content: ReadonlyArray<Props>, more: Props = {}): DocumentState =>
  fromDocument({ documentId: "doc", title: "Draft", body: body(content), ...more })

export const tab = (
  tabId: string,
  title: string,
  content: ReadonlyArray<Props>,
  childTabs: ReadonlyArray<Props> = []
): Props => ({
  tabProperties: { tabId, title },
  documentTab: { body: body(content) },
  childTabs
})

export const tabbed = (...tabs: ReadonlyArray<Props>): DocumentState =>
  fromDocument({ documentId: "doc", title: "Draft", tabs })
