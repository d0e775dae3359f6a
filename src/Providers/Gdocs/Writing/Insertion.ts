import { Integer } from "../../Tooling/Integer.ts"
import type { TabView } from "../Tabs.ts"
import { compileBlocks } from "./Compile.ts"
import type { NewBlock } from "./NewBlocks.ts"
import { numberPreset } from "./NumberPreset.ts"
import type { InsertionPoint } from "./Placement.ts"
import { insertText, type Request } from "./Requests.ts"
import type { UnsupportedContent } from "./UnsupportedContent.ts"

export interface Insertion {
  readonly requests: ReadonlyArray<Request>
  readonly startIndex: number
  readonly endIndex: number
  readonly chars: number
}

export const insertionFields = { startIndex: Integer, endIndex: Integer, chars: Integer }

export type TargetTab = Pick<TabView, "body" | "contents" | "endIndex"> & { readonly id?: string }

export const insertBlocks = (
  blocks: ReadonlyArray<NewBlock>,
  { inTable, index, mode, split }: InsertionPoint,
  tab: TargetTab,
  unsupported: UnsupportedContent
): Insertion => {
  const scope = { ...(tab.id === undefined ? {} : { tabId: tab.id }), inTable }
  const { joins, preset } = numberPreset(tab, index, blocks)
  reportStartNumbers(joins ? blocks.slice(1) : blocks, unsupported)
  const { requests, width } = compileBlocks(blocks, { index, mode, number: preset }, scope)
  const lastNewline = mode === "push" && blocks.at(-1)?.kind !== "table" ? 1 : 0
  return {
    requests: split === undefined ? requests : [insertText(scope, split, "\n"), ...requests],
    startIndex: index,
    endIndex: tab.endIndex + width + (split === undefined ? 0 : 1),
    chars: width - lastNewline
  }
}

const reportStartNumbers = (blocks: ReadonlyArray<NewBlock>, unsupported: UnsupportedContent): void => {
  for (const block of blocks) {
    if (block.kind !== "list") continue
    if (block.listKind === "number" && block.start !== 1) unsupported.add("list that starts at", `${block.start}`)
    for (const { below } of block.items) reportStartNumbers(below, unsupported)
  }
}
