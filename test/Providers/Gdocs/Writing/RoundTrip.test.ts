import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { roundTrip } from "../DocumentTools.ts"

const levels = Array.from({ length: 9 }, (_, level) => `${"  ".repeat(level)}- ${level}`)

const samples: ReadonlyArray<
  readonly [what: string, markdown: string, read?: string, unsupported?: ReadonlyArray<string>]
> = [
  ["headings of every level", "# One\n\n## Two\n\n### Three\n\n#### Four\n\n##### Five\n\n###### Six"],
  ["paragraphs", "First.\n\nSecond.\n\nThird."],
  ["bold, italic, strikethrough and code", "**bold** *italic* ~~gone~~ `code`"],
  [
    "spans in spans",
    "**bold *and italic* bold** and *italic **and bold***",
    "**bold *and italic* bold** and *italic __and bold__*"
  ],
  ["a span in a word", "un**frigging**believable"],
  ["bold next to italic", "**bold***italic*", "**bold**_italic_"],
  ["links", "See [the site](https://example.com/a_b?c=1&d=2#e) and <https://example.com>."],
  ["a link with spans in it", "[**bold** and `code`](https://example.com)"],
  ["a link in a span", "**[link](https://example.com) and more**"],
  ["a link with a bracket in its text", "[a \\[b\\]](https://example.com)"],
  ["an address in the text", "Go to https://example.com now.", "Go to <https://example.com> now."],
  ["mail addresses", "<me@example.com>"],
  ["reference links", "[a][1]\n\n[1]: https://example.com", "[a](https://example.com)"],
  ["a bullet list", "- one\n- two\n- three"],
  ["nested bullets", "- a\n  - b\n    - c\n    - d\n  - e\n- f"],
  ["a numbered list", "1. one\n2. two\n3. three"],
  ["nested numbers", "1. a\n   1. b\n   2. c\n2. d\n   1. e"],
  ["bullets in numbers", "1. a\n   - b\n     - c\n   - d\n2. e\n   - f\n3. g"],
  ["numbers in bullets", "- a\n  1. b\n  2. c\n- d\n  1. e"],
  ["numbers that begin with another one", "3. three\n4. four", "1. three\n2. four", [
    "list that starts at 3: numbered anew"
  ]],
  ["numbers that go on after a paragraph", "1. one\n2. two\n\nBetween.\n\n3. three"],
  ["numbers that begin anew after a paragraph", "1. one\n2. two\n\nBetween.\n\n1. one"],
  ["two lists next to each other", "- a\n- b\n\n* c\n* d"],
  ["two numbered lists next to each other", "1. a\n2. b\n\n1) c\n2) d"],
  ["an item with several paragraphs", "1. one\n\n   still one\n\n   > quoted\n2. two"],
  ["an item with code", "1. run\n\n   ```\n   make\n   \tall\n   ```\n2. done"],
  ["an item with a table", "1. one\n\n   | a | b |\n   | --- | --- |\n   | 1 | 2 |\n2. two"],
  ["spaced items", "- a\n\n- b\n\n- c", "- a\n- b\n- c"],
  ["tasks", "- [ ] open\n- [ ] also open"],
  ["ticked tasks", "- [ ] open\n- [x] done", "- [ ] open\n- [ ] done", [
    "ticked task \"done\": written as an open one"
  ]],
  ["a heading in a list", "- # Heading\n- text"],
  ["a table", "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"],
  [
    "a table with pipes, spans and links",
    "| a\\|b | **c** |\n| --- | --- |\n| `x\\|y` | [z](https://example.com) |",
    "| a\\|b | c |\n| --- | --- |\n| `x\\|y` | [z](https://example.com) |"
  ],
  ["a table with line breaks", "| a | b |\n| --- | --- |\n| one<br>two | x |"],
  ["a table with aligned columns", "| l | c | r |\n| --- | :---: | ---: |\n| 1 | 2 | 3 |"],
  ["a table with empty cells", "| a | |\n| --- | --- |\n| | 2 |"],
  ["text, a table, another table and text", "Before.\n\n| a |\n| --- |\n| 1 |\n\n| b |\n| --- |\n\nAfter."],
  ["a table with a short row", "| a | b |\n| --- | --- |\n| 1 |", "| a | b |\n| --- | --- |\n| 1 | |"],
  ["code", "```\nlet a = 1\n\nif (a) {\n  \"*not bold*\"\n}\n```"],
  ["code with a language", "```js\na()\n```", "```\na()\n```", ["code language \"js\": left out"]],
  ["indented code", "    a\n      b", "```\na\n  b\n```"],
  ["two blocks of code next to each other", "```\na\n```\n\n```\nb\n```"],
  ["code at the end after inline code", "`inline`\n\n```\nblock\n```"],
  ["a paragraph of nothing but inline code", "```\nblock\n```\n\n`inline`"],
  ["backticks in code", "`` a`b `` and\n\n````\n```\n````", "``a`b`` and\n\n````\n```\n````"],
  ["quotes", "> one\n>\n> two\n\nthree"],
  ["two quotes next to each other", "> one\n\n> two"],
  ["two quotes with a comment between", "> one\n\n<!-- -->\n\n> two", "> one\n\n> two"],
  ["quotes in quotes", "> one\n>\n> > two"],
  ["a list in a quote", "> - a\n>   - b\n>\n> text"],
  ["a heading in a quote", "> # Title\n>\n> text"],
  ["rules", "above\n\n---\n\nbelow\n\n---"],
  ["hard line breaks", "one  \ntwo\\\nthree", "one<br>two<br>three"],
  ["soft line breaks", "one\ntwo", "one two"],
  ["Windows newlines", "# A\r\n\r\n- b\r\n- c\r\n\r\nd\r\n", "# A\n\n- b\n- c\n\nd"],
  ["many blank lines", "\n\na\n\n\n\nb\n\n", "a\n\nb"],
  ["emoji and combined emoji", "🚀 **👨‍👩‍👧** é 👍🏽 `🏳️‍🌈` end\n\n- 🇩🇪 a\n  - 👩🏽‍💻 b\n\n| 🧑‍🚀 |\n| --- |"],
  ["right-to-left text", "# שלום עולם\n\nمرحبا **بالعالم** abc\n\n1. ואחד\n2. two"],
  [
    "characters that mean something to markdown",
    "\\# tag, 1986\\. \\*not bold\\* snake\\_\\_case\\_ \\[x] \\<b> a & b ~5",
    "\\# tag, 1986. \\*not bold\\* snake__case\\_ \\[x] \\<b> a & b ~5"
  ],
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
    [
      "list deeper than nine levels: written on the ninth"
    ]
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
