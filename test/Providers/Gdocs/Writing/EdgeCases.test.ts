import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { UpstreamError } from "../../../../src/Api/Errors.ts"
import type { Document } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
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
import { appendDoc, createDoc, insertDoc, readDoc, replaceDoc } from "../DocumentTools.ts"
import { fakeDocument } from "../FakeDocument.ts"

interface Case {
  readonly behaviour: string
  readonly start?: Document
  readonly act: (provider: ReturnType<typeof fakeDocument>["provider"]) => Effect.Effect<Json, unknown>
  /** Starts with the named style if not plain, and a `*` per list level. Bold is in `**`. */
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

const cases: ReadonlyArray<Case> = [
  {
    behaviour: "text appended after a heading is plain",
    start: headed,
    act: (provider) => appendDoc(provider, { text: "Text." }),
    paragraphs: ["HEADING_2 Title", "Text."]
  },
  {
    behaviour: "the previous item keeps its bullet",
    start: listed,
    act: (provider) => appendDoc(provider, { text: "# Heading\n\nText." }),
    paragraphs: ["* item", "HEADING_1 Heading", "Text."]
  },
  {
    behaviour: "a heading above a list has no bullet",
    act: (provider) => createDoc(provider, "# Heading\n\n- item"),
    paragraphs: ["HEADING_1 Heading", "* item"]
  },
  {
    behaviour: "text appended after bold text is not bold",
    start: bolded,
    act: (provider) => appendDoc(provider, { text: "quiet" }),
    paragraphs: ["**loud**", "quiet"]
  },
  {
    behaviour: "styles after carriage returns and private use characters are in the right place",
    act: (provider) => createDoc(provider, "a\r\n\r\n\uE000b **bold** c"),
    paragraphs: ["a", "b **bold** c"]
  },
  {
    behaviour: "no blank paragraphs are added between blocks",
    act: (provider) => createDoc(provider, "# A\n\ntext\n\n- item\n\ntext"),
    paragraphs: ["HEADING_1 A", "text", "* item", "text"]
  },
  {
    behaviour: "the paragraph after a table below a heading is plain",
    start: headed,
    act: (provider) => insertDoc(provider, { heading: "Title", text: "| a |\n| --- |" }),
    paragraphs: ["HEADING_2 Title", "", "**a**", ""]
  },
  {
    behaviour: "text goes to the named tab",
    start: tabbed,
    act: (provider) => appendDoc(provider, { text: "- item\n\n| a |\n| --- |", tab: "Second" }),
    paragraphs: ["first", "* item", "**a**", ""]
  },
  {
    behaviour: "a child tab is found by its title",
    start: child,
    act: (provider) => appendDoc(provider, { text: "deep", tab: "Child" }),
    paragraphs: ["first", "", "deep"]
  },
  {
    behaviour: "a replacement in one tab leaves the others unchanged",
    start: after(child, { insertText: { location: { index: 1, tabId: secondTab }, text: "first" } }),
    act: (provider) => replaceDoc(provider, { find: "first", replace: "1st", tab: "Second" }),
    paragraphs: ["first", "1st", ""]
  },
  {
    behaviour: "text in a sentence stays in the sentence",
    start: draft(insert(1, "one three")),
    act: (provider) => insertDoc(provider, { index: 4, text: " **two**" }),
    paragraphs: ["one **two** three"]
  }
]

describe("Writing a document: edge cases", () => {
  for (const { act, paragraphs, start = blank, behaviour } of cases) {
    it.effect(behaviour, () =>
      Effect.gen(function*() {
        const { provider, state } = fakeDocument(start)
        yield* act(provider)
        assert.deepStrictEqual(outline(state()), paragraphs)
      }))
  }

  it.effect("numbers continue after a paragraph, code, a table and a nested list", () =>
    Effect.gen(function*() {
      const { provider, state } = fakeDocument()
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

  it.effect("a list that starts with the next number continues the list above, one that starts with 1 does not", () =>
    Effect.gen(function*() {
      const texts: Array<unknown> = []
      for (const text of ["3. three", "1. one"]) {
        const { provider } = fakeDocument(numbered)
        yield* appendDoc(provider, { text })
        texts.push((yield* readDoc(provider))["text"])
      }
      assert.deepStrictEqual(texts, ["1. one\n2. two\n3. three", "1. one\n2. two\n\n1) one"])
    }))

  it.effect("indexes count suggested text", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeDocument(sections)
      yield* appendDoc(provider, { text: "a" })
      yield* insertDoc(provider, { heading: "Setup", text: "b" })
      const views = calls.filter(({ endpoint }) => endpoint === "documents.get").map(({ input }) =>
        input.query?.["suggestionsViewMode"]
      )
      assert.deepStrictEqual(views, ["SUGGESTIONS_INLINE", "SUGGESTIONS_INLINE"])
    }))

  it.effect("when the text of a new document is refused, the error names the document", () =>
    Effect.gen(function*() {
      const details = { error: { code: 429, message: "Quota exceeded" } }
      const { provider } = fakeDocument(
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
