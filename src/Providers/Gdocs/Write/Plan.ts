import type { TabView } from "../Read/Tabs.ts"
import type { Block } from "./Blocks.ts"
import { compile } from "./Compile.ts"
import { numberPreset } from "./ListAbove.ts"
import { insertText, type Request } from "./Requests.ts"
import type { Spot } from "./Spots.ts"
import type { Unsupported } from "./Unsupported.ts"

/** Requests, and where in the tab what they write will be. */
export interface Plan {
  readonly requests: ReadonlyArray<Request>
  readonly startIndex: number
  /** The tab's end index afterwards. */
  readonly endIndex: number
  /** Without what was written's own last newline. */
  readonly chars: number
}

/** The tab that is written to; only that of a new document has no known id. */
export type Target = Pick<TabView, "body" | "contents" | "endIndex"> & { readonly id?: string }

export const planBlocks = (
  blocks: ReadonlyArray<Block>,
  spot: Spot,
  tab: Target,
  unsupported: Unsupported
): Plan => {
  const scope = { ...(tab.id === undefined ? {} : { tabId: tab.id }), inTable: spot.inTable }
  const { joins, preset } = numberPreset(tab, spot.index, blocks)
  reportStarts(joins ? blocks.slice(1) : blocks, unsupported)
  const { requests, width } = compile(blocks, { index: spot.index, mode: spot.mode, number: preset }, scope)
  const ownNewline = spot.mode === "push" && blocks.at(-1)?.kind !== "table" ? 1 : 0
  return {
    requests: spot.split === undefined ? requests : [insertText(scope, spot.split, "\n"), ...requests],
    startIndex: spot.index,
    endIndex: tab.endIndex + width + (spot.split === undefined ? 0 : 1),
    chars: width - ownNewline
  }
}

const reportStarts = (blocks: ReadonlyArray<Block>, unsupported: Unsupported): void => {
  for (const block of blocks) {
    if (block.kind !== "list") continue
    if (block.list === "number" && block.start !== 1) unsupported.add("list that starts at", `${block.start}`)
    for (const { after } of block.lines) reportStarts(after, unsupported)
  }
}
