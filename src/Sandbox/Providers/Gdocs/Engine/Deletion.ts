import { Result } from "effect"
import type { GoogleError } from "../../Google/GoogleError.ts"
import type { Block, Content } from "./Document.ts"
import { refuse } from "./Errors.ts"
import { blockWidth, cellWidth } from "./Measure.ts"
import { joinParagraphs } from "./Paragraphs.ts"
import { cutsSurrogatePair } from "./Ranges.ts"
import { cellsOf, endOf, mapCells } from "./Tree.ts"

type Span = readonly [from: number, to: number]

const undeletable = "Invalid deletion range. Cannot delete the requested range."

export const deleteRange = (content: Content, [from, to]: Span): Result.Result<Content, GoogleError> => {
  if (to === endOf(content)) {
    return refuse("The range cannot include the newline character at the end of the segment.")
  }
  if (cutsSurrogatePair(content, from) || cutsSurrogatePair(content, to)) return refuse(undeletable)
  const left = deleteSpan(content, [from, to], 0)
  return left === undefined ? refuse(undeletable) : Result.succeed(left)
}

const deleteSpan = (content: Content, span: Span, start: number): Content | undefined => {
  const [from, to] = span
  let at = start
  const starts = content.map((block) => {
    const blockStart = at
    at += blockWidth(block)
    return blockStart
  })
  if (from < start || to >= at) return undefined
  const first = starts.findLastIndex((blockStart) => blockStart <= from)
  const last = starts.findLastIndex((blockStart) => blockStart < to)
  const [firstBlock, firstStart = 0, lastBlock, lastStart = 0] = [
    content[first],
    starts[first],
    content[last],
    starts[last]
  ]
  if (firstBlock === undefined || lastBlock === undefined) return undefined
  const lastEnd = lastStart + blockWidth(lastBlock)
  if (first === last && firstBlock.kind !== "paragraph" && (from > firstStart || to < lastEnd)) {
    const inner = deleteInside(firstBlock, span, firstStart)
    return inner === undefined ? undefined : content.with(first, inner)
  }
  if (from > firstStart && firstBlock.kind !== "paragraph") return undefined
  if (to < lastEnd && lastBlock.kind !== "paragraph") return undefined
  if (content.slice(first, last + 1).some((block, index) => block.kind === "sectionBreak" && first + index === 0)) {
    return undefined
  }
  const next = content[last + 1]
  if (to === lastEnd && lastBlock.kind === "paragraph" && next?.kind !== "paragraph") return undefined
  const head = firstBlock.kind === "paragraph" && from > firstStart ? firstBlock : undefined
  const tail = to < lastEnd && lastBlock.kind === "paragraph"
    ? { paragraph: lastBlock, offset: to - lastStart, following: last + 1 }
    : { paragraph: next?.kind === "paragraph" ? next : undefined, offset: 0, following: last + 2 }
  if (tail.paragraph === undefined) {
    return head === undefined ? content.toSpliced(first, last + 1 - first) : undefined
  }
  const merged = joinParagraphs(
    head ?? tail.paragraph,
    head === undefined ? 0 : from - firstStart,
    tail.paragraph,
    tail.offset
  )
  return content.toSpliced(first, tail.following - first, merged)
}

const deleteInside = (block: Block, [from, to]: Span, start: number): Block | undefined => {
  if (block.kind !== "table") return undefined
  for (const { cell, column, row, start: cellStart } of cellsOf(block, start)) {
    if (from > cellStart && to < cellStart + cellWidth(cell)) {
      const inner = deleteSpan(cell.content, [from, to], cellStart + 1)
      return inner === undefined ?
        undefined :
        mapCells(
          block,
          (each, rowAt, columnAt) => rowAt === row && columnAt === column ? { ...each, content: inner } : each
        )
    }
  }
  return undefined
}
