import { Option, Result } from "effect"
import { strictEqual } from "node:assert"
import { decodeDocument } from "../../../src/Providers/Gdocs/DecodeDocument.ts"
import { readTabs } from "../../../src/Providers/Gdocs/Reading/ReadTabs.ts"
import { allTabs } from "../../../src/Providers/Gdocs/Tabs.ts"
import { insertBlocks } from "../../../src/Providers/Gdocs/Writing/Insertion.ts"
import { noLinkTargets } from "../../../src/Providers/Gdocs/Writing/LinkTargets.ts"
import { blocksFromMarkdown } from "../../../src/Providers/Gdocs/Writing/Markdown/FromMarkdown.ts"
import { exceededParseLimit } from "../../../src/Providers/Gdocs/Writing/Markdown/ParseLimits.ts"
import { UnsupportedContent } from "../../../src/Providers/Gdocs/Writing/UnsupportedContent.ts"
import { batchUpdate } from "../../../src/Sandbox/Providers/Gdocs/Engine/BatchUpdate.ts"
import { blankDocument } from "../../../src/Sandbox/Providers/Gdocs/Engine/Defaults.ts"
import { documentResource } from "../../../src/Sandbox/Providers/Gdocs/Engine/Resource.ts"
import { endOf } from "../../../src/Sandbox/Providers/Gdocs/Engine/Tree.ts"
import type { Target } from "../Target.ts"

const blankTab = { id: "t.0", contents: {}, body: [], endIndex: 2 }

/** The new document of a text, as the sandbox makes it of the requests. */
const write = (markdown: string) => {
  const unsupported = new UnsupportedContent()
  const blocks = blocksFromMarkdown(markdown, noLinkTargets, unsupported)
  const place = { index: 1, mode: "fill", inTable: false } as const
  const { endIndex, requests } = insertBlocks(blocks, place, blankTab, unsupported)
  if (requests.length === 0) return blankDocument("doc")
  const [written] = Result.getOrThrow(batchUpdate(blankDocument("doc"), { requests }))
  strictEqual(endOf(written.tabs[0]?.body ?? []), endIndex, "the end index that was worked out")
  return written
}

const read = (document: ReturnType<typeof write>, format: "markdown" | "text"): string => {
  const decoded = Option.getOrThrow(decodeDocument(documentResource(document, { includeTabsContent: true })))
  const options = { format, suggestions: "hide", maxChars: 1_000_000, startIndex: 0 } as const
  return readTabs(allTabs(decoded), options).text
}

/** Spaces at the ends of spans move out of them. Then a superscript is written in another way. */
const letters = (text: string): string => text.replace(/[\s^()]/g, "")

/** What is read of a document is written as the same document. */
export const markdown: Target = {
  seeds: [
    "# One\n\n## Two\n\ntext **bold *and* italic** ~~gone~~ `code`\n\n---\n\n> quoted\n>\n> > twice",
    "1. a\n   - [ ] b\n   - [x] c\n\n     still c\n2. d\n   ```js\n   x\n   ```",
    "| a\\|b | **c** |\n| :-: | --: |\n| `x\\|y`<br>z | [z](https://example.com/?a=1&b=2) |",
    "10<sup>2</sup> H<sub>*2*</sub>O ![alt](https://example.com/i.png) <https://example.com> www.example.com",
    "a[^n]\n\n[^n]: note\n\n<div>\nhtml\n</div>\n\n<!-- c -->\n\n[a]: b\n[a] [d](#heading=h.1) &amp; &#32; \\*",
    "one  \ntwo\\\nthree\n===\n\n    indented\n\n+ x\n* y\n- z\n\n3) q",
    "**a*b** _c_ __d__ ***e*** *f**g* snake_case_ *(*h*)* 👨‍👩‍👧 שלום \u00A0\u200B"
  ],
  run: (input) => {
    const text = input.toString()
    if (exceededParseLimit(text) !== undefined) return
    const first = write(text)
    const markdown = read(first, "markdown")
    const second = write(markdown)
    strictEqual(read(second, "markdown"), markdown, `written again, of ${JSON.stringify(text)}`)
    strictEqual(letters(read(second, "text")), letters(read(first, "text")), `the text of ${JSON.stringify(text)}`)
  }
}
