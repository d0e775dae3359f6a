import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option, Predicate } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { fakeProviders } from "../../../src/Registrations.ts"
import { SandboxStore } from "../../../src/Sandbox/Data/SandboxStore.ts"
import { documentResource } from "../../../src/Sandbox/Providers/Gdocs/Engine/Resource.ts"
import { planDocument, planId } from "../../../src/Sandbox/Providers/Gdocs/Plan.ts"
import { Sandbox } from "../../../src/Sandbox/Sandbox.ts"
import { setTime } from "../../Sandbox/SandboxFixture.ts"
import type { Call } from "../../Service/EveryOperation.ts"
import { at } from "../../Service/SandboxServer.ts"
import { TestDataDir, TestServer } from "../../support/TestServer.ts"
import { errorOf, undoing } from "./UndoFixture.ts"

/** Set for a longer run: the sequences of writes that are undone. */
const { UNDO_SEQUENCES } = process.env
const sequences = Number(UNDO_SEQUENCES ?? 1)
const longest = UNDO_SEQUENCES === undefined ? 8 : 50

const sandbox = Layer.merge(Sandbox.originsLayer, Sandbox.applicationsLayer).pipe(
  Layer.provideMerge(Sandbox.layer(fakeProviders)),
  Layer.provideMerge(SandboxStore.layerMemory)
)
const world = TestServer.on({ origins: sandbox }).pipe(
  Layer.provideMerge(Layer.effectDiscard(setTime("2026-03-18T17:00:00Z"))),
  Layer.provide(Layer.fresh(TestDataDir.layer))
)

const tool = (name: string, input: object): Call => ({
  provider: "gdocs",
  tool: name,
  input: { document: planId, ...input }
})
const edit = (...requests: ReadonlyArray<object>): Call => ({
  provider: "gdocs",
  endpoint: "documents.batchUpdate",
  input: { path: { documentId: planId }, body: { requests } }
})

const replaces = (find: string, replace: string) => () => tool("docs_replace_text", { find, replace })
const appends = (text: string) => () => tool("docs_append", { text })

const inDocument = (id: string, { input, ...call }: Call): Call => ({
  ...call,
  input: { ...input, ...("tool" in call ? { document: id } : { path: { documentId: id } }) }
})

const markdown =
  "Before **bold**\n\n## A heading\n\n- one\n  - nested\n- two\n\n1. first\n\nAfter [a link](https://example.com)"

class Undoing extends Context.Service<Undoing, Effect.Success<typeof undoing>>()("openaccounts/test/Undoing") {
  static readonly layer = Layer.effect(Undoing, undoing).pipe(Layer.provideMerge(world))
}

/** With a character that stands for content that the API cannot show. No text with it can be inserted. */
const unsupported = "same\uE907paragraph"
let documents = 0

/** A document of its own. The provider's limits count by the minute, so each write is in another one. */
const start = Effect.gen(function*() {
  const { plain, send, undo } = yield* Undoing
  const store = yield* SandboxStore
  const id = `${planId}-${++documents}`
  const plan = JSON.stringify(planDocument(id)).replaceAll("same paragraph", unsupported)
  yield* store.put("document", id, JSON.parse(plan))
  const resource = Effect.map(
    store.get("document", id),
    (stored) => documentResource(Object(Option.getOrThrow(stored)), { includeTabsContent: true })
  )
  const nextMinute = TestClock.adjust("1 minute")
  const write = (call: Call) => Effect.andThen(nextMinute, send(inDocument(id, call)))
  return {
    id,
    resource,
    read: Effect.map(resource, withoutUnused),
    preview: (call: Call) =>
      Effect.map(send(inDocument(id, { ...call, dry_run: true })), ({ json }) => at(json, "data")),
    write,
    writeAsOther: (call: Call) => Effect.andThen(nextMinute, send(inDocument(id, call), plain)),
    undo: (callId: string) => Effect.andThen(nextMinute, undo(callId))
  }
})

/** The API cannot delete a list. One without items is not visible. */
const withoutUnused = (document: unknown): unknown => {
  const used = new Set(JSON.stringify(document).matchAll(/"listId":"([^"]+)"/g).map(([, id]) => id))
  return JSON.parse(JSON.stringify(document, (name, value) => {
    if (name === "revisionId") return undefined
    if (name !== "lists") return value
    const lists = Object.entries(value).filter(([id]) => used.has(id))
    return lists.length === 0 ? undefined : Object.fromEntries(lists)
  }))
}

const elementsIn = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return value.flatMap(elementsIn)
  if (!Predicate.isObject(value)) return []
  return Predicate.hasProperty(value, "textRun") ? [value] : Object.values(value).flatMap(elementsIn)
}

const runsOf = (document: unknown) =>
  [at(document, "tabs.0"), at(document, "tabs.0.childTabs.0")].flatMap((tab) =>
    elementsIn(at(tab, "documentTab.body")).map((element) => ({
      tabId: String(at(tab, "tabProperties.tabId")),
      startIndex: Number(at(element, "startIndex")),
      content: String(at(element, "textRun.content"))
    }))
  )

/** Where a text is. */
const placeOf = (document: unknown, text: string) => {
  const run = runsOf(document).find(({ content }) => content.includes(text)) ?? assert.fail(`There is no "${text}"`)
  const startIndex = run.startIndex + run.content.indexOf(text)
  return { startIndex, endIndex: startIndex + text.length, tabId: run.tabId }
}

const insert = (document: unknown, text: string, offset: number, inserted: string) => {
  const { startIndex, tabId } = placeOf(document, text)
  return edit({ insertText: { location: { index: startIndex + offset, tabId }, text: inserted } })
}

const remove = (document: unknown, from: string, to = from) => {
  const { startIndex, tabId } = placeOf(document, from)
  return edit({ deleteContentRange: { range: { startIndex, endIndex: placeOf(document, to).endIndex, tabId } } })
}

const writes: Readonly<Record<string, (document: unknown) => Call>> = {
  "a line at the end": appends("One more line"),
  "markdown below a heading": () => tool("docs_insert", { heading: "Goals", text: markdown, format: "markdown" }),
  "a replaced text everywhere": replaces("the", "THOSE"),
  "a text replaced by nothing": replaces("answer ", ""),
  "a text in a table": replaces("Guides | edited", "x"),
  "a paragraph in bold text": (document) => insert(document, "more secateurs", 5, "new\nparagraph "),
  "a line in a list": (document) => insert(document, "Ten guides", 0, "An item\n"),
  "a text in the other tab": (document) => insert(document, "From the meeting", 4, " 🌱\nhere"),
  "a deleted plain paragraph": (document) => remove(document, "1986. Not", "This stands"),
  "edits one after the other": (document) => {
    const { startIndex: index, tabId } = placeOf(document, "In pounds")
    return edit(
      { insertText: { location: { index, tabId }, text: "abc\n" } },
      { deleteContentRange: { range: { startIndex: index + 1, endIndex: index + 2, tabId } } }
    )
  },
  "lines on either side of a table": (document) => {
    const { startIndex: index, tabId } = placeOf(document, "In pounds")
    return edit(
      { insertText: { location: { index, tabId }, text: "abc\n" } },
      { insertText: { endOfSegmentLocation: { tabId }, text: "\nend" } }
    )
  },
  "emoji that share their first half": replaces("🌱", "🌲")
}

/** What text alone does not restore. */
const lossy: typeof writes = {
  "a text of a link": replaces("the shop", ""),
  "deleted bold text": (document) => remove(document, "more secateurs"),
  "new styles": (document) => {
    const range = placeOf(document, "In pounds, without")
    return edit(
      { updateTextStyle: { range, textStyle: { italic: true }, fields: "italic" } },
      { updateParagraphStyle: { range, paragraphStyle: { namedStyleType: "HEADING_3" }, fields: "namedStyleType" } }
    )
  },
  "a new text, and the style of an old one": (document) => {
    const { startIndex: index, tabId } = placeOf(document, "In pounds")
    const range = { startIndex: index + 1, endIndex: index + 6, tabId }
    return edit(
      { insertText: { location: { index, tabId }, text: "abc" } },
      { updateTextStyle: { range, textStyle: { italic: true }, fields: "italic" } }
    )
  },
  "deleted unsupported content": (document) => remove(document, unsupported),
  "unsupported content alone": (document) => remove(document, "\uE907"),
  "a deleted paragraph of a list": (document) => remove(document, "Review\n"),
  "a heading that becomes text": (document) =>
    edit({
      updateParagraphStyle: {
        range: placeOf(document, "Steps"),
        paragraphStyle: { namedStyleType: "NORMAL_TEXT" },
        fields: "namedStyleType"
      }
    }),
  "a new page break": () => edit({ insertPageBreak: { location: { index: 1 } } })
}

type Edits = (document: unknown) => Call

const shopping = ["Buy milk\n\nBuy bread\n\nEnd", replaces("bread", "milk")] as const

/** The last texts before a write, the write, edits of another, and the texts after the undo, or none if it is refused. */
const between: Readonly<Record<string, readonly [string, own: Edits, theirs: ReadonlyArray<Edits>, left?: string]>> = {
  "in the same paragraph": [
    "End",
    () => tool("docs_insert", { heading: "Goals", text: "# Mine\n\n- item", format: "markdown" }),
    [(document) => insert(document, "Mine", 2, "theirs")]
  ],
  "that removes one of two equal ones": [
    "Twin\n\nTwin\n\nLast",
    replaces("Twin", "Sibling"),
    [(document) => remove(document, "Sibling\n")]
  ],
  "that adds a line on top of equal ones": [
    ...shopping,
    [(document) => insert(document, "Buy milk", 0, "Buy eggs\n")],
    "Buy eggs\nBuy milk\nBuy bread\nEnd\n"
  ],
  "that adds an equal line": [...shopping, [(document) => insert(document, "Buy milk", 0, "Buy milk\n")]],
  "that removes an equal line": [...shopping, [(document) => remove(document, "Buy milk\n")]],
  "that adds lines in a table": [
    "| Item | Number |\n|---|---|\n| Apples | 0 |\n| Bread | 5 |",
    replaces("5", "0"),
    [(document) => insert(document, "Apples", 0, "New\n0\n")],
    "New\n0\nApples\n0\nBread\n5\n\n"
  ],
  "that adds an equal text elsewhere, and removes it": [
    "Bread\n\n5\n\nEnd",
    replaces("5", "7"),
    [(document) => insert(document, "End", 0, "New\n7\n"), (document) => remove(document, "Bread\n", "7\n")]
  ],
  "at the end, after a line at the end": ["Log", appends("Mine"), [appends("Theirs")], "Log\nTheirs\n"]
}

const textOf = (document: unknown): string =>
  elementsIn(at(document, "tabs.0.documentTab.body")).map((run) => String(at(run, "textRun.content"))).join("")

const textsOfOthers = (document: unknown): Array<string> => JSON.stringify(document).match(/[\u4e00-\u9fff]/g) ?? []

/** A run of the text, and a place in it, which may be within a character. */
const placed = (document: unknown, by: number) => {
  const runs = runsOf(document)
  const { content, startIndex, tabId } = runs[by % runs.length] ?? assert.fail("The document has no text")
  return { content, index: startIndex + by % content.length, end: startIndex + content.trimEnd().length, tabId }
}

const insertAt = (document: unknown, by: number, text: string): Call => {
  const { index, tabId } = placed(document, by)
  return edit({ insertText: { location: { index, tabId }, text } })
}

const place = fc.nat(100_000)

/** One character, which no other edit can split. */
const theirs: fc.Arbitrary<(document: unknown) => Call> = fc.tuple(place, fc.integer({ min: 0x4e00, max: 0x9fff })).map(
  ([by, code]) => (document) => insertAt(document, by, String.fromCodePoint(code))
)

const own: fc.Arbitrary<(document: unknown) => Call> = fc.oneof(
  fc.tuple(place, fc.constantFrom("x", "two words ", "a\nb", "\n", "🌱", "é", "\u0301")).map(
    ([by, text]) => (document: unknown) => insertAt(document, by, text)
  ),
  fc.tuple(place, fc.integer({ min: 1, max: 12 })).map(([by, length]) => (document: unknown) => {
    const { end, index, tabId } = placed(document, by)
    const range = { startIndex: index, endIndex: Math.max(index + 1, Math.min(index + length, end)), tabId }
    return edit({ deleteContentRange: { range } })
  }),
  fc.constantFrom("One more line", markdown).map((text) => () => tool("docs_append", { text, format: "markdown" })),
  fc.constantFrom("Goals", "Budget", "Steps").map((heading) => (document: unknown) =>
    runsOf(document).some(({ content }) => content === `${heading}\n`)
      ? tool("docs_insert", { heading, text: "# New\n\n- item", format: "markdown" })
      : tool("docs_append", { text: heading, format: "plain" })
  ),
  fc.tuple(fc.constantFrom("the", "e", "New", "item"), fc.constantFrom("", "THOSE", "y\nz")).map(
    ([find, replace]) => replaces(find, replace)
  )
)

const step = fc.record({ own, theirs: fc.option(theirs, { freq: 2 }) })

layer(Undoing.layer)("An undo of a write to a document", (it) => {
  it.effect.each([
    ...Object.entries(writes).map(([name, write]) => ({ name, write, undoable: true })),
    ...Object.entries(lossy).map(([name, write]) => ({ name, write, undoable: false }))
  ])(
    "restores texts, styles and lists where there is an exact inverse, and else does not exist: $name, $undoable",
    ({ name, undoable, write: writeOf }) =>
      Effect.gen(function*() {
        const { id, preview, read, undo, write } = yield* start
        const before = yield* read
        const call = writeOf(before)
        assert.strictEqual(at(yield* preview(call), "undoable"), undoable, name)
        const written = yield* write(call)
        assert.strictEqual(written.status, 200, `${name}: ${written.text}`)
        const after = yield* read
        assert.notDeepEqual(after, before, name)
        assert.strictEqual(written.headers.has("openaccounts-undo"), undoable, name)
        const undone = yield* undo(written.callId)
        assert.deepStrictEqual(errorOf(undone), undoable ? [200, undefined] : [409, "undo_unavailable"], name)
        const details = { reason: "no_inverse", version_history: `https://docs.google.com/document/d/${id}/edit` }
        assert.deepStrictEqual(at(undone.json, "error.details"), undoable ? undefined : details, name)
        assert.deepStrictEqual(yield* read, undoable ? before : after, name)
      })
  )

  it.effect.each(Object.entries(between))(
    "writes to its own place, or nothing, after an edit of another %s",
    ([, [text, own, theirs, restored]]) =>
      Effect.gen(function*() {
        const { read, undo, write, writeAsOther } = yield* start
        yield* writeAsOther(tool("docs_append", { text, format: "markdown" }))
        const { callId } = yield* write(own(yield* read))
        for (const their of theirs) {
          const changed = yield* writeAsOther(their(yield* read))
          assert.strictEqual(changed.status, 200, changed.text)
        }
        const left = yield* read
        const refused = [409, "undo_conflict"]
        assert.deepStrictEqual(errorOf(yield* undo(callId)), restored === undefined ? refused : [200, undefined])
        const after = yield* read
        if (restored === undefined) assert.deepStrictEqual(after, left)
        else assert.isTrue(textOf(after).endsWith(`\n${restored}`), textOf(after))
      })
  )

  it.effect("is promised for styled text at a blank end, unless it would style a heading that is there", () =>
    Effect.gen(function*() {
      const { preview, read, undo, write, writeAsOther } = yield* start
      const append = tool("docs_append", { text: "# New\n\nwith **text**", format: "markdown" })
      const isPromised = Effect.map(preview(append), (shown) => at(shown, "undoable"))
      const { tabId } = placeOf(yield* read, "In pounds")
      const blankLine = edit({ insertText: { endOfSegmentLocation: { tabId }, text: "\n" } })
      yield* writeAsOther(blankLine)
      assert.isTrue(yield* isPromised)
      const before = yield* read
      const { callId } = yield* write(append)
      assert.deepStrictEqual(errorOf(yield* undo(callId)), [200, undefined])
      assert.deepStrictEqual(yield* read, before)
      yield* writeAsOther(tool("docs_append", { text: "# Last", format: "markdown" }))
      yield* writeAsOther(blankLine)
      assert.isFalse(yield* isPromised)
    }))

  it.effect("is not promised for a write within what looks like one character, which is refused", () =>
    Effect.gen(function*() {
      const { preview, read, write } = yield* start
      const before = yield* read
      const call = insert(before, "🌱", 1, "x")
      assert.isFalse(at(yield* preview(call), "undoable"))
      assert.deepStrictEqual(errorOf(yield* write(call)), [400, "upstream_error"])
      assert.deepStrictEqual(yield* read, before)
    }))

  it.effect(
    "of any sequence, in reverse, leaves it as it was, and never loses the texts of others between",
    () =>
      Effect.gen(function*() {
        const arbitrary = fc.array(step, { minLength: 1, maxLength: longest, size: "max" })
        for (const sequence of fc.sample(arbitrary, sequences)) {
          const { preview, read, resource, undo, write, writeAsOther } = yield* start
          const before = yield* read
          const calls: Array<Call> = []
          const done: Array<string> = []
          for (const { own } of sequence) {
            const call = own(yield* resource)
            if (at(yield* preview(call), "undoable") !== true) continue
            const written = yield* write(call)
            assert.strictEqual(written.status, 200, written.text)
            calls.push(call)
            assert.isTrue(written.headers.has("openaccounts-undo"), JSON.stringify(calls))
            done.push(written.callId)
          }
          for (const callId of done.toReversed()) {
            const undone = yield* undo(callId)
            assert.strictEqual(undone.status, 200, `${undone.text} ${JSON.stringify(calls)}`)
          }
          assert.deepStrictEqual(yield* read, before, JSON.stringify(calls))

          const mixed: Array<string> = []
          for (const { own, theirs } of sequence) {
            const call = own(yield* resource)
            const written = yield* write(call)
            if (written.headers.has("openaccounts-undo")) mixed.push(written.callId)
            const edit = theirs?.(yield* resource)
            if (edit !== undefined) yield* writeAsOther(edit)
          }
          let texts = yield* resource
          for (const callId of mixed.toReversed()) {
            const { json, status, text } = yield* undo(callId)
            assert.isTrue(status === 200 || at(json, "error.code") === "undo_conflict", text)
            const after = yield* resource
            assert.includeMembers(textsOfOthers(after), textsOfOthers(texts), text)
            if (status === 409) assert.deepStrictEqual(after, texts, text)
            texts = after
          }
        }
      }),
    3_600_000
  )
})
