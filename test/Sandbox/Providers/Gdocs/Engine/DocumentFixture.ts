import { Result } from "effect"
import { batchUpdate } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/BatchUpdate.ts"
import { blankDocument } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Defaults.ts"
import {
  type Content,
  type Document,
  isTextRun,
  type Paragraph
} from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import { plainText } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Inlines.ts"
import type { Request } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Requests/Request.ts"
import { allTabs } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Segments.ts"

export const blank = blankDocument("doc", "Draft")

export const after = (state: Document, ...requests: ReadonlyArray<Request>): Document =>
  Result.match(batchUpdate(state, { requests }), {
    onSuccess: ([changed]) => changed,
    onFailure: (refusal) => {
      throw new Error(`${refusal.code} ${refusal.message}`)
    }
  })

export const draft = (...requests: ReadonlyArray<Request>): Document => after(blank, ...requests)

export const insert = (index: number, text: string): Request => ({ insertText: { location: { index }, text } })

const range = (startIndex: number, endIndex: number) => ({ startIndex, endIndex })

export const named = (
  startIndex: number,
  endIndex: number,
  namedStyleType: "NORMAL_TEXT" | "HEADING_1" | "HEADING_2"
): Request => ({
  updateParagraphStyle: {
    range: range(startIndex, endIndex),
    paragraphStyle: { namedStyleType },
    fields: "namedStyleType"
  }
})

export const bold = (startIndex: number, endIndex: number): Request => ({
  updateTextStyle: { range: range(startIndex, endIndex), textStyle: { bold: true }, fields: "bold" }
})

export const bullets = (
  startIndex: number,
  endIndex: number,
  bulletPreset: "BULLET_DISC_CIRCLE_SQUARE" | "NUMBERED_DECIMAL_ALPHA_ROMAN" = "BULLET_DISC_CIRCLE_SQUARE"
): Request => ({ createParagraphBullets: { range: range(startIndex, endIndex), bulletPreset } })

export const table = (index: number, rows: number, columns: number): Request => ({
  insertTable: { location: { index }, rows, columns }
})

const paragraphsIn = (content: Content): ReadonlyArray<Paragraph> =>
  content.flatMap((block) => {
    if (block.kind === "paragraph") return [block]
    return block.kind === "table"
      ? block.rows.flatMap((row) => row.cells.flatMap((cell) => paragraphsIn(cell.content)))
      : []
  })

export const paragraphsOf = (state: Document): ReadonlyArray<Paragraph> =>
  allTabs(state.tabs).flatMap((tab) => paragraphsIn(tab.body))

/** Starts with the named style and a `*` per list level. Bold runs are in `**`. */
export const outline = (state: Document): ReadonlyArray<string> =>
  paragraphsOf(state).map(({ bullet, inlines, style }) => {
    const text = inlines.map((inline) =>
      isTextRun(inline) && inline.style["bold"] === true ? `**${inline.text.replace("\n", "")}**` : plainText([inline])
    ).join("").replace(/\n$/, "")
    const level = bullet === undefined ? "" : `${"*".repeat(bullet.nestingLevel + 1)} `
    const type = style["namedStyleType"] === "NORMAL_TEXT" ? "" : `${style["namedStyleType"]} `
    return `${type}${level}${text}`
  })
