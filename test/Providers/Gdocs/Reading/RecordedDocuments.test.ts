import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fromResource } from "../../../Sandbox/Providers/Gdocs/FromResource.ts"
import { fixture } from "../../../support/Fixtures.ts"
import { recordedTraffic } from "../../../support/OutsideFolder.ts"
import { objectsOf } from "../../../support/RunTool.ts"
import { readDoc } from "../DocumentTools.ts"
import { fakeDocument } from "../FakeDocument.ts"

const read = (name: string) =>
  readDoc(fakeDocument(fromResource(JSON.parse(JSON.stringify(fixture(`google-docs/${name}.json`))))).provider)

describe.skipIf(recordedTraffic.isAbsent)(`Recorded documents${recordedTraffic.absence}`, () => {
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
    it.effect(`are read: ${name}`, () =>
      Effect.gen(function*() {
        const text = String((yield* read(`gatsby-source-google-docs__${name}`))["text"])
        assert.strictEqual(text.slice(0, start.length), start)
        assert.strictEqual(text.slice(text.length - end.length), end)
      }))
  }

  it.effect("are read: single-tab, with a table of contents, chips, suggestions, an image and code", () =>
    Effect.gen(function*() {
      const { endIndex, note, outline, pending_suggestions, text } = yield* read("markkohdev__single-tab")
      for (
        const part of [
          "# Markdown Conversion Example - Single Tab\n\n## Document Subtitle\n\nAuthor: [Mark Koh](mailto:person@example.com)\n\nDate: 2026-01-08\n\n**Table of Contents**\n\n# Project Overview",
          "![](kix.z7gloano634x)",
          "This text **should be bold**. This text *should be italic*. This text has a blue",
          "| Header 1 | Header 2 | Header 3 |\n| --- | --- | --- |\n| Data A1 | Data B1 | Data C1 |",
          "- [ ] **Project Lead:** [Mark Koh](mailto:person@example.com)\n- [ ] Other person: \uFFFC",
          "```\ndef calculate_markdown_conversion(doc_content):\n    \"\"\"Placeholder for a Python function.\"\"\"\n    if"
        ]
      ) assert.include(String(text), part)
      assert.isTrue(String(text).endsWith("return \"Content converted\"\n```"), "what is only suggested is not there")
      assert.deepStrictEqual([pending_suggestions, endIndex], [2, 3042])
      assert.include(String(note), ": 1 table of contents, 1 highlighted passage, 4 chips of an unknown kind.")
      assert.deepStrictEqual(
        objectsOf(outline).slice(0, 3).map(({ level, style, text: title }) => [level, style, title]),
        [
          [0, "title", "Markdown Conversion Example - Single Tab"],
          [0, "subtitle", "Document Subtitle"],
          [1, undefined, "Project Overview: Markdown Tool Testing (Heading 1)"]
        ]
      )
    }))
})
