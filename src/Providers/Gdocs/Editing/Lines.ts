import { Predicate } from "effect"
import { canonicalJson } from "../../../Domain/Json/CanonicalJson.ts"

/** Placeholder for content that is not text, such as an image or the start of a table. */
export const noText = "\uFFFC"

type Fields = Readonly<Record<string, unknown>>

export interface Run {
  readonly text: string
  /** Inserted text takes over a plain style only. A gap is what lies before a paragraph, such as the start of a cell. */
  readonly kind: "plain" | "fixed" | "suggested" | "gap"
  /** `undefined` where a write may have changed it. */
  readonly style: Fields | undefined
  /** Where the text was before the write. `undefined` if the write inserts it. */
  readonly origin: number | undefined
}

/** A paragraph. */
export interface Line {
  readonly text: string
  readonly runs: ReadonlyArray<Run>
  /** With its bullet. `undefined` where a write may have changed it. */
  readonly style: Fields | undefined
}

/** A body, header, footer or footnote. */
export interface Segment {
  readonly tabId: string
  /** `""` for a body. */
  readonly segmentId: string
  readonly lines: ReadonlyArray<Line>
}

export const textOf = (lines: ReadonlyArray<Line>): string => lines.map(({ text }) => text).join("")

/** The length of the gap before the text. */
export const leadOf = ({ runs: [first] }: Line): number => first?.kind === "gap" ? first.text.length : 0

export const cut = (runs: ReadonlyArray<Run>, from: number, to = Infinity): ReadonlyArray<Run> => {
  const kept: Array<Run> = []
  let end = 0
  for (const run of runs) {
    const start = end
    end += run.text.length
    if (end <= from) continue
    if (start >= to) break
    if (start >= from && end <= to) kept.push(run)
    else kept.push(partOf(run, Math.max(0, from - start), to - start))
  }
  return kept
}

const partOf = (run: Run, from: number, to: number): Run => ({
  ...run,
  text: run.text.slice(from, to),
  origin: run.origin === undefined ? undefined : run.origin + from
})

export const isSameStyle = (one: Fields | undefined, other: Fields | undefined): boolean =>
  one !== undefined && other !== undefined && (one === other || canonicalJson(one) === canonicalJson(other))

/** Equal for equal paragraphs, however their text is divided into runs. */
export const shapeOf = ({ runs, style }: Line): string => {
  const parts: Array<Pick<Run, "style" | "text">> = []
  for (const { kind, style, text } of runs) {
    const last = parts.at(-1)
    if (last !== undefined && isSameStyle(last.style, style)) {
      parts[parts.length - 1] = { style, text: last.text + text }
    } else if (kind !== "gap") parts.push({ style, text })
  }
  return canonicalJson([style, parts])
}

export const fieldsOf = (value: unknown): Fields => Predicate.isObject(value) ? value : {}

const listOf = (value: unknown): ReadonlyArray<Fields> => Array.isArray(value) ? value.map(fieldsOf) : []

/** The document must be read with all of its styles. */
export const segmentsOf = (document: unknown): ReadonlyArray<Segment> => {
  // Of the only tab, from an API that does not answer with tabs.
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
      lines: linesOf(fieldsOf(segment)["content"])
    })),
    ...listOf(childTabs).flatMap(segmentsOfTab)
  ]
}

const linesOf = (content: unknown): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let end = 0
  const visit = (blocks: unknown) => {
    for (const { paragraph, startIndex = 0, table } of listOf(blocks)) {
      const cells = listOf(fieldsOf(table)["tableRows"]).flatMap(({ tableCells }) => listOf(tableCells))
      for (const cell of cells) visit(cell["content"])
      if (paragraph === undefined) continue
      const { elements, ...style } = fieldsOf(paragraph)
      const runs: Array<Run> = []
      const add = (run: Omit<Run, "origin">) => {
        if (run.text !== "") runs.push({ ...run, origin: end })
        end += run.text.length
      }
      add({ text: noText.repeat(Math.max(0, Number(startIndex) - end)), kind: "gap", style: undefined })
      for (const element of listOf(elements)) add(runOf(element))
      lines.push({ text: runs.map(({ text }) => text).join(""), runs, style })
    }
  }
  visit(content)
  return lines
}

const runOf = ({ endIndex, startIndex = 0, textRun, ...other }: Fields): Omit<Run, "origin"> => {
  if (textRun === undefined) {
    return { text: noText.repeat(Math.max(0, Number(endIndex) - Number(startIndex))), kind: "fixed", style: other }
  }
  const { content = "", textStyle, ...suggested } = fieldsOf(textRun)
  const [text, style] = [String(content), fieldsOf(textStyle)]
  return Object.keys(suggested).length > 0
    ? { text, kind: "suggested", style: { ...suggested, textStyle: style } }
    : { text, kind: "link" in style ? "fixed" : "plain", style }
}
