import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { validator } from "../../../../src/Domain/Validation/Validation.ts"
import { docsInsert } from "../../../../src/Providers/Gdocs/Tools/Insert.ts"
import { bold, draft, insert, outline, table } from "../../../Sandbox/Providers/Gdocs/Engine/DocumentFixture.ts"
import { insertDoc, readDoc, refusal } from "../DocumentTools.ts"
import { cell, document, heading, paragraph, run, tab, tabbed, table as tableOf } from "../Elements.ts"
import { fakeDocument } from "../FakeDocument.ts"

const guide = document([
  paragraph("Guide", { style: { namedStyleType: "TITLE", headingId: "h.0" } }),
  heading(1, "Linux", "h.1"),
  heading(2, "Setup", "h.2"),
  paragraph("apt"),
  heading(1, "macOS", "h.3"),
  heading(2, "Setup", "h.4"),
  tableOf([cell("brew")]),
  paragraph("done"),
  heading(1, "End", "h.5")
])

type Input = Parameters<typeof insertDoc>[1]

const inserted = Effect.fnUntraced(function*(input: Input, state = guide) {
  const { provider } = fakeDocument(state)
  const answer = yield* insertDoc(provider, { text: "new", ...input })
  return { answer, text: String((yield* readDoc(provider))["text"]) }
})

const refused = (input: Input, state = guide) => {
  const { calls, provider } = fakeDocument(state)
  return refusal(insertDoc(provider, { text: "new", ...input })).pipe(
    Effect.tap(() =>
      Effect.sync(() => assert.isFalse(calls.some(({ endpoint }) => endpoint === "documents.batchUpdate")))
    )
  )
}

describe("docs_insert at a heading", () => {
  it.effect("returns where the text is and its heading", () =>
    Effect.gen(function*() {
      const { answer } = yield* inserted({ heading: "Linux", text: "one\n\ntwo" })
      const { revisionId, ...rest } = answer
      assert.isString(revisionId)
      assert.deepStrictEqual(rest, {
        documentId: "doc",
        tab: "t.0",
        startIndex: 13,
        endIndex: 61,
        chars: 7,
        heading: { text: "Linux", level: 1, start: 7 }
      })
    }))

  it.effect.each<readonly [what: string, input: Input, around: string]>([
    ["in any case and spacing", { heading: "  lINUX " }, "# Linux\n\nnew\n\n## Setup"],
    ["by its id", { heading: "h.4" }, "# macOS\n\n## Setup\n\nnew\n\n| brew |"],
    ["by the end of its address", { heading: "#heading=h.1" }, "# Linux\n\nnew"],
    ["before a table", { heading: "Setup", occurrence: 2 }, "## Setup\n\nnew\n\n| brew |"],
    ["the title", { heading: "Guide" }, "# Guide\n\nnew\n\n# Linux"],
    ["the last one", { heading: "End" }, "# End\n\nnew"],
    ["at the end of a section", { heading: "Linux", placement: "section_end" }, "apt\n\nnew\n\n# macOS"],
    ["at the end of the title's section", { heading: "Guide", placement: "section_end" }, "# End\n\nnew"]
  ])("finds %s", ([, input, around]) =>
    Effect.gen(function*() {
      assert.include((yield* inserted(input)).text, around)
    }))

  it.effect("finds one with a break inside, as docs_read lists it", () =>
    Effect.gen(function*() {
      const style = { namedStyleType: "HEADING_1" }
      const state = document([paragraph([run("one"), { columnBreak: {} }, run("two")], { style })])
      const { outline } = yield* readDoc(fakeDocument(state).provider)
      assert.strictEqual(Object(outline)[0].text, "one two")
      assert.include((yield* inserted({ heading: "one two" }, state)).text, "# one<br>two\n\nnew")
    }))

  const setups = "1: \"Setup\" (level 2, at 13) under \"Linux\"; 2: \"Setup\" (level 2, at 29) under \"macOS\""
  it.effect.each<readonly [what: string, input: Input, message: string]>([
    [
      "one that is there twice",
      { heading: "Setup" },
      `heading: 2 headings match "Setup"; choose one with \`occurrence\`: ${setups}`
    ],
    [
      "one that is not there",
      { heading: "Setp" },
      "heading: There is no heading \"Setp\". The nearest are: \"Setup\" (level 2, at 13); \"Setup\" (level 2, at 29); " +
      "\"End\" (level 1, at 49) and 3 more"
    ]
  ])("refuses %s, with the candidates", ([, input, message]) =>
    Effect.gen(function*() {
      assert.strictEqual((yield* refused(input)).slice(0, message.length), message)
    }))

  it.effect("names the other tab that has the heading", () =>
    Effect.gen(function*() {
      const two = tabbed(tab("t.0", "Main", [paragraph("x")]), tab("t.1", "Other", [heading(1, "Here", "h.1")]))
      assert.strictEqual(
        yield* refused({ heading: "Here" }, two),
        "heading: There is no heading \"Here\": the tab has no headings. The tab \"Other\" (t.1) has it."
      )
      assert.strictEqual((yield* inserted({ heading: "Here", tab: "Other" }, two)).answer["tab"], "t.1")
    }))

  it.effect("warns when the new heading takes over the section", () =>
    Effect.gen(function*() {
      const warnings = yield* Effect.forEach([
        { heading: "macOS", text: "# New" },
        { heading: "macOS", text: "## New" },
        { heading: "macOS", text: "# New", placement: "section_end" },
        { heading: "Guide", text: "# New" }
      ], (input) => Effect.map(inserted(input), ({ answer }) => answer["warning"]))
      assert.deepStrictEqual(warnings, [
        "The text begins with a heading of level 1, so what was below \"macOS\" now stands below that one. With `placement` " +
        "\"section_end\" it goes after the section.",
        undefined,
        undefined,
        undefined
      ])
    }))

  it.effect("writes nothing when the document has another revision", () =>
    Effect.gen(function*() {
      const { provider, state } = fakeDocument(guide)
      const { revisionId } = yield* readDoc(provider)
      assert.strictEqual(
        yield* refusal(insertDoc(provider, { heading: "Linux", text: "new", expect_revision: "other" })),
        `expect_revision: The document has changed since: its revision is ${String(revisionId)}. Read it again.`
      )
      assert.strictEqual(state(), guide)
      yield* insertDoc(provider, { heading: "Linux", text: "new", expect_revision: revisionId })
    }))
})

const issue = (field: string) =>
  Result.fail([{ path: ["input", field], message: "Expected exactly one of \"heading\", \"index\"" }])

describe("docs_insert at an index", () => {
  const two = draft(insert(1, "One two\nThree 🚀 x"), bold(5, 8))

  it.effect.each<readonly [what: string, input: Input, paragraphs: ReadonlyArray<string>]>([
    ["before a paragraph at its start", { index: 9, text: "## New" }, ["One **two**", "HEADING_2 New", "Three 🚀 x"]],
    ["into a sentence, in its style", { index: 7, text: "XX" }, ["One **twXXo**", "Three 🚀 x"]],
    ["into a sentence, with the spaces around", { index: 4, text: " and a half" }, [
      "One and a half **two**",
      "Three 🚀 x"
    ]],
    ["after a paragraph, where it is paragraphs of its own", { index: 8, text: "- a\n- b" }, [
      "One **two**",
      "* a",
      "* b",
      "Three 🚀 x"
    ]]
  ])("inserts %s", ([, input, paragraphs]) =>
    Effect.gen(function*() {
      const { provider, state } = fakeDocument(two)
      yield* insertDoc(provider, input)
      assert.deepStrictEqual(outline(state()), paragraphs)
    }))

  it.effect("fills an empty paragraph and an empty cell", () =>
    Effect.gen(function*() {
      const { provider, state } = fakeDocument(draft(insert(1, "a\n\nb"), table(1, 1, 1)))
      yield* insertDoc(provider, { index: 5, text: "**cell**" })
      yield* insertDoc(provider, { index: 13, text: "between" })
      assert.deepStrictEqual(outline(state()), ["", "**cell**", "a", "between", "b"])
    }))

  const tabled = document([
    paragraph("a"),
    tableOf([cell("b")]),
    { tableOfContents: { content: [paragraph("c")] } },
    paragraph("d")
  ])
  it.effect.each<readonly [what: string, index: number, message: string, state?: typeof two, text?: string]>([
    ["behind the end", 20, "The index must be between 1 and 19, the end of the tab's text."],
    [
      "inside an emoji",
      16,
      "Index 16 is in the middle of a character, such as an emoji. The indexes around it are 15 and 17."
    ],
    [
      "in a sentence with a list",
      4,
      "Index 4 is in the middle of a paragraph, which reaches from 1 to 8: only text without paragraphs of its own " +
      "can go there, anything else before it or after it, at one of these two.",
      two,
      "- a"
    ],
    [
      "between table cells",
      4,
      "Index 4 is not inside a paragraph. The nearest reach from 1 to 2 and from 6 to 7.",
      tabled
    ]
  ])("refuses an index %s", ([, index, message, state = two, text = "new"]) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* refused({ index, text }, state), `index: ${message}`)
    }))

  it("takes exactly one of `heading` and `index`", () => {
    const decode = validator(docsInsert.input, ["input"])
    const input = { document: "doc", text: "x" }
    assert.deepStrictEqual(decode(input), issue("heading"))
    assert.deepStrictEqual(decode({ ...input, heading: "" }), issue("heading"))
    assert.deepStrictEqual(decode({ ...input, heading: "a", index: 1 }), issue("index"))
    assert.isTrue(Result.isSuccess(decode({ ...input, heading: "", index: 1 })))
  })
})
