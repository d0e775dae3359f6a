import { assemble } from "./Assemble.ts"
import type { ReadingTab } from "./Atoms.ts"
import { cut } from "./Cut.ts"
import { definitionOf, type Footnote, footnotesOf } from "./Footnotes.ts"
import { type Heading, outlineOf } from "./Outline.ts"
import { type Piece, piecesOf } from "./Pieces.ts"
import { writePlainText } from "./PlainText.ts"
import { countSuggestions, type SuggestionsMode } from "./Suggestions.ts"
import type { TabView } from "./Tabs.ts"
import { writeMarkdown } from "./ToMarkdown.ts"

export interface ReadOptions {
  readonly format: "markdown" | "text"
  readonly suggestions: SuggestionsMode
  readonly maxChars: number
  /** Where to go on; only meaningful for a single tab. */
  readonly startIndex: number
}

export interface ReadTabs {
  readonly text: string
  readonly outline: ReadonlyArray<Heading>
  readonly truncated: boolean
  readonly nextStartIndex?: number
  /** The tab that `nextStartIndex` belongs to, where several are read. */
  readonly nextTab?: string
  readonly pendingSuggestions: number
}

/** The text of these tabs, one after the other, each with a line that names it where there is more than one. */
export const readTabs = (tabs: ReadonlyArray<TabView>, options: ReadOptions): ReadTabs => {
  const outline: Array<Heading> = []
  const texts: Array<string> = []
  let left = options.maxChars
  let stopped: { readonly tab: string; readonly next: number } | undefined
  for (const [position, tab] of tabs.entries()) {
    const reading: ReadingTab = {
      tabId: tab.id,
      contents: tab.contents,
      suggestions: options.suggestions,
      footnotePrefix: position === 0 ? "" : `${position + 1}-`
    }
    const pieces = piecesOf(tab.body, reading)
    outline.push(...outlineOf(pieces, tab.id))
    if (stopped !== undefined) continue
    const banner = tabs.length === 1 ? "" : bannerOf(tab)
    const wanted = pieces.filter(({ end }) => end > options.startIndex)
    if (position > 0 && left <= banner.length) {
      stopped = { tab: tab.id, next: wanted[0]?.start ?? 1 }
      continue
    }
    const write = writerOf(tab, reading, options.format)
    const { next, text } = cut(wanted, Math.max(0, left - banner.length), write)
    texts.push(`${banner}${text}`)
    left -= banner.length + text.length + separator.length
    if (next !== undefined) stopped = { tab: tab.id, next }
  }
  return {
    text: texts.join(separator),
    outline,
    truncated: stopped !== undefined,
    ...(stopped === undefined ? {} : { nextStartIndex: stopped.next }),
    ...(stopped === undefined || tabs.length === 1 ? {} : { nextTab: stopped.tab }),
    pendingSuggestions: tabs.reduce((count, { contents }) => count + countSuggestions(contents), 0)
  }
}

const separator = "\n\n"

/** A comment: no title ends it before its time. */
const bannerOf = ({ id, title }: TabView): string =>
  `<!-- tab ${id} ${JSON.stringify(title).replaceAll(">", "\\u003e")} -->${separator}`

const writerOf =
  (tab: TabView, reading: ReadingTab, format: ReadOptions["format"]) => (pieces: ReadonlyArray<Piece>) => {
    const notes = footnotesOf(tab.body, { from: pieces[0]?.start ?? 0, to: pieces.at(-1)?.end ?? 0 }, reading)
    return format === "text" ? plain(pieces, notes) : writeMarkdown([...assemble(pieces), ...notes.map(definitionOf)])
  }

const plain = (pieces: ReadonlyArray<Piece>, notes: ReadonlyArray<Footnote>): string =>
  [writePlainText(pieces), ...notes.map((note) => `[${note.label}] ${writePlainText(note.pieces)}`)].join("\n")
