import type { Block, List } from "./Blocks.ts"

/**
 * A numbered list that goes on where another one left off (1, 2, some paragraph, 3) is one list to the document: what
 * stands between is put below the item before it.
 */
export const continueLists = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const joined: Array<Block> = []
  for (const block of blocks) {
    const at = isNumbered(block)
      ? joined.findLastIndex((each) => isNumbered(each) && quotesAround(each) === quotesAround(block))
      : -1
    const before = joined[at]
    if (block.kind !== "list" || before?.kind !== "list" || block.start === 1 || block.start !== nextOf(before)) {
      joined.push(block)
      continue
    }
    const between = joined.splice(at + 1)
    joined[at] = { ...before, lines: [...below(before, between), ...block.lines] }
  }
  return joined
}

const isNumbered = (block: Block): block is List => block.kind === "list" && block.list === "number"

const quotesAround = ({ lines }: List): number => lines[0]?.line.look.quotes ?? 0

const nextOf = ({ lines, start }: List): number => start + lines.filter(({ level }) => level === 0).length

const below = ({ lines }: List, blocks: ReadonlyArray<Block>): List["lines"] => {
  const last = lines.at(-1)
  return last === undefined ? lines : [...lines.slice(0, -1), { ...last, after: [...last.after, ...blocks] }]
}
