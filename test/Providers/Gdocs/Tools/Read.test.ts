import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import { fromResource } from "../../../Sandbox/Providers/Gdocs/FromResource.ts"
import { fixture } from "../../../support/Fixtures.ts"
import { objectsOf } from "../../../support/RunTool.ts"
import { documentFixture } from "../DocumentFixture.ts"
import { readDoc, refusal, written } from "../DocumentTools.ts"
import { document, heading, item, list, paragraph, run, tab, tabbed } from "../Elements.ts"

const long = (paragraphs: number): Document =>
  document(Array.from({ length: paragraphs }, (_, at) => paragraph(`Paragraph ${at} ${"x".repeat(80)}`)))

const chapters = document([
  paragraph("The book", { style: { namedStyleType: "TITLE", headingId: "h.0" } }),
  heading(1, "One", "h.1"),
  paragraph("text"),
  heading(2, "  One   point one ", "h.2"),
  heading(3, " ", "h.3"),
  heading(1, "Two", "h.4")
])

const several = tabbed(
  tab("t.0", "Main", [heading(1, "A", "h.1"), paragraph("text")], [tab("t.1", "Notes", [paragraph("child")])]),
  tab("t.2", "Notes", [heading(1, "B", "h.2")])
)

const noted = (tabId: string) => ({
  tabProperties: { tabId, title: tabId },
  documentTab: {
    body: {
      content: [
        { sectionBreak: {} },
        paragraph([run("a"), { footnoteReference: { footnoteId: "f", footnoteNumber: "1" } }])
      ]
    },
    footnotes: { f: { footnoteId: "f", content: [paragraph("note")] } }
  }
})

describe("docs_read", () => {
  it.effect("gives title, address, revision, tabs, outline and end index beside the text", () =>
    Effect.gen(function*() {
      const { calls, provider } = documentFixture(chapters)
      const { revisionId, ...read } = yield* readDoc(provider)
      assert.isString(revisionId)
      assert.deepStrictEqual(read, {
        documentId: "doc",
        title: "Draft",
        url: "https://docs.google.com/document/d/doc/edit",
        tab: "t.0",
        tabs: [{ id: "t.0", title: "Tab 1", level: 0 }],
        outline: [
          { level: 0, style: "title", text: "The book", start: 1, end: 10, headingId: "h.0", tab: "t.0" },
          { level: 1, text: "One", start: 10, end: 14, headingId: "h.1", tab: "t.0" },
          { level: 2, text: "One point one", start: 19, end: 38, headingId: "h.2", tab: "t.0" },
          { level: 1, text: "Two", start: 40, end: 44, headingId: "h.4", tab: "t.0" }
        ],
        endIndex: 44,
        text: "# The book\n\n# One\n\ntext\n\n## One   point one\n\n# Two",
        truncated: false
      })
      assert.deepStrictEqual(calls, [{
        endpoint: "documents.get",
        input: {
          path: { documentId: "doc" },
          query: { includeTabsContent: true, suggestionsViewMode: "SUGGESTIONS_INLINE", prettyPrint: false }
        }
      }])
    }))

  it.effect("reads the tab that is named, by id, by title in any case, or by the address", () =>
    Effect.gen(function*() {
      const { provider } = documentFixture(several)
      const texts = yield* Effect.forEach([
        { tab: "t.1" },
        { tab: " main " },
        { document: "https://docs.google.com/document/d/doc/edit?tab=t.2#heading=h.2" },
        { document: "https://docs.google.com/document/d/doc/edit?tab=t.2", tab: "t.1" },
        { tab: "" }
      ], (input) => Effect.map(readDoc(provider, input), ({ tab: read, text }) => [read, text]))
      assert.deepStrictEqual(texts, [["t.1", "child"], ["t.0", "# A\n\ntext"], ["t.2", "# B"], ["t.1", "child"], [
        "t.0",
        "# A\n\ntext"
      ]])
    }))

  it.effect("lists the tabs when the one that is named is not there, or is there twice", () =>
    Effect.gen(function*() {
      const { provider } = documentFixture(several)
      assert.strictEqual(
        yield* refusal(readDoc(provider, { tab: "Mian" })),
        "tab: There is no tab \"Mian\". The tabs are: \"Main\" (t.0), \"Notes\" (t.1), \"Notes\" (t.2)"
      )
      assert.strictEqual(
        yield* refusal(readDoc(provider, { tab: "Notes" })),
        "tab: Several tabs have the title \"Notes\"; name one by its id: \"Notes\" (t.1), \"Notes\" (t.2)"
      )
    }))

  it.effect("reads all tabs with \"*\", each below its own line", () =>
    Effect.gen(function*() {
      const read = yield* readDoc(documentFixture(several).provider, { tab: "*" })
      assert.strictEqual(read["tab"], "*")
      assert.isNull(read["endIndex"])
      assert.deepStrictEqual(read["tabs"], [
        { id: "t.0", title: "Main", level: 0 },
        { id: "t.1", title: "Notes", level: 1, parent: "t.0" },
        { id: "t.2", title: "Notes", level: 0 }
      ])
      assert.deepStrictEqual(objectsOf(read["outline"]).map(({ tab: of, text }) => [of, text]), [["t.0", "A"], [
        "t.2",
        "B"
      ]])
    }))

  it.effect("numbers the footnotes of several tabs apart", () =>
    Effect.gen(function*() {
      const { text } = yield* readDoc(documentFixture(tabbed(noted("t.0"), noted("t.1"))).provider, { tab: "*" })
      assert.strictEqual(
        text,
        "<!-- tab t.0 \"t.0\" -->\n\na[^1]\n\n[^1]: note\n\n<!-- tab t.1 \"t.1\" -->\n\na[^2-1]\n\n[^2-1]: note"
      )
    }))

  it.effect("counts pending suggestions", () =>
    Effect.gen(function*() {
      const state = document([
        paragraph([
          run("a", {}, { suggestedInsertionIds: ["s.1"] }),
          run("b", {}, { suggestedDeletionIds: ["s.2", "s.1"] })
        ])
      ])
      assert.strictEqual((yield* readDoc(documentFixture(state).provider))["pending_suggestions"], 2)
    }))

  it.effect("is empty for an empty document", () =>
    Effect.gen(function*() {
      const read = yield* readDoc(documentFixture().provider)
      assert.deepStrictEqual([read["text"], read["outline"], read["endIndex"], read["truncated"]], ["", [], 2, false])
    }))
})

const note = (number: number) =>
  paragraph([run(`${"x".repeat(600)} ${number}`), {
    footnoteReference: { footnoteId: `f${number}`, footnoteNumber: `${number}` }
  }])

describe("A text that is longer than `max_chars`", () => {
  it.effect("ends after the last paragraph that fits, and goes on where it ended", () =>
    Effect.gen(function*() {
      const { provider } = documentFixture(long(60))
      const whole = String((yield* readDoc(provider))["text"])
      const parts: Array<string> = []
      let start: unknown = 0
      do {
        const part = yield* readDoc(provider, { max_chars: 1000, start_index: start })
        parts.push(String(part["text"]))
        start = part["nextStartIndex"]
        assert.strictEqual(part["truncated"], start !== undefined)
        assert.strictEqual(part["endIndex"], whole.length - 59 + 2)
      } while (start !== undefined)
      assert.strictEqual(parts.join("\n\n"), whole)
      assert.isTrue(parts.every((part) => part.length <= 1000))
      assert.isTrue(parts.slice(0, -1).every((part) => part.length + 2 + 94 > 1000), "no part could have held one more")
    }))

  it.effect("keeps one paragraph that is longer by itself", () =>
    Effect.gen(function*() {
      const state = document([paragraph("x".repeat(3000)), paragraph("y")])
      const read = yield* readDoc(documentFixture(state).provider, { max_chars: 1000 })
      assert.deepStrictEqual([String(read["text"]).length, read["truncated"], read["nextStartIndex"]], [
        3000,
        true,
        3002
      ])
    }))

  it.effect("numbers items as in the whole text", () =>
    Effect.gen(function*() {
      const state = document(Array.from({ length: 30 }, (_, at) => item(`item ${at} ${"x".repeat(50)}`, "a")), {
        lists: { a: list("DECIMAL") }
      })
      const { provider } = documentFixture(state)
      const { nextStartIndex } = yield* readDoc(provider, { max_chars: 1000 })
      const { text } = yield* readDoc(provider, { max_chars: 1000, start_index: nextStartIndex })
      assert.match(String(text), /^17\. item 16 /)
    }))

  it.effect("has only the footnotes of its part", () =>
    Effect.gen(function*() {
      const footnotes = { f1: { content: [paragraph("first")] }, f2: { content: [paragraph("second")] } }
      const { provider } = documentFixture(document([note(1), note(2)], { footnotes }))
      const first = yield* readDoc(provider, { max_chars: 1000 })
      const second = yield* readDoc(provider, { max_chars: 1000, start_index: first["nextStartIndex"] })
      assert.deepStrictEqual([first, second].map(({ text }) => /\[\^\d\]: .*/.exec(String(text))?.[0]), [
        "[^1]: first",
        "[^2]: second"
      ])
    }))

  it.effect("says in which tab to go on, and that an index belongs to one tab", () =>
    Effect.gen(function*() {
      const one = tab("t.0", "One", [paragraph("short")])
      const two = tab("t.1", "Two", [paragraph("x".repeat(800)), paragraph("y".repeat(800))])
      const { provider } = documentFixture(tabbed(one, two, tab("t.2", "Three", [paragraph("z")])))
      const read = yield* readDoc(provider, { tab: "*", max_chars: 1000 })
      assert.deepStrictEqual([read["truncated"], read["next_tab"], read["nextStartIndex"]], [true, "t.1", 802])
      assert.strictEqual(
        yield* refusal(readDoc(provider, { tab: "*", start_index: 5 })),
        "start_index: An index belongs to one tab: name it as `tab` to go on in it."
      )
    }))
})

describe("As text", () => {
  it.effect("a document has no markdown", () =>
    Effect.gen(function*() {
      const state = yield* written(
        "# Title\n\n**bold** [link](https://example.com)\n\n1. a\n   - b\n- [ ] c\n\n| x | y |\n| --- | --- |\n| 1 | 2<br>3 |\n\n---\n\n```\n# code\n```"
      )
      const { text } = yield* readDoc(documentFixture(state).provider, { format: "text" })
      assert.strictEqual(text, "Title\nbold link\n1. a\n  - b\n[ ] c\nx\ty\n1\t2 3\n———\n# code")
    }))
})

describe("Recorded documents", () => {
  const texts: ReadonlyArray<readonly [name: string, start: string, end: string]> = [
    ["breaks", "", ""],
    ["empty", "", ""],
    ["footnotes", "Text with a footnote[^1] and an other one[^2]", "[^2]: Footnote 2 description"],
    ["horizontal-rule", "Text followed by horizontal rule\n\n---", "and some other text"],
    [
      "links",
      "[to self](https://docs.google.com/document/d/",
      "[unknown url](https://docs.google.com/document/d/unknown)"
    ],
    [
      "lists",
      "- List **item** 1\n  1. Sublist item 1\n  2. Sublist item 2",
      "  2. Sub list item 2\n  3. Sub list item 3\n- List item 4\n- List item 5"
    ],
    ["special-chars", "19980006564\u202F-\u202F0081", "19980006564\u202F-\u202F0081"],
    ["tables", "| Col 1 | Col 2 | Col 3 |\n| --- | --- | --- |", "| Col 1 line 2 | Col 2 line 2 | Col 3 line 2 |"],
    [
      "texts",
      "# Title level 1\n\n## Title level 2",
      "Text Coloredredgreenblue\n\nText with background colorredgreenblue"
    ]
  ]
  for (const [name, start, end] of texts) {
    it.effect(`are read: ${name}`, (context) =>
      Effect.gen(function*() {
        const recorded = JSON.parse(
          JSON.stringify(fixture(context, `google-docs/gatsby-source-google-docs__${name}.json`))
        )
        const text = String((yield* readDoc(documentFixture(fromResource(recorded)).provider))["text"])
        assert.strictEqual(text.slice(0, start.length), start)
        assert.strictEqual(text.slice(text.length - end.length), end)
      }))
  }

  it.effect("are read: one with a table of contents, chips, suggestions, an image and code", (context) =>
    Effect.gen(function*() {
      const recorded = JSON.parse(JSON.stringify(fixture(context, "google-docs/markkohdev__single-tab.json")))
      const read = yield* readDoc(documentFixture(fromResource(recorded)).provider)
      const text = String(read["text"])
      for (
        const part of [
          "# Markdown Conversion Example - Single Tab\n\n## Document Subtitle\n\nAuthor: [Mark Koh](mailto:person@example.com)\n\nDate: 2026-01-08\n\n**Table of Contents**\n\n# Project Overview",
          "correctly to Markdown's `#` syntax.",
          "![](kix.z7gloano634x)",
          "This text **should be bold**. This text *should be italic*. This text has a blue",
          "| Header 1 | Header 2 | Header 3 |\n| --- | --- | --- |\n| Data A1 | Data B1 | Data C1 |",
          "- [ ] **Project Lead:** [Mark Koh](mailto:person@example.com)\n- [ ] Other person: \uFFFC",
          "```\ndef calculate_markdown_conversion(doc_content):\n    \"\"\"Placeholder for a Python function.\"\"\"\n    if"
        ]
      ) assert.include(text, part)
      assert.isTrue(text.endsWith("        return \"Content converted\"\n```"), "what is only suggested is not there")
      assert.strictEqual(read["pending_suggestions"], 2)
      assert.strictEqual(read["endIndex"], 3042)
      assert.deepStrictEqual(
        objectsOf(read["outline"]).slice(0, 3).map(({ level, style, text: title }) => [level, style, title]),
        [
          [0, "title", "Markdown Conversion Example - Single Tab"],
          [0, "subtitle", "Document Subtitle"],
          [1, undefined, "Project Overview: Markdown Tool Testing (Heading 1)"]
        ]
      )
    }))
})
