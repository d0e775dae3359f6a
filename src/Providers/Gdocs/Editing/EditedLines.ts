import { Predicate } from "effect"
import { cut, isSameStyle, leadOf, type Line } from "./Lines.ts"

interface Place {
  readonly line: Line
  readonly nth: number
  readonly offset: number
}

const characters = new Intl.Segmenter()

/** More than the length of what looks like one character. */
const nearby = 200

/** Whether a place is between two of what looks like one character. No text can be inserted elsewhere. */
const isBoundary = ({ line, offset }: Place): boolean => {
  const from = Math.max(0, offset - nearby)
  // Not of the line's text, which each edit builds anew.
  const text = cut(line.runs, from, offset + nearby).map((run) => run.text).join("")
  return offset >= leadOf(line) && characters.segment(text).containing(offset - from)?.index === offset - from
}

/** The paragraphs of a segment while edits change them. Indexes are in UTF-16 code units. */
export class EditedLines {
  lines: Array<Line>
  /** Whether it is certain what each edit does to the text and its styles. */
  isCertain = true
  #near = { nth: 0, start: 0 }

  constructor(lines: ReadonlyArray<Line>) {
    this.lines = [...lines]
  }

  find(index: number): Place | undefined {
    if (index < this.#near.start) this.#near = { nth: 0, start: 0 }
    let { nth, start } = this.#near
    let line = this.lines[nth]
    while (line !== undefined && index >= start + line.text.length) {
      start += line.text.length
      line = this.lines[++nth]
    }
    if (line === undefined || index < start) return undefined
    this.#near = { nth, start }
    return { line, nth, offset: index - start }
  }

  /** False where there is no such text. */
  remove(index: number, length: number): boolean {
    if (length === 0) return true
    const last = this.find(index + length)
    const first = this.find(index)
    if (first === undefined || last === undefined || length < 0) return this.isCertain = false
    const joined = this.lines.slice(first.nth + 1, last.nth + 1)
    if (!isBoundary(first) || !isBoundary(last) || joined.some((line) => leadOf(line) > 0)) this.isCertain = false
    // Of joined paragraphs the first stays, unless no text of it does.
    const { style } = joined.length === 0 || first.offset > leadOf(first.line) ? first.line : last.line
    const text = first.line.text.slice(0, first.offset) + last.line.text.slice(last.offset)
    const runs = [...cut(first.line.runs, 0, first.offset), ...cut(last.line.runs, last.offset)]
    this.#replace(first.nth, joined.length + 1, [{ text, runs, style }])
    return true
  }

  /** False where no text can be. The style is that of the text on both sides, and else not known. */
  insert(index: number, text: string): boolean {
    if (text === "") return true
    const place = this.find(index)
    if (place === undefined || place.offset < leadOf(place.line)) return this.isCertain = false
    const { line, nth, offset } = place
    const isInside = offset > leadOf(line)
    const [right] = cut(line.runs, offset, offset + 1)
    const above = leadOf(line) > 0 ? undefined : this.lines[nth - 1]?.runs.at(-1)
    const left = isInside ? cut(line.runs, offset - 1, offset)[0] : above ?? right
    // Text inside of a suggestion becomes suggested.
    if (!isBoundary(place) || left?.kind === "suggested" || right?.kind === "suggested") this.isCertain = false
    const isPlain = left?.kind === "plain" && right?.kind === "plain" && isSameStyle(left.style, right.style)
    const style = isPlain ? right.style : undefined
    const rows = text.split("\n")
    const last = rows.length - 1
    // The paragraph that has its first character again stays itself. Others get a copy of its style.
    const own = isInside ? 0 : last
    const hasOwn = isInside || last === 0 || rows[last] === ""
    const inserted = rows.map((row, at): Line => {
      const text = at === last ? row : `${row}\n`
      const [head, tail] = [at === 0 ? offset : 0, at === last ? offset : line.text.length]
      return {
        text: line.text.slice(0, head) + text + line.text.slice(tail),
        runs: [
          ...cut(line.runs, 0, head),
          ...text === "" ? [] : [{ text, kind: "plain" as const, style, origin: undefined }],
          ...cut(line.runs, tail)
        ],
        style: at === own && hasOwn ? line.style : copyOf(line.style)
      }
    })
    this.#replace(nth, 1, inserted)
    return true
  }

  #replace(nth: number, count: number, lines: ReadonlyArray<Line>) {
    const [line] = lines
    if (line !== undefined && lines.length === 1 && count === 1) this.lines[nth] = line
    else this.lines = [...this.lines.slice(0, nth), ...lines, ...this.lines.slice(nth + count)]
  }

  /** @param change of each paragraph in the range, whose text it covers `from` and `to` an offset */
  restyle(startIndex: number, endIndex: number, change: (line: Line, from: number, to: number, start: number) => Line) {
    for (let index = startIndex; index < endIndex;) {
      const place = this.find(index)
      if (place === undefined) return
      const { line, nth, offset } = place
      const start = index - offset
      index = start + line.text.length
      this.lines[nth] = change(line, offset, Math.min(endIndex, index) - start, start)
    }
  }
}

/** The style of a new paragraph beside it. A heading's id, a bullet and pictures beside the text belong to one alone. */
export const copyOf = (style: Line["style"]): Line["style"] => {
  const { paragraphStyle, ...others } = style ?? {}
  return Object.keys(others).length > 0 || Predicate.hasProperty(paragraphStyle, "headingId") ? undefined : style
}
