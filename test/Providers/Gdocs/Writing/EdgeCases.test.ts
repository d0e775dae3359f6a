import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { UpstreamError } from "../../../../src/Api/Errors.ts"
import type { Document } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import type { Request } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Requests/Request.ts"
import {
  after,
  blank,
  bold,
  bullets,
  draft,
  insert,
  named,
  outline,
  paragraphsOf
} from "../../../Sandbox/Providers/Gdocs/Engine/DocumentFixture.ts"
import type { Json } from "../../../support/RunTool.ts"
import { documentFixture } from "../DocumentFixture.ts"
import { appendDoc, createDoc, insertDoc, readDoc, replaceDoc } from "../DocumentTools.ts"

/** What other tools are known to get wrong when they write to a document. */
interface Trap {
  readonly trap: string
  readonly start?: Document
  readonly act: (provider: ReturnType<typeof documentFixture>["provider"]) => Effect.Effect<Json, unknown>
  /** Paragraphs: style where it is not plain, `*` a level of lists, bold in `**`. */
  readonly paragraphs: ReadonlyArray<string>
}

const headed = draft(insert(1, "Title"), named(1, 2, "HEADING_2"))
const listed = draft(insert(1, "item"), bullets(1, 2))
const numbered = draft(insert(1, "one\ntwo"), bullets(1, 8, "NUMBERED_DECIMAL_ALPHA_ROMAN"))
const bolded = draft(insert(1, "loud"), bold(1, 5))
const sections = draft(insert(1, "Setup\nold\nNext\nend"), named(1, 2, "HEADING_2"), named(11, 12, "HEADING_2"))
const tabbed = draft(insert(1, "first"), { addDocumentTab: { tabProperties: { title: "Second" } } })
const secondTab = tabbed.tabs[1]?.tabId ?? ""
const child = after(tabbed, { addDocumentTab: { tabProperties: { title: "Child", parentTabId: secondTab } } })

const traps: ReadonlyArray<Trap> = [
  {
    trap: "everything appended becomes a heading",
    start: headed,
    act: (provider) => appendDoc(provider, { text: "Text." }),
    paragraphs: ["HEADING_2 Title", "Text."]
  },
  {
    trap: "everything appended is stuck in bullets",
    start: listed,
    act: (provider) => appendDoc(provider, { text: "Text." }),
    paragraphs: ["* item", "Text."]
  },
  {
    trap: "clearing bullets takes the previous item's",
    start: listed,
    act: (provider) => appendDoc(provider, { text: "# Heading\n\nText." }),
    paragraphs: ["* item", "HEADING_1 Heading", "Text."]
  },
  {
    trap: "a heading inherits the bullet of the list below it",
    act: (provider) => createDoc(provider, "# Heading\n\n- item"),
    paragraphs: ["HEADING_1 Heading", "* item"]
  },
  {
    trap: "everything appended is bold",
    start: bolded,
    act: (provider) => appendDoc(provider, { text: "quiet" }),
    paragraphs: ["**loud**", "quiet"]
  },
  {
    trap: "a heading's style takes bold away from its words",
    act: (provider) => createDoc(provider, "# One **two**"),
    paragraphs: ["HEADING_1 One **two**"]
  },
  {
    trap: "appended text glued to the last paragraph",
    start: draft(insert(1, "end")),
    act: (provider) => appendDoc(provider, { text: "new", format: "plain" }),
    paragraphs: ["end", "new"]
  },
  {
    trap: "an empty paragraph at the end left behind",
    act: (provider) => appendDoc(provider, { text: "new" }),
    paragraphs: ["new"]
  },
  {
    trap: "emoji shift every later style",
    act: (provider) => createDoc(provider, "🚀 👨‍👩‍👧 **bold** text"),
    paragraphs: ["🚀 👨‍👩‍👧 **bold** text"]
  },
  {
    trap: "carriage returns and icon glyphs shift every later style",
    act: (provider) => createDoc(provider, "a\r\n\r\n\uE000b **bold** c"),
    paragraphs: ["a", "b **bold** c"]
  },
  {
    trap: "nested lists flattened",
    act: (provider) => createDoc(provider, "- a\n  - b\n    - c\n- d"),
    paragraphs: ["* a", "** b", "*** c", "* d"]
  },
  {
    trap: "blank paragraphs put between blocks",
    act: (provider) => createDoc(provider, "# A\n\ntext\n\n- item\n\ntext"),
    paragraphs: ["HEADING_1 A", "text", "* item", "text"]
  },
  {
    trap: "the second table inside the first",
    act: (provider) => createDoc(provider, "| a | b |\n| --- | --- |\n| c | d |\n\n| e |\n| --- |\n| f |"),
    paragraphs: ["", "**a**", "**b**", "c", "d", "", "**e**", "f", ""]
  },
  {
    trap: "cells filled one off",
    act: (provider) => createDoc(provider, "x\n\n| a | b | c |\n| --- | --- | --- |\n| | 🚀 | |\n| g | | i |\n\ny"),
    paragraphs: ["x", "**a**", "**b**", "**c**", "", "🚀", "", "g", "", "i", "y"]
  },
  {
    trap: "what follows a table's heading becomes a heading",
    start: headed,
    act: (provider) => insertDoc(provider, { heading: "Title", text: "| a |\n| --- |" }),
    paragraphs: ["HEADING_2 Title", "", "**a**", ""]
  },
  {
    trap: "a write without its tab goes to the first one",
    start: tabbed,
    act: (provider) => appendDoc(provider, { text: "- item\n\n| a |\n| --- |", tab: "Second" }),
    paragraphs: ["first", "* item", "**a**", ""]
  },
  {
    trap: "child tabs are not found",
    start: child,
    act: (provider) => appendDoc(provider, { text: "deep", tab: "Child" }),
    paragraphs: ["first", "", "deep"]
  },
  {
    trap: "a replacement in one tab changes all of them",
    start: after(child, { insertText: { location: { index: 1, tabId: secondTab }, text: "first" } }),
    act: (provider) => replaceDoc(provider, { find: "first", replace: "1st", tab: "Second" }),
    paragraphs: ["first", "1st", ""]
  },
  {
    trap: "text below a heading lands below its section",
    start: sections,
    act: (provider) => insertDoc(provider, { heading: "Setup", text: "new" }),
    paragraphs: ["HEADING_2 Setup", "new", "old", "HEADING_2 Next", "end"]
  },
  {
    trap: "text at a section's end steals the next heading",
    start: sections,
    act: (provider) => insertDoc(provider, { heading: "Setup", text: "- new", placement: "section_end" }),
    paragraphs: ["HEADING_2 Setup", "old", "* new", "HEADING_2 Next", "end"]
  },
  {
    trap: "text in a sentence takes the sentence apart",
    start: draft(insert(1, "one three")),
    act: (provider) => insertDoc(provider, { index: 4, text: " **two**" }),
    paragraphs: ["one **two** three"]
  }
]

describe("What other tools get wrong in writing a document", () => {
  for (const { act, paragraphs, start = blank, trap } of traps) {
    it.effect(trap, () =>
      Effect.gen(function*() {
        const { provider, state } = documentFixture(start)
        yield* act(provider)
        assert.deepStrictEqual(outline(state()), paragraphs)
      }))
  }

  it.effect("restarted numbering: items after a paragraph, code, a table and a nested list are of one list", () =>
    Effect.gen(function*() {
      const { provider, state } = documentFixture()
      yield* createDoc(
        provider,
        "1. a\n\n   more\n\n   ```\n   x\n   ```\n2. b\n   - nested\n3. c\n\nbetween\n\n| t |\n| --- |\n\n4. d"
      )
      const ofList = paragraphsOf(state()).flatMap(({ bullet, inlines }) =>
        bullet?.nestingLevel === 0
          ? [[bullet.listId, inlines.map((inline) => "text" in inline ? inline.text : "").join("").trim()]]
          : []
      )
      assert.deepStrictEqual(ofList.map(([, text]) => text), ["a", "b", "c", "d"])
      assert.strictEqual(new Set(ofList.map(([listId]) => listId)).size, 1)
    }))

  it.effect("restarted numbering: a list that begins with the next number goes on, one that begins with 1 does not", () =>
    Effect.gen(function*() {
      const texts: Array<unknown> = []
      for (const text of ["3. three", "1. one"]) {
        const { provider } = documentFixture(numbered)
        yield* appendDoc(provider, { text })
        texts.push((yield* readDoc(provider))["text"])
      }
      assert.deepStrictEqual(texts, ["1. one\n2. two\n3. three", "1. one\n2. two\n\n1) one"])
    }))

  it.effect("indexes of another view: reads before writes ask for suggestions in the text", () =>
    Effect.gen(function*() {
      const { calls, provider } = documentFixture(sections)
      yield* appendDoc(provider, { text: "a" })
      yield* insertDoc(provider, { heading: "Setup", text: "b" })
      const views = calls.filter(({ endpoint }) => endpoint === "documents.get").map(({ input }) =>
        input.query?.["suggestionsViewMode"]
      )
      assert.deepStrictEqual(views, ["SUGGESTIONS_INLINE", "SUGGESTIONS_INLINE"])
    }))

  it.effect("an orphan of a failed second step: the error names the document, with the provider's status and body", () =>
    Effect.gen(function*() {
      const details = { error: { code: 429, message: "Quota exceeded" } }
      const { provider } = documentFixture(
        blank,
        () => new UpstreamError({ status: 429, message: "Quota exceeded.", details, retryAfter: "3" })
      )
      const error = yield* Effect.flip(createDoc(provider, "text"))
      assert.instanceOf(error, UpstreamError)
      assert.strictEqual(error.status, 429)
      assert.deepStrictEqual(error.details, details)
      assert.strictEqual(error.retryAfter, "3")
      assert.strictEqual(
        error.message,
        "Quota exceeded. The document was created, but its text was not written: doc, https://docs.google.com/document/d/doc/edit"
      )
    }))
})

describe("Somebody else writes to the document at the same time", () => {
  const shout: Request = insert(1, "Somebody else's. ")
  const interfering = (times: number) => (state: Document, write: number) =>
    write <= times ? after(state, shout) : state

  it.effect("an append is worked out anew, once, for the document as it is then", () =>
    Effect.gen(function*() {
      const { calls, provider, state } = documentFixture(headed, interfering(1))
      const answer = yield* appendDoc(provider, { text: "Text." })
      assert.deepStrictEqual(outline(state()), ["HEADING_2 Somebody else's. Title", "Text."])
      assert.deepStrictEqual(calls.map(({ endpoint }) => endpoint), [
        "documents.get",
        "documents.batchUpdate",
        "documents.get",
        "documents.batchUpdate"
      ])
      assert.strictEqual(answer["startIndex"], 24)
    }))

  it.effect("a text for a new document is worked out anew", () =>
    Effect.gen(function*() {
      const { provider, state } = documentFixture(blank, interfering(1))
      yield* createDoc(provider, "# Title")
      assert.deepStrictEqual(outline(state()), ["Somebody else's. ", "HEADING_1 Title"])
    }))

  it.effect("a second time is the provider's error, and nothing is written", () =>
    Effect.gen(function*() {
      const { calls, provider, state } = documentFixture(headed, interfering(2))
      const error = yield* Effect.flip(appendDoc(provider, { text: "Text." }))
      assert.instanceOf(error, UpstreamError)
      assert.strictEqual(error.status, 400)
      assert.include(error.message, "does not match the latest revision")
      assert.strictEqual(calls.length, 4)
      assert.deepStrictEqual(outline(state()), ["HEADING_2 Somebody else's. Somebody else's. Title"])
    }))

  it.effect("a write that may have been carried out is never repeated", () =>
    Effect.gen(function*() {
      const { calls, provider } = documentFixture(headed, () =>
        new UpstreamError({ status: 503, message: "Unavailable" }))
      yield* Effect.flip(appendDoc(provider, { text: "Text." }))
      assert.strictEqual(calls.length, 2)
    }))
})
