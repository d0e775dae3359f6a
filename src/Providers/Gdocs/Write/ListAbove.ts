import type { StructuralElement } from "../Read/DocumentAnswer.ts"
import { makeNumbering } from "../Read/Numbering.ts"
import type { TabView } from "../Read/Tabs.ts"
import type { Block } from "./Blocks.ts"
import type { Anchor } from "./Compile.ts"

/** The numbered list that ends just above where something is to be written. */
interface ListAbove {
  /** The preset that a list needs to be taken for a part of it. */
  readonly preset: Anchor["number"] | undefined
  readonly next: number
}

/**
 * Numbered items right below a numbered list become a part of it when they are made with the same preset. They should
 * when they begin with the number that comes next, and should not when they begin anew.
 */
export const numberPreset = (
  tab: Pick<TabView, "body" | "contents">,
  index: number,
  [first]: ReadonlyArray<Block>
): { readonly preset: Anchor["number"]; readonly joins: boolean } => {
  const above = listAbove(tab, index)
  if (above === undefined || first?.kind !== "list" || first.list !== "number") {
    return { preset: "number", joins: false }
  }
  if (first.start === above.next && above.preset !== undefined) return { preset: above.preset, joins: true }
  return { preset: above.preset === "number" ? "otherNumber" : "number", joins: false }
}

const listAbove = ({ body, contents }: Pick<TabView, "body" | "contents">, index: number): ListAbove | undefined => {
  const before = body.filter(({ endIndex = 0 }) => endIndex <= index)
  const above = before.at(-1)?.paragraph?.bullet
  if (above === undefined) return undefined
  const number = numberOf(before, contents, above.listId ?? "")
  if (number === undefined) return undefined
  const [, second] = contents.lists?.[above.listId ?? ""]?.listProperties?.nestingLevels ?? []
  const preset = second?.glyphType === "ALPHA" ? "number" : second?.glyphType === "DECIMAL" ? "otherNumber" : undefined
  return { preset, next: number + 1 }
}

/** The number of a list's last item on the first level. */
const numberOf = (
  content: ReadonlyArray<StructuralElement>,
  contents: TabView["contents"],
  listId: string
): number | undefined => {
  const mark = makeNumbering(contents)
  let last: number | undefined
  for (const { paragraph } of content) {
    if (paragraph?.bullet === undefined) continue
    const item = mark(paragraph.bullet)
    if (item.listId === listId && item.level === 0) last = item.number
  }
  return last
}
