import type { ReadableTab, ReadOptions, TabsText } from "../Reading/ReadTabs.ts"
import { readTabs } from "../Reading/ReadTabs.ts"
import type { LinkTargets } from "../Writing/LinkTargets.ts"
import { blocksFromMarkdown } from "../Writing/Markdown/FromMarkdown.ts"
import type { NewBlock } from "../Writing/NewBlocks.ts"
import { UnsupportedContent } from "../Writing/UnsupportedContent.ts"

/** Work that can take more than linear time. Inputs and outputs are JSON. */
export interface Jobs {
  readonly parseMarkdown: {
    readonly input: { readonly text: string; readonly linkTargets: LinkTargets }
    readonly output: { readonly blocks: ReadonlyArray<NewBlock>; readonly unsupported: ReadonlyArray<string> }
  }
  readonly readTabs: {
    readonly input: { readonly tabs: ReadonlyArray<ReadableTab>; readonly options: ReadOptions }
    readonly output: TabsText
  }
}

export const jobs: { readonly [Name in keyof Jobs]: (input: Jobs[Name]["input"]) => Jobs[Name]["output"] } = {
  parseMarkdown: ({ linkTargets, text }) => {
    const unsupported = new UnsupportedContent()
    return { blocks: blocksFromMarkdown(text, linkTargets, unsupported), unsupported: unsupported.lines }
  },
  readTabs: ({ options, tabs }) => readTabs(tabs, options)
}
