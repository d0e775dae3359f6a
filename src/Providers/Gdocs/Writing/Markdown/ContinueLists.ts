import type { NewBlock, NewList } from "../NewBlocks.ts"

export const continueLists = (blocks: ReadonlyArray<NewBlock>): ReadonlyArray<NewBlock> => {
  const joined: Array<NewBlock> = []
  for (const block of blocks) {
    const at = isNumbered(block)
      ? joined.findLastIndex((each) => isNumbered(each) && quoteLevelsOf(each) === quoteLevelsOf(block))
      : -1
    const before = joined[at]
    if (block.kind !== "list" || before?.kind !== "list" || block.start === 1 || block.start !== nextNumber(before)) {
      joined.push(block)
      continue
    }
    const between = joined.splice(at + 1)
    joined[at] = { ...before, items: [...addBelowLast(before, between), ...block.items] }
  }
  return joined
}

const isNumbered = (block: NewBlock): block is NewList => block.kind === "list" && block.listKind === "number"

const quoteLevelsOf = ({ items }: NewList): number => items[0]?.paragraph.style.quoteLevels ?? 0

const nextNumber = ({ items, start }: NewList): number => start + items.filter(({ level }) => level === 0).length

const addBelowLast = ({ items }: NewList, blocks: ReadonlyArray<NewBlock>): NewList["items"] => {
  const last = items.at(-1)
  return last === undefined ? items : [...items.slice(0, -1), { ...last, below: [...last.below, ...blocks] }]
}
