import { makeNumbering } from "../Reading/Numbering.ts"
import { cellsOf, type Paragraph, type StructuralElement } from "../Responses.ts"
import type { TabView } from "../Tabs.ts"
import type { Anchor } from "./Compile.ts"
import type { NewBlock } from "./NewBlocks.ts"

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

const listAbove = ({ body, contents }: Pick<TabView, "body" | "contents">, index: number) => {
  const before = body.filter(({ endIndex = 0 }) => endIndex <= index)
  const bullet = before.at(-1)?.paragraph?.bullet
  if (bullet === undefined) return undefined
  const { listId = "" } = bullet
  const last = bulletsIn(before).map(makeNumbering(contents)).findLast((marker) =>
    marker.listId === listId && marker.level === 0
  )
  if (last?.number === undefined) return undefined
  const [, second] = contents.lists?.[listId]?.listProperties?.nestingLevels ?? []
  const preset = second?.glyphType === "ALPHA" ? "number" : second?.glyphType === "DECIMAL" ? "otherNumber" : undefined
  return { preset, nextNumber: last.number + 1 } as const
}

const bulletsIn = (content: ReadonlyArray<StructuralElement>): ReadonlyArray<NonNullable<Paragraph["bullet"]>> =>
  content.flatMap(({ paragraph, table }) => [
    ...cellsOf(table).flatMap(({ content = [] }) => bulletsIn(content)),
    ...(paragraph?.bullet === undefined ? [] : [paragraph.bullet])
  ])
