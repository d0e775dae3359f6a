import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { UpstreamError, UpstreamUnreachable } from "../../../../src/Api/Errors/ProviderErrors.ts"
import { batchUpdate } from "../../../../src/Sandbox/Providers/Gdocs/Engine/BatchUpdate.ts"
import type { Document, Paragraph } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import type { Request } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Requests/Request.ts"
import { endOf } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Tree.ts"
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
import { appendDoc, createDoc, insertDoc, readDoc, replaceDoc, written } from "../DocumentTools.ts"
import { fakeDocument } from "../FakeDocument.ts"
import { markdown } from "./ArbitraryMarkdown.ts"

type Act = (provider: ReturnType<typeof fakeDocument>["provider"]) => Effect.Effect<Json, unknown>

const append = (text: string, more: Json = {}): Act => (provider) => appendDoc(provider, { text, ...more })
const create = (text: string): Act => (provider) => createDoc(provider, text)
const insertAt = (input: Json): Act => (provider) => insertDoc(provider, input)

const headed = draft(insert(1, "Title"), named(1, 2, "HEADING_2"))
const listed = draft(insert(1, "item"), bullets(1, 2))
const numbered = draft(insert(1, "one\ntwo"), bullets(1, 8, "NUMBERED_DECIMAL_ALPHA_ROMAN"))
const bolded = draft(insert(1, "loud"), bold(1, 5))
const squared = draft(insert(1, "102"), named(1, 2, "HEADING_2"), {
  updateTextStyle: {
    range: { startIndex: 3, endIndex: 4 },
    textStyle: { baselineOffset: "SUPERSCRIPT" },
    fields: "baselineOffset"
  }
})
const sections = draft(insert(1, "Setup\nold\nNext\nend"), named(1, 2, "HEADING_2"), named(11, 12, "HEADING_2"))
const tabbed = draft(insert(1, "first"), { addDocumentTab: { tabProperties: { title: "Second" } } })
const secondTab = tabbed.tabs[1]?.tabId ?? ""
const child = after(tabbed, { addDocumentTab: { tabProperties: { title: "Child", parentTabId: secondTab } } })

/** A paragraph starts with its named style if it is not plain, and a `*` per list level. Bold is in `**`. */
const cases: ReadonlyArray<readonly [behaviour: string, start: Document, act: Act, paragraphs: string]> = [
  ["text appended after a heading is plain", headed, append("Text."), "HEADING_2 Title\nText."],
  ["the previous item keeps its bullet", listed, append("# Heading\n\nText."), "* item\nHEADING_1 Heading\nText."],
  ["text appended after bold text is not bold", bolded, append("quiet"), "**loud**\nquiet"],
  [
    "no blank paragraphs are added between blocks",
    blank,
    create("# A\n\ntext\n\n- item\n\ntext"),
    "HEADING_1 A\ntext\n* item\ntext"
  ],
  ...["102", "10^(2)", "10<sup>2</sup>"].map((heading) =>
    [`a heading is found as ${heading}`, squared, insertAt({ heading, text: "a" }), "HEADING_2 102\na"] as const
  ),
  [
    "the paragraph after a table below a heading is plain",
    headed,
    insertAt({ heading: "Title", text: "| a |\n| --- |" }),
    "HEADING_2 Title\n\n**a**\n"
  ],
  [
    "text goes to the named tab",
    tabbed,
    append("- item\n\n| a |\n| --- |", { tab: "Second" }),
    "first\n* item\n**a**\n"
  ],
  ["a child tab is found by its title", child, append("deep", { tab: "Child" }), "first\n\ndeep"],
  [
    "a replacement in one tab leaves the others unchanged",
    after(child, { insertText: { location: { index: 1, tabId: secondTab }, text: "first" } }),
    (provider) => replaceDoc(provider, { find: "first", replace: "1st", tab: "Second" }),
    "first\n1st\n"
  ]
]

describe("Writing a document: edge cases", () => {
  it.effect.each(cases)("%s", ([, start, act, paragraphs]) =>
    Effect.gen(function*() {
      const { provider, state } = fakeDocument(start)
      yield* act(provider)
      assert.strictEqual(outline(state()).join("\n"), paragraphs)
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
})

describe("Concurrent edits of a document", () => {
  const concurrentEdit: Request = insert(1, "Somebody else's. ")
  const editedBefore = (times: number) => (state: Document, write: number) =>
    write <= times ? after(state, concurrentEdit) : state

  it.effect("an append is retried once for the changed document", () =>
    Effect.gen(function*() {
      const { calls, provider, state } = fakeDocument(headed, editedBefore(1))
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

  it.effect("a second conflict is the provider's error, and nothing is written", () =>
    Effect.gen(function*() {
      const { calls, provider, state } = fakeDocument(headed, editedBefore(2))
      const error = yield* Effect.flip(appendDoc(provider, { text: "Text." }))
      assert.instanceOf(error, UpstreamError)
      assert.strictEqual(error.status, 400)
      assert.include(error.message, "does not match the latest revision")
      assert.strictEqual(calls.length, 4)
      assert.deepStrictEqual(outline(state()), ["HEADING_2 Somebody else's. Somebody else's. Title"])
    }))

  it.effect("a write that may have succeeded is never repeated", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeDocument(headed, () => new UpstreamError({ status: 503, message: "Unavailable" }))
      yield* Effect.flip(appendDoc(provider, { text: "Text." }))
      assert.strictEqual(calls.length, 2)
    }))
})

describe("docs_create", () => {
  it.effect("creates the document, then writes its text for that revision", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeDocument()
      const created = yield* createDoc(provider, "# Hello\n\nworld")
      const read = yield* readDoc(provider)
      assert.deepStrictEqual(created, {
        documentId: "doc",
        url: "https://docs.google.com/document/d/doc/edit",
        title: "Draft",
        revisionId: read["revisionId"],
        endIndex: 13
      })
      const [create, write] = calls
      assert.deepStrictEqual(create, { endpoint: "documents.create", input: { body: { title: "Draft" } } })
      assert.strictEqual(write?.endpoint, "documents.batchUpdate")
      assert.match(JSON.stringify(write?.input.body), /"writeControl":\{"requiredRevisionId":"ALm37B/)
    }))

  for (const text of ["", "<!-- nothing -->", "  \n"]) {
    it.effect(`creates a blank document for ${JSON.stringify(text)}`, () =>
      Effect.gen(function*() {
        const { calls, provider } = fakeDocument()
        const created = yield* createDoc(provider, text)
        assert.deepStrictEqual([created["endIndex"], calls.length], [2, 1])
        assert.isString(created["revisionId"])
      }))
  }

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

  it.effect("when the text of a new document cannot be sent, the error says so", () =>
    Effect.gen(function*() {
      const { provider } = fakeDocument(blank, () => new UpstreamUnreachable({ message: "No route.", wasSent: false }))
      const error = yield* Effect.flip(createDoc(provider, "text"))
      assert.include(error.message, "No route. The document was created")
      assert.deepInclude(error, { _tag: "UpstreamUnreachable", wasSent: false })
    }))

  it.effect("the error that other callers get does not name the document", () =>
    Effect.gen(function*() {
      const shared = new UpstreamUnreachable({ message: "No route.", wasSent: false })
      const error = yield* Effect.flip(createDoc(fakeDocument(blank, () => shared).provider, "text"))
      assert.include(error.message, "No route. The document was created")
      assert.strictEqual(shared.message, "No route.")
    }))
})

const fraction = fc.double({ min: 0, max: 1, noNaN: true })

/** The place as a fraction of the document, and the kind. */
const edit = fc.tuple(
  fraction,
  fc.constantFrom("center", "bold", "bullet", "number", "heading", "rtl", "code", "blank")
)

const bodyEnd = (state: Document): number => endOf(state.tabs[0]?.body ?? [])

const indexAt = (state: Document, at: number): number => 1 + Math.floor(at * (bodyEnd(state) - 2))

const editRequest = (state: Document, [at, what]: readonly [number, string]): Request => {
  const index = indexAt(state, at)
  const range = { startIndex: index, endIndex: index + 1 }
  const paragraphStyle = (field: string, value: string): Request => ({
    updateParagraphStyle: { range, paragraphStyle: { [field]: value }, fields: field }
  })
  const weightedFontFamily = { fontFamily: "Roboto Mono", weight: 400 }
  const requests: Readonly<Record<string, Request>> = {
    bold: { updateTextStyle: { range, textStyle: { bold: true }, fields: "bold" } },
    code: { updateTextStyle: { range, textStyle: { weightedFontFamily }, fields: "weightedFontFamily" } },
    bullet: { createParagraphBullets: { range, bulletPreset: "BULLET_STAR_CIRCLE_SQUARE" } },
    number: { createParagraphBullets: { range, bulletPreset: "NUMBERED_DECIMAL_ALPHA_ROMAN" } },
    blank: { insertText: { location: { index }, text: "\n\n" } },
    center: paragraphStyle("alignment", "CENTER"),
    rtl: paragraphStyle("direction", "RIGHT_TO_LEFT"),
    heading: paragraphStyle("namedStyleType", "HEADING_2")
  }
  return requests[what] ?? assert.fail(what)
}

const applyEdits = (state: Document, edits: ReadonlyArray<readonly [number, string]>): Document =>
  edits.reduce((before, each) =>
    Result.match(batchUpdate(before, { requests: [editRequest(before, each)] }), {
      onSuccess: ([after]) => after,
      onFailure: () => before
    }), state)

const visible = ({ bullet, inlines, style }: Paragraph): string =>
  JSON.stringify({
    bullet,
    style,
    inlines: inlines.map((inline) => "text" in inline ? { ...inline, text: inline.text.replace("\n", "") } : inline)
      .filter((inline) => !("text" in inline) || inline.text !== "")
  })

const equalAtStart = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): number => {
  const at = one.findIndex((each, position) => each !== other[position])
  return at === -1 ? one.length : at
}

/** The number of paragraphs that were changed, between those in front of the written text and those behind it. */
const lostIn = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): number =>
  before.length - equalAtStart(before, after) - equalAtStart(before.toReversed(), after.toReversed())

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect.pipe(Effect.provide(TestClock.layer())))

const document = fc.tuple(markdown, fc.array(edit, { maxLength: 4 }))

/** Inserts a text into a document, and counts the paragraphs that were lost. */
const write = Effect.fnUntraced(function*(
  [base, edits]: readonly [string, ReadonlyArray<readonly [number, string]>],
  inputOf: (start: Document) => Json,
  check: (lost: number) => void
) {
  const start = applyEdits(yield* written(base), edits)
  const { provider, state } = fakeDocument(start)
  const answer = yield* Effect.option(insertDoc(provider, inputOf(start)))
  if (answer._tag === "None") return assert.strictEqual(state(), start)
  check(lostIn(paragraphsOf(start).map(visible), paragraphsOf(state()).map(visible)))
  assert.strictEqual(answer.value["endIndex"], bodyEnd(state()))
})

const runs = { numRuns: 40, seed: 20_261_006 }

describe("Writing keeps the text, style and bullet of every other paragraph", () => {
  it("when text is inserted at an index, but for one paragraph that may be filled or gone on with", () =>
    fc.assert(
      fc.asyncProperty(document, markdown, fraction, (base, text, at) =>
        run(write(base, (start) => ({ text, index: indexAt(start, at) }), (lost) =>
          assert.isAtMost(lost, 1)))),
      runs
    ))

  it("when text is inserted at a heading", () =>
    fc.assert(
      fc.asyncProperty(
        document,
        markdown,
        fc.constantFrom("below_heading", "section_end"),
        ([base, edits], text, placement) =>
          run(write(
            [`# Before\n\nHere.\n\n## The place\n\n${base}`, edits],
            () => ({ text, heading: "The place", occurrence: 1, placement }),
            (lost) => assert.isAtMost(lost, placement === "section_end" ? 1 : 0)
          ))
      ),
      runs
    ))
})
