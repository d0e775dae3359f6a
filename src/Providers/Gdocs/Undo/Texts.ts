import type { Document, StructuralElement } from "../Responses.ts"
import { allTabs } from "../Tabs.ts"

/** Stands for what is no text, such as an image or the start of a table. */
export const noText = "\uFFFC"

/** The text of a body, header, footer or footnote, at its indexes. */
export interface SegmentText {
  readonly tabId: string
  /** `""` for a body. */
  readonly segmentId: string
  readonly text: string
}

export const textsOf = (document: Document): ReadonlyArray<SegmentText> =>
  allTabs(document).flatMap(({ body, contents: { footers = {}, footnotes = {}, headers = {} }, id: tabId }) => [
    { tabId, segmentId: "", text: textOf(body) },
    ...[headers, footers, footnotes].flatMap((segments) =>
      Object.entries(segments).map(([segmentId, { content = [] }]) => ({ tabId, segmentId, text: textOf(content) }))
    )
  ])

const textOf = (content: ReadonlyArray<StructuralElement>): string => {
  let text = ""
  const add = (start: number, part: string) => {
    text = text.padEnd(start, noText) + part
  }
  const visit = (elements: ReadonlyArray<StructuralElement>) => {
    for (const { endIndex = text.length, paragraph, table, tableOfContents } of elements) {
      for (const { startIndex = text.length, textRun } of paragraph?.elements ?? []) {
        if (textRun?.content !== undefined) add(startIndex, textRun.content)
      }
      for (const { tableCells = [] } of table?.tableRows ?? []) {
        for (const cell of tableCells) visit(cell.content ?? [])
      }
      visit(tableOfContents?.content ?? [])
      text = text.padEnd(endIndex, noText)
    }
  }
  visit(content)
  return text
}
