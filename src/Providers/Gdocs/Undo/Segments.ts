import { Predicate } from "effect"
import { canonicalJson } from "../../../Domain/Json/CanonicalJson.ts"

/** Placeholder for content that is not text, such as an image or the start of a table. */
export const noText = "\uFFFC"

type Fields = Readonly<Record<string, unknown>>

/** A paragraph. */
export interface Line {
  readonly nth: number
  /** Where the text begins, after the gap. */
  readonly start: number
  /** What lies before the paragraph, such as the start of a cell. */
  readonly gap: number
  /** With its bullet. */
  readonly fields: Fields
  readonly style: string
  readonly elements: ReadonlyArray<Fields>
}

export interface Run {
  readonly line: Line
  /** Inserted text takes over a plain style only. */
  readonly kind: "plain" | "fixed" | "suggested" | "gap"
  readonly style: string
}

/** A body, header, footer or footnote. Indexes are in UTF-16 code units. */
export interface Segment {
  readonly tabId: string
  /** `""` for a body. */
  readonly segmentId: string
  readonly text: string
  readonly lines: ReadonlyArray<Line>
  /** For each index. */
  readonly runs: ReadonlyArray<Run>
}

export const fieldsOf = (value: unknown): Fields => Predicate.isObject(value) ? value : {}

const listOf = (value: unknown): ReadonlyArray<Fields> => Array.isArray(value) ? value.map(fieldsOf) : []

/** The document must be read with all of its styles. */
export const segmentsOf = (document: unknown): ReadonlyArray<Segment> => {
  // The API may answer without tabs for the only one.
  const { tabs = [{ documentTab: document }] } = fieldsOf(document)
  return listOf(tabs).flatMap(segmentsOfTab)
}

const segmentsOfTab = ({ childTabs, documentTab, tabProperties }: Fields): ReadonlyArray<Segment> => {
  const { body, footers, footnotes, headers } = fieldsOf(documentTab)
  const others = [headers, footers, footnotes].flatMap((segments) => Object.entries(fieldsOf(segments)))
  const tabId = String(fieldsOf(tabProperties)["tabId"] ?? "")
  return [
    ...[["", body] as const, ...others].map(([segmentId, segment]) => ({
      tabId,
      segmentId,
      ...readContent(fieldsOf(segment)["content"])
    })),
    ...listOf(childTabs).flatMap(segmentsOfTab)
  ]
}

const readContent = (content: unknown): Pick<Segment, "lines" | "runs" | "text"> => {
  const lines: Array<Line> = []
  const runs: Array<Run> = []
  let all = ""
  const add = (text: string, run: Run) => {
    all += text
    for (let left = text.length; left > 0; left--) runs.push(run)
  }
  const visit = (blocks: unknown) => {
    for (const { paragraph, startIndex = 0, table } of listOf(blocks)) {
      const cells = listOf(fieldsOf(table)["tableRows"]).flatMap(({ tableCells }) => listOf(tableCells))
      for (const cell of cells) visit(cell["content"])
      if (paragraph === undefined) continue
      const { elements, ...fields } = fieldsOf(paragraph)
      const start = Math.max(runs.length, Number(startIndex))
      const gap = start - runs.length
      const line = {
        nth: lines.length,
        start,
        gap,
        fields,
        style: canonicalJson(fields),
        elements: listOf(elements)
      }
      lines.push(line)
      add(noText.repeat(gap), { line, kind: "gap", style: "" })
      for (const element of line.elements) {
        const { kind, style, text } = contentOf(element)
        add(text, { line, kind, style: canonicalJson(style) })
      }
    }
  }
  visit(content)
  return { lines, runs, text: all }
}

const contentOf = ({ endIndex, startIndex = 0, textRun, ...other }: Fields) => {
  if (textRun === undefined) {
    const text = noText.repeat(Math.max(0, Number(endIndex) - Number(startIndex)))
    return { text, kind: "fixed" as const, style: other }
  }
  const { content = "", textStyle, ...suggested } = fieldsOf(textRun)
  const [text, style] = [String(content), fieldsOf(textStyle)]
  return Object.keys(suggested).length > 0
    ? { text, kind: "suggested" as const, style: { ...suggested, textStyle: style } }
    : { text, kind: "link" in style ? "fixed" as const : "plain" as const, style }
}

/** Whether a new paragraph beside it has its style. Headings have ids, and bullets and pictures belong to one alone. */
export const isCopied = ({ fields: { paragraphStyle, ...others } }: Line): boolean =>
  Object.keys(others).length === 0 && !Predicate.hasProperty(paragraphStyle, "headingId")
