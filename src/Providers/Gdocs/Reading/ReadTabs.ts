import { append } from "../../../Domain/Lists.ts"
import type { TabView } from "../Tabs.ts"
import { type Block, blocksOf } from "./Blocks.ts"
import { fitBlocks } from "./FitBlocks.ts"
import { type Footnote, footnoteDefinition, footnotesOf } from "./Footnotes.ts"
import type { ReadContext } from "./Inlines.ts"
import { addCounts, countLeftOut, type LeftOut } from "./LeftOut.ts"
import { markdownTree } from "./MarkdownTree.ts"
import { type Heading, outlineOf } from "./Outline.ts"
import { serializePlainText } from "./PlainText.ts"
import { serializeMarkdown } from "./SerializeMarkdown.ts"
import { countPendingSuggestions, type SuggestionsMode } from "./Suggestions.ts"

export interface ReadOptions {
  readonly format: "markdown" | "text"
  readonly suggestions: SuggestionsMode
  readonly maxChars: number
  readonly startIndex: number
}

export const readTabs = (tabs: ReadonlyArray<TabView>, options: ReadOptions) => {
  const outline: Array<Heading> = []
  const texts: Array<string> = []
  const leftOut: Array<LeftOut> = []
  let left = options.maxChars
  let stopped: { readonly tab: string; readonly next: number } | undefined
  for (const [position, tab] of tabs.entries()) {
    const reading: ReadContext = {
      tabId: tab.id,
      contents: tab.contents,
      suggestions: options.suggestions,
      footnotePrefix: position === 0 ? "" : `${position + 1}-`
    }
    const blocks = blocksOf(tab.body, reading)
    append(outline, outlineOf(blocks, tab.id))
    leftOut.push(countLeftOut(tab.contents, blocks, options))
    if (stopped !== undefined) continue
    const banner = tabs.length === 1 ? "" : bannerOf(tab)
    const wanted = blocks.filter(({ end }) => end > options.startIndex)
    if (position > 0 && left <= banner.length) {
      stopped = { tab: tab.id, next: wanted[0]?.start ?? 1 }
      continue
    }
    const write = writerOf(tab, reading, options.format)
    const { next, text } = fitBlocks(wanted, Math.max(0, left - banner.length), write)
    texts.push(`${banner}${text}`)
    left -= banner.length + text.length + separator.length
    if (next !== undefined) stopped = { tab: tab.id, next }
  }
  const pending = tabs.reduce((count, { contents }) => count + countPendingSuggestions(contents), 0)
  return {
    text: texts.join(separator),
    outline,
    truncated: stopped !== undefined,
    ...(stopped === undefined ? {} : { nextStartIndex: stopped.next }),
    ...(stopped === undefined || tabs.length === 1 ? {} : { next_tab: stopped.tab }),
    ...(pending === 0 ? {} : { pending_suggestions: pending }),
    leftOut: addCounts(leftOut)
  }
}

const separator = "\n\n"

/** A `>` in the title would end the HTML comment. */
const bannerOf = ({ id, title }: TabView): string =>
  `<!-- tab ${id} ${JSON.stringify(title).replaceAll(">", "\\u003e")} -->${separator}`

const writerOf =
  ({ body }: TabView, reading: ReadContext, format: ReadOptions["format"]) => (blocks: ReadonlyArray<Block>) => {
    const notes = footnotesOf(body, { from: blocks[0]?.start ?? 0, to: blocks.at(-1)?.end ?? 0 }, reading)
    return format === "text"
      ? plain(blocks, notes)
      : serializeMarkdown([...markdownTree(blocks), ...notes.map(footnoteDefinition)])
  }

const plain = (blocks: ReadonlyArray<Block>, notes: ReadonlyArray<Footnote>): string =>
  [serializePlainText(blocks), ...notes.map((note) => `[${note.label}] ${serializePlainText(note.blocks)}`)].join("\n")
