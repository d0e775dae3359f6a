import { Result } from "effect"
import { batchUpdate } from "./Engine/BatchUpdate.ts"
import { blankDocument } from "./Engine/Defaults.ts"
import type { Document } from "./Engine/Document.ts"
import type { Request } from "./Engine/Requests/Request.ts"

type NamedStyle = "TITLE" | "SUBTITLE" | "HEADING_1" | "HEADING_2"
type Preset = "BULLET_DISC_CIRCLE_SQUARE" | "NUMBERED_DECIMAL_ALPHA_ROMAN" | "BULLET_CHECKBOX"

/** A paragraph, and a table below it. */
export interface Line {
  readonly text: string
  readonly style?: NamedStyle
  readonly list?: Preset
  readonly links?: Readonly<Record<string, string>>
  readonly bold?: ReadonlyArray<string>
  readonly table?: ReadonlyArray<ReadonlyArray<string>>
}

export const bullet = (text: string, more: Partial<Line> = {}): Line => ({
  text,
  list: "BULLET_DISC_CIRCLE_SQUARE",
  ...more
})
export const step = (text: string): Line => ({ text, list: "NUMBERED_DECIMAL_ALPHA_ROMAN" })
export const task = (text: string): Line => ({ text, list: "BULLET_CHECKBOX" })

export const requestsFor = (lines: ReadonlyArray<Line>, tabId: string): ReadonlyArray<Request> => {
  const placed = placeLines(lines)
  const moving = [...placed.flatMap((line) => tableRequests(line, tabId)), ...listRequests(placed, tabId)]
  return [
    { insertText: { location: { index: 1, tabId }, text: lines.map(({ text }) => text).join("\n") } },
    ...placed.flatMap((line) => styleRequestsFor(line, tabId)),
    ...moving.toSorted((a, b) => b.at - a.at).flatMap(({ requests }) => requests)
  ]
}

interface PlacedLine extends Line {
  readonly start: number
  readonly end: number
}

const placeLines = (lines: ReadonlyArray<Line>): ReadonlyArray<PlacedLine> => {
  let next = 1
  return lines.map((line) => {
    const start = next
    next += line.text.length + 1
    return { ...line, start, end: next - 1 }
  })
}

const styleRequestsFor = (
  { bold = [], end, links = {}, start, style, text }: PlacedLine,
  tabId: string
): ReadonlyArray<Request> => {
  const within = (part: string) => {
    const startIndex = start + text.indexOf(part)
    return { startIndex, endIndex: startIndex + part.length, tabId }
  }
  return [
    ...(style === undefined ? [] : [{
      updateParagraphStyle: {
        range: { startIndex: start, endIndex: end + 1, tabId },
        paragraphStyle: { namedStyleType: style },
        fields: "namedStyleType"
      }
    }]),
    ...bold.map((part) => ({ updateTextStyle: { range: within(part), textStyle: { bold: true }, fields: "bold" } })),
    ...Object.entries(links).map(([part, url]) => ({
      updateTextStyle: { range: within(part), textStyle: { link: { url } }, fields: "link" }
    }))
  ]
}

interface ShiftingRequests {
  readonly at: number
  readonly requests: ReadonlyArray<Request>
}

/** Inserting a table adds a newline, 1 unit for the table, 1 per row and 2 per cell. */
const tableRequests = ({ end, table }: PlacedLine, tabId: string): ReadonlyArray<ShiftingRequests> => {
  if (table === undefined) return []
  const columns = table[0]?.length ?? 0
  const firstCell = end + 4
  const cells = table.flatMap((row, rowIndex) =>
    row.map((text, column) => ({ text, index: firstCell + rowIndex * (2 * columns + 1) + 2 * column }))
  )
  return [{
    at: end,
    requests: [
      { insertTable: { location: { index: end, tabId }, rows: table.length, columns } },
      ...cells.filter(({ text }) => text !== "").toReversed().map(({ index, text }) => ({
        insertText: { location: { index, tabId }, text }
      }))
    ]
  }]
}

const listRequests = (lines: ReadonlyArray<PlacedLine>, tabId: string): ReadonlyArray<ShiftingRequests> =>
  lines.flatMap(({ list, start }, index) => {
    if (list === undefined || lines[index - 1]?.list === list) return []
    const after = lines.findIndex((line, other) => other > index && line.list !== list)
    const last = lines[after < 0 ? lines.length - 1 : after - 1]
    const range = { startIndex: start, endIndex: (last?.end ?? start) + 1, tabId }
    return [{ at: start, requests: [{ createParagraphBullets: { range, bulletPreset: list } }] }]
  })

/** A document with one tab. */
export const writtenDocument = (documentId: string, title: string, lines: ReadonlyArray<Line>): Document => {
  const blank = blankDocument(documentId, title)
  return Result.getOrThrow(batchUpdate(blank, { requests: requestsFor(lines, "t.0") }))[0]
}
