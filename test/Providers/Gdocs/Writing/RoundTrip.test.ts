import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { roundTrip } from "../DocumentTools.ts"

interface Sample {
  readonly what: string
  readonly markdown: string
  readonly read?: string
  readonly unsupported?: ReadonlyArray<string>
}

const lines = (...each: ReadonlyArray<string>): string => each.join("\n")

const samples: ReadonlyArray<Sample> = [
  { what: "one paragraph", markdown: "Just one." },
  {
    what: "headings of every level",
    markdown: "# One\n\n## Two\n\n### Three\n\n#### Four\n\n##### Five\n\n###### Six"
  },
  { what: "adjacent headings", markdown: "# Title\n\n## Section\n\n## Another\n\nText." },
  { what: "paragraphs", markdown: "First.\n\nSecond.\n\nThird." },
  { what: "bold, italic, strikethrough and code", markdown: "**bold** *italic* ~~gone~~ `code`" },
  {
    what: "spans in spans",
    markdown: "**bold *and italic* bold** and *italic **and bold***",
    read: "**bold *and italic* bold** and *italic __and bold__*"
  },
  { what: "a span in a word", markdown: "un**frigging**believable" },
  { what: "bold next to italic", markdown: "**bold***italic*", read: "**bold**_italic_" },
  { what: "a heading with spans", markdown: "## The `code` of **Hammurabi**" },
  { what: "links", markdown: "See [the site](https://example.com/a_b?c=1&d=2#e) and <https://example.com>." },
  { what: "a link with spans in it", markdown: "[**bold** and `code`](https://example.com)" },
  { what: "a link in a span", markdown: "**[link](https://example.com) and more**" },
  {
    what: "a link with a bracket in its text",
    markdown: "[a \\[b\\]](https://example.com)"
  },
  {
    what: "an address in the text",
    markdown: "Go to https://example.com now.",
    read: "Go to <https://example.com> now."
  },
  { what: "mail addresses", markdown: "<me@example.com>" },
  { what: "reference links", markdown: "[a][1]\n\n[1]: https://example.com", read: "[a](https://example.com)" },
  { what: "a bullet list", markdown: "- one\n- two\n- three" },
  { what: "other bullets", markdown: "* one\n* two", read: "- one\n- two" },
  { what: "nested bullets", markdown: "- a\n  - b\n    - c\n    - d\n  - e\n- f" },
  { what: "a numbered list", markdown: "1. one\n2. two\n3. three" },
  { what: "nested numbers", markdown: "1. a\n   1. b\n   2. c\n2. d\n   1. e" },
  { what: "bullets in numbers", markdown: "1. a\n   - b\n     - c\n   - d\n2. e\n   - f\n3. g" },
  { what: "numbers in bullets", markdown: "- a\n  1. b\n  2. c\n- d\n  1. e" },
  {
    what: "numbers that begin with another one",
    markdown: "3. three\n4. four",
    read: "1. three\n2. four",
    unsupported: ["list that starts at 3: numbered anew"]
  },
  { what: "numbers that go on after a paragraph", markdown: "1. one\n2. two\n\nBetween.\n\n3. three" },
  { what: "numbers that begin anew after a paragraph", markdown: "1. one\n2. two\n\nBetween.\n\n1. one" },
  { what: "two lists next to each other", markdown: "- a\n- b\n\n* c\n* d" },
  { what: "two numbered lists next to each other", markdown: "1. a\n2. b\n\n1) c\n2) d" },
  { what: "an item with several paragraphs", markdown: "1. one\n\n   still one\n\n   > quoted\n2. two" },
  { what: "an item with code", markdown: "1. run\n\n   ```\n   make\n   \tall\n   ```\n2. done" },
  { what: "an item with a table", markdown: "1. one\n\n   | a | b |\n   | --- | --- |\n   | 1 | 2 |\n2. two" },
  { what: "spaced items", markdown: "- a\n\n- b\n\n- c", read: "- a\n- b\n- c" },
  { what: "tasks", markdown: "- [ ] open\n- [ ] also open" },
  {
    what: "ticked tasks",
    markdown: "- [ ] open\n- [x] done",
    read: "- [ ] open\n- [ ] done",
    unsupported: ["ticked task \"done\": written as an open one"]
  },
  { what: "a heading in a list", markdown: "- # Heading\n- text" },
  { what: "a table", markdown: "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |" },
  {
    what: "a table with pipes, spans and links",
    markdown: "| a\\|b | **c** |\n| --- | --- |\n| `x\\|y` | [z](https://example.com) |",
    read: "| a\\|b | c |\n| --- | --- |\n| `x\\|y` | [z](https://example.com) |"
  },
  { what: "a table with line breaks", markdown: "| a | b |\n| --- | --- |\n| one<br>two | x |" },
  { what: "a table with aligned columns", markdown: "| l | c | r |\n| --- | :---: | ---: |\n| 1 | 2 | 3 |" },
  { what: "a table with empty cells", markdown: "| a | |\n| --- | --- |\n| | 2 |" },
  {
    what: "text, a table, another table and text",
    markdown: "Before.\n\n| a |\n| --- |\n| 1 |\n\n| b |\n| --- |\n\nAfter."
  },
  {
    what: "a table with a short row",
    markdown: "| a | b |\n| --- | --- |\n| 1 |",
    read: "| a | b |\n| --- | --- |\n| 1 | |"
  },
  { what: "code", markdown: "```\nlet a = 1\n\nif (a) {\n  \"*not bold*\"\n}\n```" },
  {
    what: "code with a language",
    markdown: "```js\na()\n```",
    read: "```\na()\n```",
    unsupported: ["code language \"js\": left out"]
  },
  { what: "indented code", markdown: "    a\n      b", read: "```\na\n  b\n```" },
  { what: "two blocks of code next to each other", markdown: "```\na\n```\n\n```\nb\n```" },
  { what: "code at the end after inline code", markdown: "`inline`\n\n```\nblock\n```" },
  { what: "a paragraph of nothing but inline code", markdown: "```\nblock\n```\n\n`inline`" },
  { what: "backticks in code", markdown: "`` a`b `` and\n\n````\n```\n````", read: "``a`b`` and\n\n````\n```\n````" },
  { what: "quotes", markdown: "> one\n>\n> two\n\nthree" },
  { what: "two quotes next to each other", markdown: "> one\n\n> two" },
  { what: "two quotes with a comment between", markdown: "> one\n\n<!-- -->\n\n> two", read: "> one\n\n> two" },
  { what: "quotes in quotes", markdown: "> one\n>\n> > two" },
  { what: "a list in a quote", markdown: "> - a\n>   - b\n>\n> text" },
  { what: "a heading in a quote", markdown: "> # Title\n>\n> text" },
  { what: "rules", markdown: "above\n\n---\n\nbelow\n\n---" },
  { what: "hard line breaks", markdown: "one  \ntwo\\\nthree", read: "one<br>two<br>three" },
  { what: "soft line breaks", markdown: "one\ntwo", read: "one two" },
  { what: "Windows newlines", markdown: "# A\r\n\r\n- b\r\n- c\r\n\r\nd\r\n", read: "# A\n\n- b\n- c\n\nd" },
  { what: "many blank lines", markdown: "\n\na\n\n\n\nb\n\n", read: "a\n\nb" },
  { what: "emoji and combined emoji", markdown: "🚀 **👨‍👩‍👧** é 👍🏽 `🏳️‍🌈` end\n\n- 🇩🇪 a\n  - 👩🏽‍💻 b\n\n| 🧑‍🚀 |\n| --- |" },
  { what: "right-to-left text", markdown: "# שלום עולם\n\nمرحبا **بالعالم** abc\n\n1. ואחד\n2. two" },
  {
    what: "characters that mean something to markdown",
    markdown: "\\# tag, 1986\\. \\*not bold\\* snake\\_\\_case\\_ \\[x] \\<b> a & b ~5",
    read: "\\# tag, 1986. \\*not bold\\* snake__case\\_ \\[x] \\<b> a & b ~5"
  },
  { what: "a number that looks like a list", markdown: "1986\\. A great year." },
  { what: "character references", markdown: "&amp;amp; &copy; a&nbsp;b", read: "\\&amp; © a\u00A0b" },
  { what: "control and private use characters", markdown: "a\u0007b\uE000c &#xE000;d", read: "abc d" },
  {
    what: "raw HTML",
    markdown: "<div>\nblock\n</div>\n\na <b>b</b>",
    read: "\\<div>\n\nblock\n\n\\</div>\n\na \\<b>b\\</b>",
    unsupported: [
      "raw HTML \"<div> block </div>\": written as text",
      "raw HTML \"<b>\": written as text",
      "raw HTML \"</b>\": written as text"
    ]
  },
  {
    what: "images",
    markdown: "![alt](https://example.com/i.png)",
    read: "[alt](https://example.com/i.png)",
    unsupported: ["image \"https://example.com/i.png\": written as a link"]
  },
  {
    what: "links that lead nowhere",
    markdown: "[a](#there) [b](./c.md) [d](#heading=h.1) [e](#bookmark=id.1)",
    read: "a b d e",
    unsupported: [
      "link \"#there\": written as text",
      "link \"./c.md\": written as text",
      "link \"#heading=h.1\": written as text",
      "link \"#bookmark=id.1\": written as text"
    ]
  },
  {
    what: "footnotes",
    markdown: "a[^n]\n\n[^n]: note",
    read: "a\\[^n]\n\n\\[^n]: note",
    unsupported: ["footnote \"n\": written as text"]
  },
  {
    what: "a list of ten levels",
    markdown: Array.from({ length: 10 }, (_, level) => `${"  ".repeat(level)}- ${level}`).join("\n"),
    read: [...Array.from({ length: 9 }, (_, level) => `${"  ".repeat(level)}- ${level}`), `${"  ".repeat(8)}- 9`].join(
      "\n"
    ),
    unsupported: ["list deeper than nine levels: written on the ninth"]
  },
  { what: "nothing but a comment", markdown: "<!-- tab t.0 \"Main\" -->", read: "" },
  {
    what: "all of it",
    markdown: lines(
      "# Report",
      "",
      "Intro **bold**.",
      "",
      "1. one",
      "   - sub",
      "2. two",
      "",
      "| a | b |",
      "| --- | --- |",
      "| 1 | 2 |",
      "",
      "```",
      "x",
      "```",
      "",
      "> quote",
      "",
      "---",
      "",
      "End 🚀"
    )
  }
]

describe("Markdown in a new document is read back unchanged", () => {
  for (const { markdown, read = markdown, unsupported, what } of samples) {
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
