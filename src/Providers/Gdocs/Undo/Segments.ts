import { hash } from "node:crypto"
import { canonicalJson } from "../../../Domain/Json/CanonicalJson.ts"
import { cellsOf, type Document, type ParagraphElement, type StructuralElement } from "../Responses.ts"
import { allTabs } from "../Tabs.ts"

/** Placeholder for content that is not text, such as an image or the start of a table. */
export const noText = "\uFFFC"

/** A paragraph. */
export interface Line {
  readonly start: number
  /** The style includes the bullet. */
  readonly style: string
  /** Whether a new paragraph beside this one gets its style. Ids of headings, bullets and pictures are not copied. */
  readonly isCopied: boolean
  /** Covers the content and the styles, but not the place. */
  readonly hash: () => string
}

export interface Run {
  readonly line: Line
  /** Inserted text takes over a plain style only. */
  readonly kind: "plain" | "fixed" | "suggested"
  readonly style: string
}

/** A body, header, footer or footnote. Indexes are in UTF-16 code units. */
export interface Segment {
  readonly tabId: string
  /** `""` for a body. */
  readonly segmentId: string
  readonly text: string
  readonly lines: ReadonlyArray<Line>
  /** The run of each index. Indexes between paragraphs have none. */
  readonly runs: ReadonlyArray<Run | undefined>
}

/** The document must be read with all of its styles. */
export const segmentsOf = (document: Document): ReadonlyArray<Segment> =>
  allTabs(document).flatMap(({ contents: { body = {}, footers, footnotes, headers }, id }) =>
    Object.entries({ "": body, ...headers, ...footers, ...footnotes }).map(([segmentId, { content = [] }]) =>
      readSegment(id, segmentId, content)
    )
  )

const paragraphsIn = (content: ReadonlyArray<StructuralElement>): ReadonlyArray<StructuralElement> =>
  content.flatMap((block) =>
    block.paragraph === undefined ? cellsOf(block.table).flatMap(({ content = [] }) => paragraphsIn(content)) : [block]
  )

const readSegment = (tabId: string, segmentId: string, content: ReadonlyArray<StructuralElement>): Segment => {
  const lines: Array<Line> = []
  const runs: Array<Run | undefined> = []
  let all = ""
  const add = (text: string, run?: Run) => {
    all += text
    for (let left = text.length; left > 0; left--) runs.push(run)
  }
  for (const { paragraph = {}, startIndex = 0 } of paragraphsIn(content)) {
    const { elements = [], paragraphStyle = {}, ...others } = paragraph
    const gap = Math.max(0, startIndex - runs.length)
    add(noText.repeat(gap))
    const parts = elements.map(partOf)
    const style = canonicalJson([paragraphStyle, others])
    const isCopied = Object.keys(others).length === 0 && !("headingId" in paragraphStyle)
    const hashed = () => hash("sha256", JSON.stringify([style, parts]), "base64url").slice(0, 16)
    const line = { start: runs.length, style, isCopied, hash: hashed }
    lines.push(line)
    for (const { text, ...run } of parts) add(text, { line, ...run })
  }
  return { tabId, segmentId, text: all, lines, runs }
}

const partOf = ({ startIndex = 0, endIndex = startIndex, textRun, ...other }: ParagraphElement) => {
  if (textRun === undefined) {
    const text = noText.repeat(Math.max(0, endIndex - startIndex))
    return { text, kind: "fixed", style: canonicalJson(other) } as const
  }
  const { content: text = "", textStyle = {}, ...suggested } = textRun
  const kind = Object.keys(suggested).length > 0 ? "suggested" : "link" in textStyle ? "fixed" : "plain"
  return { text, kind, style: canonicalJson([textStyle, suggested]) } as const
}
