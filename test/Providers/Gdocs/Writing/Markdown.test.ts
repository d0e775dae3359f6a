import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { insertBlocks } from "../../../../src/Providers/Gdocs/Writing/Insertion.ts"
import { noLinkTargets } from "../../../../src/Providers/Gdocs/Writing/LinkTargets.ts"
import { blocksFromMarkdown } from "../../../../src/Providers/Gdocs/Writing/Markdown/FromMarkdown.ts"
import { exceededParseLimit } from "../../../../src/Providers/Gdocs/Writing/Markdown/ParseLimits.ts"
import { UnsupportedContent } from "../../../../src/Providers/Gdocs/Writing/UnsupportedContent.ts"
import { batchUpdate } from "../../../../src/Sandbox/Providers/Gdocs/Engine/BatchUpdate.ts"
import { blankDocument } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Defaults.ts"
import { endOf } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Tree.ts"
import { requestFaults } from "../../../support/Discovery.ts"
import { appendDoc, createDoc, refusal, roundTrip } from "../DocumentTools.ts"
import { fakeDocument } from "../FakeDocument.ts"
import { markdown } from "./ArbitraryMarkdown.ts"

describe("Markdown that takes long to parse is refused before anything is written", () => {
  const refused: ReadonlyArray<readonly [what: string, markdown: string, why: RegExp]> = [
    [
      "a paragraph of spans in spans",
      "**a ".repeat(1500) + "b**".repeat(1500),
      /^The paragraph at line 1 has more than 4000/
    ],
    [
      "a paragraph of brackets over many lines",
      "text\n\n" + "[a](b)\n".repeat(2001),
      /^The paragraph at line 2003 has/
    ],
    ["quotes in quotes", "a\n\n" + ">".repeat(200) + " b", /^Line 3 is nested deeper than 100/],
    ["items in items", "- ".repeat(101) + "b", /^Line 1 is nested deeper than 100/]
  ]
  for (const [what, markdown, why] of refused) {
    it(`${what}`, () => assert.match(exceededParseLimit(markdown) ?? "", why))
  }

  const accepted: ReadonlyArray<readonly [what: string, markdown: string]> = [
    ["a long list", "- **a** [b](c)\n".repeat(3000)],
    ["code full of brackets", "```\n" + "[[[[]]]]****\n".repeat(3000) + "```\n\ntext"],
    ["a text of one line", "word ".repeat(30_000)]
  ]
  for (const [what, markdown] of accepted) {
    it(`but not ${what}`, () => assert.isUndefined(exceededParseLimit(markdown)))
  }

  it.effect("by docs_create and docs_append", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeDocument()
      const text = ">".repeat(101)
      const message = "text: Line 1 is nested deeper than 100 levels of quotes and lists."
      assert.strictEqual(yield* refusal(createDoc(provider, text)), message)
      assert.strictEqual(yield* refusal(appendDoc(provider, { text })), message)
      assert.isFalse(calls.some(({ endpoint }) => endpoint !== "documents.get"))
      assert.strictEqual(yield* refusal(appendDoc(provider, { text, format: "plain" })), "accepted")
    }))
})

const target = { id: "t.0", contents: {}, body: [], endIndex: 2 }

const planFor = (text: string) =>
  insertBlocks(
    blocksFromMarkdown(text, noLinkTargets, new UnsupportedContent()),
    { index: 1, mode: "fill", inTable: false },
    target,
    new UnsupportedContent()
  )

const seed = 20_261_006

describe("Any markdown", () => {
  it("becomes documented requests, and `endIndex` is the document's end", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const { endIndex, requests } = planFor(text)
        if (requests.length === 0) return
        const body = JSON.stringify({ requests })
        const request = { method: "POST", url: "/v1/documents/doc:batchUpdate", body }
        assert.deepStrictEqual(requestFaults("gdocs", request), [])
        const [written] = Result.getOrThrow(batchUpdate(blankDocument("doc"), { requests }))
        assert.strictEqual(endOf(written.tabs[0]?.body ?? []), endIndex)
      }),
      { numRuns: 1000, seed }
    )
  })

  it("that was read is written and read back unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(markdown, (text) =>
        Effect.runPromise(
          Effect.gen(function*() {
            const read = (yield* roundTrip(text)).text
            assert.strictEqual((yield* roundTrip(read)).text, read)
          }).pipe(Effect.provide(TestClock.layer()))
        )),
      { numRuns: 40, seed }
    )
  })
})

const levels = Array.from({ length: 9 }, (_, level) => `${"  ".repeat(level)}- ${level}`)

const samples: ReadonlyArray<
  readonly [what: string, markdown: string, read?: string, unsupported?: ReadonlyArray<string>]
> = [
  ["headings of every level", "# One\n\n## Two\n\n### Three\n\n#### Four\n\n##### Five\n\n###### Six"],
  ["bold, italic, strikethrough and code", "**bold** *italic* ~~gone~~ `code`"],
  [
    "spans in spans",
    "**bold *and italic* bold** and *italic **and bold***",
    "**bold *and italic* bold** and *italic __and bold__*"
  ],
  [
    "superscript and subscript",
    "# 10<sup>2</sup>\n\nH<sub>2</sub>O, **x<sup>*n*</sup>**, <SUP >a</SUP><sup>b\n\n- m<sup>2</sup>\n\n| **x<sub>1</sub>** y | z |\n| --- | --- |",
    "# 10<sup>2</sup>\n\nH<sub>2</sub>O, **x<sup>*n*</sup>**, <sup>a</sup>\\<sup>b\n\n- m<sup>2</sup>\n\n| x<sub>1</sub> y | z |\n| --- | --- |",
    ["raw HTML \"<sup>\": written as text"]
  ],
  ["indented code", "`    return 1`\n\n- `\tx`<br>`  y`", "`    return 1`\n\n- `    x`<br>`  y`"],
  ["links", "See [the site](https://example.com/a_b?c=1&d=2#e) and <https://example.com>."],
  ["an address in the text", "Go to https://example.com now.", "Go to <https://example.com> now."],
  ["nested numbers", "1. a\n   1. b\n   2. c\n2. d\n   1. e"],
  ["numbers in bullets", "- a\n  1. b\n  2. c\n- d\n  1. e"],
  ["numbers that begin with another one", "3. three\n4. four", "1. three\n2. four", [
    "list that starts at 3: numbered anew"
  ]],
  ["an item with several paragraphs", "1. one\n\n   still one\n\n   > quoted\n2. two"],
  ["an item with code", "1. run\n\n   ```\n   make\n   \tall\n   ```\n2. done"],
  ["an item with a table", "1. one\n\n   | a | b |\n   | --- | --- |\n   | 1 | 2 |\n2. two"],
  ["ticked tasks", "- [ ] open\n- [x] done", "- [ ] open\n- [ ] done", [
    "ticked task \"done\": written as an open one"
  ]],
  ["a heading in a list", "- # Heading\n- text"],
  [
    "a table with pipes, spans and links",
    "| a\\|b | **c** |\n| --- | --- |\n| `x\\|y` | [z](https://example.com) |",
    "| a\\|b | c |\n| --- | --- |\n| `x\\|y` | [z](https://example.com) |"
  ],
  ["a backslash before a pipe in a cell's code", "| h |\n| --- |\n| `a\\`<!-- -->`\\|b` |"],
  ["a table with line breaks", "| a | b |\n| --- | --- |\n| one<br>two | x |"],
  ["a table with empty cells", "| a | |\n| --- | --- |\n| | 2 |"],
  ["text, a table, another table and text", "Before.\n\n| a |\n| --- |\n| 1 |\n\n| b |\n| --- |\n\nAfter."],
  ["code", "```\nlet a = 1\n\nif (a) {\n  \"*not bold*\"\n}\n```"],
  ["two blocks of code next to each other", "```\na\n```\n\n```\nb\n```"],
  ["backticks in code", "`` a`b `` and\n\n````\n```\n````", "``a`b`` and\n\n````\n```\n````"],
  ["quotes in quotes", "> one\n>\n> > two"],
  ["rules", "above\n\n---\n\nbelow\n\n---"],
  ["hard line breaks", "one  \ntwo\\\nthree", "one<br>two<br>three"],
  ["soft line breaks", "one\ntwo", "one two"],
  ["Windows newlines", "# A\r\n\r\n- b\r\n- c\r\n\r\nd\r\n", "# A\n\n- b\n- c\n\nd"],
  ["emoji and combined emoji", "🚀 **👨‍👩‍👧** é 👍🏽 `🏳️‍🌈` end\n\n- 🇩🇪 a\n  - 👩🏽‍💻 b\n\n| 🧑‍🚀 |\n| --- |"],
  [
    "characters that mean something to markdown",
    "\\# tag, 1986\\. \\*not bold\\* snake\\_\\_case\\_ \\[x] \\<b> a & b ~5",
    "\\# tag, 1986. \\*not bold\\* snake__case\\_ \\[x] \\<b> a & b ~5"
  ],
  ["the beginning of an address", "Type www\\. first, wwww. (www\\.) next"],
  ["a number that looks like a list", "1986\\. A great year."],
  ["character references", "&amp;amp; &copy; a&nbsp;b", "\\&amp; © a\u00A0b"],
  ["control and private use characters", "a\u0007b\uE000c &#xE000;d", "abc d"],
  ["raw HTML", "<div>\nblock\n</div>\n\na <b>b</b>", "\\<div>\n\nblock\n\n\\</div>\n\na \\<b>b\\</b>", [
    "raw HTML \"<div> block </div>\": written as text",
    "raw HTML \"<b>\": written as text",
    "raw HTML \"</b>\": written as text"
  ]],
  ["images", "![alt](https://example.com/i.png)", "[alt](https://example.com/i.png)", [
    "image \"https://example.com/i.png\": written as a link"
  ]],
  ["links that lead nowhere", "[a](#there) [b](./c.md) [d](#heading=h.1) [e](#bookmark=id.1)", "a b d e", [
    "link \"#there\": written as text",
    "link \"./c.md\": written as text",
    "link \"#heading=h.1\": written as text",
    "link \"#bookmark=id.1\": written as text"
  ]],
  ["footnotes", "a[^n]\n\n[^n]: note", "a\\[^n]\n\n\\[^n]: note", ["footnote \"n\": written as text"]],
  [
    "a list of ten levels",
    [...levels, `${"  ".repeat(9)}- 9`].join("\n"),
    [...levels, `${"  ".repeat(8)}- 9`].join("\n"),
    ["list deeper than nine levels: written on the ninth"]
  ],
  ["nothing but a comment", "<!-- tab t.0 \"Main\" -->", ""]
]

describe("Markdown in a new document is read back unchanged", () => {
  for (const [what, markdown, read = markdown, unsupported] of samples) {
    it.effect(what, () =>
      Effect.gen(function*() {
        const first = yield* roundTrip(markdown)
        assert.strictEqual(first.text, read)
        assert.deepStrictEqual(first.created["unsupported"], unsupported)
        assert.strictEqual(first.created["endIndex"], first.read["endIndex"], "the end index that was worked out")
        assert.strictEqual((yield* roundTrip(read)).text, read, "what was read, written again")
      }))
  }
})
