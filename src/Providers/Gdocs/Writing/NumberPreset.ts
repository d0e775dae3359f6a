import { makeNumbering } from "../Reading/Numbering.ts"
import type { StructuralElement } from "../Responses.ts"
import type { TabView } from "../Tabs.ts"
import type { Anchor } from "./Compile.ts"
import type { NewBlock } from "./NewBlocks.ts"

interface ListAbove {
  readonly preset: Anchor["number"] | undefined
  readonly nextNumber: number
}

/**
 * The preset of a numbered list below another one. The provider joins lists of the same preset, so the new list shares
 * it if it continues the numbers.
 */
export const numberPreset = (
  tab: Pick<TabView, "body" | "contents">,
  index: number,
  [first]: ReadonlyArray<NewBlock>
): { readonly preset: Anchor["number"]; readonly joins: boolean } => {
  const above = listAbove(tab, index)
  if (above === undefined || first?.kind !== "list" || first.listKind !== "number") {
    return { preset: "number", joins: false }
  }
  if (first.start === above.nextNumber && above.preset !== undefined) return { preset: above.preset, joins: true }
  return { preset: above.preset === "number" ? "otherNumber" : "number", joins: false }
}

const listAbove = ({ body, contents }: Pick<TabView, "body" | "contents">, index: number): ListAbove | undefined => {
  const before = body.filter(({ endIndex = 0 }) => endIndex <= index)
  const bullet = before.at(-1)?.paragraph?.bullet
  if (bullet === undefined) return undefined
  const listId = bullet.listId ?? ""
  const number = lastNumber(before, contents, listId)
  if (number === undefined) return undefined
  const [, second] = contents.lists?.[listId]?.listProperties?.nestingLevels ?? []
  const preset = second?.glyphType === "ALPHA" ? "number" : second?.glyphType === "DECIMAL" ? "otherNumber" : undefined
  return { preset, nextNumber: number + 1 }
}

const lastNumber = (
  content: ReadonlyArray<StructuralElement>,
  contents: TabView["contents"],
  listId: string
): number | undefined => {
  const numberItem = makeNumbering(contents)
  let last: number | undefined
  const visit = ({ paragraph, table }: StructuralElement): void => {
    for (const { tableCells = [] } of table?.tableRows ?? []) {
      for (const cell of tableCells) cell.content?.forEach(visit)
    }
    if (paragraph?.bullet === undefined) return
    const marker = numberItem(paragraph.bullet)
    if (marker.listId === listId && marker.level === 0) last = marker.number
  }
  content.forEach(visit)
  return last
}
