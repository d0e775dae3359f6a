import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Predicate } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { fakeProviders } from "../../src/Registrations.ts"
import { SandboxStore } from "../../src/Sandbox/Data/SandboxStore.ts"
import type { Document } from "../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import { documentResource } from "../../src/Sandbox/Providers/Gdocs/Engine/Resource.ts"
import { planDocument, planId } from "../../src/Sandbox/Providers/Gdocs/Plan.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { setTime } from "../Sandbox/SandboxFixture.ts"
import type { Answer } from "../support/Answer.ts"
import { seed, TestDataDir, TestServer } from "../support/TestServer.ts"
import type { Call } from "./EveryOperation.ts"
import { at } from "./SandboxServer.ts"

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

const inDocument = (id: string, { input, ...call }: Call): Call => ({
  ...call,
  input: { ...input, ...("tool" in call ? { document: id } : { path: { documentId: id } }) }
})

const markdown =
  "Before **bold**\n\n## A heading\n\n- one\n  - nested\n- two\n\n1. first\n\nAfter [a link](https://example.com)"

const start = Effect.gen(function*() {
  const { admin, request } = yield* TestServer
  const { connections: [first, ...others] } = yield* Sandbox
  const { connect, member } = yield* seed(first)
  for (const connection of others) yield* connect(connection)
  const payload = { member_id: member.id, name: "undoes", access: "read_write" as const }
  const { key } = yield* admin.keys.create({ payload: { ...payload, undo: true } })
  const { key: other } = yield* admin.keys.create({ payload })
  const send = (body: object, by = key) => request("POST", "/v1/call", { key: by, body })
  const undo = (id: string) => request("POST", `/v1/calls/${id}/undo`, { key })
  const store = yield* SandboxStore
  const readOf = (id: string) =>
    Effect.map(store.get("document", id), (stored) => {
      const document = Option.getOrElse(Option.filter(stored, isDocument), () => planDocument(id))
      return documentResource(document, { includeTabsContent: true })
    })
  return { other, read: Effect.map(readOf(planId), withoutUnused), readOf, send, store, undo }
})

const isDocument = (value: unknown): value is Document => Predicate.hasProperty(value, "documentId")

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

/** Where a text is, and in which tab. */
const placeOf = (document: unknown, text: string) => {
  let found: { readonly startIndex: number; readonly endIndex: number; readonly tabId: string } | undefined
  for (const tab of [at(document, "tabs.0"), at(document, "tabs.0.childTabs.0")]) {
    JSON.stringify(at(tab, "documentTab"), (_, value) => {
      const content = at(value, "textRun.content")
      if (found === undefined && typeof content === "string" && content.includes(text)) {
        const startIndex = Number(at(value, "startIndex")) + content.indexOf(text)
        found = { startIndex, endIndex: startIndex + text.length, tabId: String(at(tab, "tabProperties.tabId")) }
      }
      return value
    })
  }
  return found ?? assert.fail(`The document has no "${text}"`)
}

const insert = (document: unknown, text: string, offset: number, inserted: string) => {
  const { startIndex, tabId } = placeOf(document, text)
  return edit({ insertText: { location: { index: startIndex + offset, tabId }, text: inserted } })
}

const remove = (document: unknown, from: string, to = from) => {
  const { startIndex, tabId } = placeOf(document, from)
  return edit({ deleteContentRange: { range: { startIndex, endIndex: placeOf(document, to).endIndex, tabId } } })
}

const bold = (range: ReturnType<typeof placeOf>) =>
  edit({ updateTextStyle: { range, textStyle: { bold: true }, fields: "bold" } })

const writes: Readonly<Record<string, (document: unknown) => Call>> = {
  "a line at the end": () => tool("docs_append", { text: "One more line" }),
  "markdown at the end": () => tool("docs_append", { text: markdown, format: "markdown" }),
  "markdown at the end of another tab": (document) =>
    tool("docs_append", { text: markdown, format: "markdown", tab: placeOf(document, "From the meeting").tabId }),
  "markdown below a heading": () => tool("docs_insert", { heading: "Goals", text: markdown, format: "markdown" }),
  "a list below a heading above a list": () =>
    tool("docs_insert", { heading: "Steps", text: "1. new\n2. newer", format: "markdown" }),
  "a heading at the end of a section": () =>
    tool("docs_insert", {
      heading: "Goals",
      placement: "section_end",
      text: "# New\n\n- item",
      format: "markdown"
    }),
  "markdown above a paragraph": (document) =>
    tool("docs_insert", { index: placeOf(document, "In pounds").startIndex, text: markdown, format: "markdown" }),
  "a replaced text everywhere": () => tool("docs_replace_text", { find: "the", replace: "THOSE" }),
  "a replaced text with two styles": () =>
    tool("docs_replace_text", { find: "Sell more secateurs, and", replace: "Grow" }),
  "a text replaced by nothing": () => tool("docs_replace_text", { find: "the shop", replace: "" }),
  "a text in a title": () => tool("docs_replace_text", { find: "Spring plan 🌱", replace: "Autumn" }),
  "a text in a table": () => tool("docs_replace_text", { find: "Guides | edited", replace: "x" }),
  "a paragraph in bold text": (document) => insert(document, "more secateurs", 5, "new\nparagraph "),
  "a line at the start of a heading": (document) => insert(document, "Budget", 0, "Above\n"),
  "a line within a heading": (document) => insert(document, "Budget", 3, "x\ny"),
  "a line in a list": (document) => insert(document, "Ten guides", 0, "An item\n"),
  "a line at the start of a list": (document) => insert(document, "Write the guides", 0, "An item\n"),
  "a text in a cell": (document) => insert(document, "Photography", 2, "a\nb"),
  "a text in the other tab": (document) => insert(document, "From the meeting", 4, " 🌱\nhere"),
  "deleted bold text": (document) => remove(document, "more secateurs"),
  "deleted text across styles": (document) => remove(document, "Sell", "more"),
  "a deleted link": (document) => remove(document, "shop's report"),
  "deleted text in the other tab": (document) => remove(document, " are still"),
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
  "new styles": (document) => {
    const range = placeOf(document, "In pounds, without")
    return edit(
      { updateTextStyle: { range, textStyle: { italic: true }, fields: "italic" } },
      { updateParagraphStyle: { range, paragraphStyle: { namedStyleType: "HEADING_3" }, fields: "namedStyleType" } }
    )
  },
  "emoji that share their first half": () => tool("docs_replace_text", { find: "🌱", replace: "🌲" }),
  "a bold item": (document) => {
    const { endIndex, ...range } = placeOf(document, "Search")
    return bold({ ...range, endIndex: endIndex + 1 })
  },
  "a paragraph that becomes an item": (document) =>
    edit({
      createParagraphBullets: {
        range: placeOf(document, "In pounds"),
        bulletPreset: "BULLET_DISC_CIRCLE_SQUARE"
      }
    })
}

/** Writes after edits of another. */
const writesAfter: Readonly<Record<string, readonly [ReadonlyArray<typeof writes[string]>, typeof writes[string]]>> = {
  "a text in an item whose bullet has another style": [
    [(document) => bold(placeOf(document, "Search")), (document) => insert(document, "Search", 3, "\n")],
    (document) => insert(document, "Sea", 1, "x")
  ],
  "a text in an item without text whose bullet has another style": [
    [
      (document) => bold(placeOf(document, "Newsletter")),
      (document) => insert(document, "Newsletter", 4, "\n"),
      (document) => remove(document, "News")
    ],
    (document) => {
      const { startIndex, tabId } = placeOf(document, "letter")
      return edit({ insertText: { location: { index: startIndex - 1, tabId }, text: "x" } })
    }
  ],
  "an item without text that becomes bold": [
    [(document) => remove(document, "Draft")],
    (document) => {
      const { startIndex, tabId } = placeOf(document, "Review")
      return bold({ startIndex: startIndex - 1, endIndex: startIndex, tabId })
    }
  ],
  "a paragraph below a heading without text": [
    [(document) => remove(document, "Budget")],
    (document) => insert(document, "In pounds", 0, "x\n")
  ]
}

/** Bullets and the IDs of headings cannot be set. */
const lossy: typeof writes = {
  "deleted text across paragraphs": (document) => remove(document, "What we do before the season begins", "Goals"),
  "a deleted paragraph of a list": (document) => remove(document, "Review\n"),
  "a heading that becomes text": (document) =>
    edit({
      updateParagraphStyle: {
        range: placeOf(document, "Steps"),
        paragraphStyle: { namedStyleType: "NORMAL_TEXT" },
        fields: "namedStyleType"
      }
    }),
  "items of another list": (document) =>
    edit({
      createParagraphBullets: { range: placeOf(document, "Draft"), bulletPreset: "BULLET_DISC_CIRCLE_SQUARE" }
    }),
  "an item that becomes text": (document) => edit({ deleteParagraphBullets: { range: placeOf(document, "Search") } }),
  "lines in several places": (document) => {
    const { startIndex: index, tabId } = placeOf(document, "Steps")
    return edit(
      { insertText: { location: { index, tabId }, text: "abc\n" } },
      { insertText: { endOfSegmentLocation: { tabId }, text: "\nend" } }
    )
  },
  "a first heading that is split": (document) => insert(document, "Notes", 0, "a\nb"),
  "a new page break": () => edit({ insertPageBreak: { location: { index: 1 } } })
}

interface Run {
  readonly tabId: string
  readonly startIndex: number
  readonly content: string
  /** The text of its paragraph, and where it starts in it. */
  readonly paragraph: string
  readonly start: number
}

const paragraphsIn = (value: unknown): ReadonlyArray<ReadonlyArray<unknown>> => {
  if (Array.isArray(value)) return value.flatMap(paragraphsIn)
  if (!Predicate.isObject(value)) return []
  const elements = at(value, "elements")
  return Array.isArray(elements) ? [elements] : Object.values(value).flatMap(paragraphsIn)
}

const runsOf = (document: unknown): ReadonlyArray<Run> =>
  [at(document, "tabs.0"), at(document, "tabs.0.childTabs.0")].flatMap((tab) =>
    paragraphsIn(at(tab, "documentTab.body")).flatMap((elements) => {
      const paragraph = elements.map((element) => String(at(element, "textRun.content"))).join("")
      let next = 0
      return elements.map((element) => {
        const [startIndex, start] = [Number(at(element, "startIndex")), next]
        const content = String(at(element, "textRun.content"))
        next += content.length
        return { tabId: String(at(tab, "tabProperties.tabId")), startIndex, content, paragraph, start }
      })
    })
  )

const characters = new Intl.Segmenter()

const textsOfOthers = (document: unknown): Array<string> => JSON.stringify(document).match(/[\u4e00-\u9fff]/g) ?? []

/** A run of the text, and a place in it. */
const placed = (document: unknown, by: number): Run & { readonly offset: number } => {
  const runs = runsOf(document)
  const run = runs[by % runs.length] ?? assert.fail("The document has no text")
  return { ...run, offset: by % run.content.length }
}

/** `undefined` within a character. */
const insertAt = (document: unknown, by: number, text: string): Call | undefined => {
  const { offset, paragraph, start, startIndex, tabId } = placed(document, by)
  if (characters.segment(paragraph).containing(start + offset)?.index !== start + offset) return undefined
  return edit({ insertText: { location: { index: startIndex + offset, tabId }, text } })
}

const place = fc.nat(100_000)

/** One character, which no other edit can split. */
const theirs: fc.Arbitrary<(document: unknown) => Call | undefined> = fc.tuple(
  place,
  fc.integer({ min: 0x4e00, max: 0x9fff })
).map(
  ([by, code]) => (document) => insertAt(document, by, String.fromCodePoint(code))
)

const own: fc.Arbitrary<(document: unknown) => Call | undefined> = fc.oneof(
  fc.tuple(place, fc.constantFrom("x", "two words ", "a\nb", "\n", "🌱", "é")).map(
    ([by, text]) => (document: unknown) => insertAt(document, by, text)
  ),
  fc.tuple(place, fc.integer({ min: 1, max: 12 })).map(([by, length]) => (document: unknown) => {
    const { content, offset, startIndex, tabId } = placed(document, by)
    const end = Math.min(offset + length, content.trimEnd().length)
    // Half a character cannot be deleted.
    if (end <= offset || !content.slice(offset, end).isWellFormed()) return undefined
    return edit({
      deleteContentRange: { range: { startIndex: startIndex + offset, endIndex: startIndex + end, tabId } }
    })
  }),
  place.map((by) => (document: unknown) => {
    const { content, startIndex, tabId } = placed(document, by)
    return bold({ startIndex, endIndex: startIndex + content.length, tabId })
  }),
  fc.constantFrom("One more line", markdown).map((text) => () => tool("docs_append", { text, format: "markdown" })),
  fc.constantFrom("Goals", "Budget", "Steps").map((heading) => (document: unknown) =>
    runsOf(document).some(({ content }) => content === `${heading}\n`)
      ? tool("docs_insert", { heading, text: "# New\n\n- item", format: "markdown" })
      : undefined
  ),
  fc.tuple(fc.constantFrom("the", "e", "New", "item"), fc.constantFrom("", "THOSE", "y\nz")).map(
    ([find, replace]) => () => tool("docs_replace_text", { find, replace })
  )
)

const step = fc.record({ own, theirs: fc.option(theirs, { freq: 2 }) })

/** The provider's limits count by the minute. */
const nextMinute = TestClock.adjust("1 minute")

const errorOf = ({ json, status }: Answer) => [status, at(json, "error.code")]

layer(world)("An undo of a write to a document", (it) => {
  it.effect("restores its texts, styles and lists", () =>
    Effect.gen(function*() {
      const { read, send, undo } = yield* start
      const before = yield* read
      for (const [name, write] of Object.entries(writes)) {
        yield* nextMinute
        const call = write(before)
        const preview = yield* send({ ...call, dry_run: true })
        const written = yield* send(call)
        assert.strictEqual(written.status, 200, `${name}: ${written.text}`)
        assert.notDeepEqual(yield* read, before, name)
        assert.isNotNull(written.headers.get("openaccounts-undo"), name)
        assert.isTrue(at(preview.json, "data.undoable"), name)
        const undone = yield* undo(written.callId)
        assert.strictEqual(undone.status, 200, `${name}: ${undone.text}`)
        assert.deepStrictEqual(yield* read, before, name)
      }
    }), 120_000)

  it.effect("writes nothing if another has changed the same paragraph", () =>
    Effect.gen(function*() {
      const { other, read, send, undo } = yield* start
      const { callId } = yield* send(
        tool("docs_insert", { heading: "Goals", text: "# Mine\n\n- item", format: "markdown" })
      )
      const mine = yield* read
      const theirs = yield* send(insert(mine, "Mine", 2, "theirs"), other)
      assert.strictEqual(theirs.status, 200, theirs.text)
      const left = yield* read
      assert.deepStrictEqual(errorOf(yield* undo(callId)), [409, "undo_conflict"])
      assert.deepStrictEqual(yield* read, left)
    }))
})

layer(world)("An undo of a write after edits of another", (it) => {
  it.effect("restores its texts, styles and lists", () =>
    Effect.gen(function*() {
      const { other, read, send, undo } = yield* start
      for (const [name, [edits, write]] of Object.entries(writesAfter)) {
        yield* nextMinute
        for (const call of edits) {
          const { status, text } = yield* send(call(yield* read), other)
          assert.strictEqual(status, 200, `${name}: ${text}`)
        }
        const before = yield* read
        const call = write(before)
        const preview = yield* send({ ...call, dry_run: true })
        const written = yield* send(call)
        assert.strictEqual(written.status, 200, `${name}: ${written.text}`)
        assert.notDeepEqual(yield* read, before, name)
        assert.isTrue(at(preview.json, "data.undoable"), name)
        const undone = yield* undo(written.callId)
        assert.strictEqual(undone.status, 200, `${name}: ${undone.text}`)
        assert.deepStrictEqual(yield* read, before, name)
      }
    }), 120_000)
})

layer(world)("An undo of a write to equal paragraphs", (it) => {
  it.effect("writes nothing if another has removed one of them", () =>
    Effect.gen(function*() {
      const { other, read, send, undo } = yield* start
      yield* send(tool("docs_append", { text: "Twin\nTwin\nLast", format: "plain" }), other)
      const { callId } = yield* send(tool("docs_replace_text", { find: "Twin", replace: "Sibling" }))
      const { startIndex, tabId } = placeOf(yield* read, "Sibling")
      const range = { startIndex, endIndex: startIndex + "Sibling\n".length, tabId }
      const theirs = yield* send(edit({ deleteContentRange: { range } }), other)
      assert.strictEqual(theirs.status, 200, theirs.text)
      const left = yield* read
      assert.deepStrictEqual(errorOf(yield* undo(callId)), [409, "undo_conflict"])
      assert.deepStrictEqual(yield* read, left)
    }))
})

layer(world)("A write to a document that has no exact inverse", (it) => {
  it.effect("cannot be undone, as its preview says", () =>
    Effect.gen(function*() {
      const { read, send, undo } = yield* start
      for (const [name, write] of Object.entries(lossy)) {
        const before = yield* read
        yield* nextMinute
        const call = write(before)
        const preview = yield* send({ ...call, dry_run: true })
        const written = yield* send(call)
        assert.strictEqual(written.status, 200, `${name}: ${written.text}`)
        const after = yield* read
        assert.notDeepEqual(after, before, name)
        assert.isFalse(at(preview.json, "data.undoable"), name)
        assert.isNull(written.headers.get("openaccounts-undo"), name)
        assert.deepStrictEqual(errorOf(yield* undo(written.callId)), [409, "undo_unavailable"], name)
        assert.deepStrictEqual(yield* read, after, name)
      }
    }), 120_000)
})

layer(world)("A write within what looks like one character", (it) => {
  it.effect("is refused, and its preview does not say that it can be undone", () =>
    Effect.gen(function*() {
      const { read, send } = yield* start
      const before = yield* read
      const call = insert(before, "🌱", 1, "x")
      const preview = yield* send({ ...call, dry_run: true })
      assert.isFalse(at(preview.json, "data.undoable"), preview.text)
      assert.deepStrictEqual(errorOf(yield* send(call)), [400, "upstream_error"])
      assert.deepStrictEqual(yield* read, before)
    }))
})

layer(world)("Any sequence of writes to a document", (it) => {
  it.effect(
    "undone in reverse leaves it as it was, and never loses the texts of others between",
    () =>
      Effect.gen(function*() {
        const { other, readOf, send, store, undo } = yield* start
        const arbitrary = fc.array(step, { minLength: 1, maxLength: longest, size: "max" })
        for (const [nth, sequence] of fc.sample(arbitrary, sequences).entries()) {
          const id = `${planId}-${nth}`
          yield* store.put("document", id, planDocument(id))
          const read = readOf(id)
          const before = withoutUnused(yield* read)
          const calls: Array<Call> = []
          const done: Array<string> = []
          for (const { own } of sequence) {
            yield* nextMinute
            const write = own(yield* read)
            if (write === undefined) continue
            const call = inDocument(id, write)
            const preview = yield* send({ ...call, dry_run: true })
            if (at(preview.json, "data.undoable") !== true) continue
            const written = yield* send(call)
            assert.strictEqual(written.status, 200, written.text)
            calls.push(call)
            assert.isNotNull(written.headers.get("openaccounts-undo"), JSON.stringify(calls))
            done.push(written.callId)
          }
          for (const callId of done.toReversed()) {
            yield* nextMinute
            const undone = yield* undo(callId)
            assert.strictEqual(undone.status, 200, `${undone.text} ${JSON.stringify(calls)}`)
          }
          assert.deepStrictEqual(withoutUnused(yield* read), before, JSON.stringify(calls))

          const mixed: Array<string> = []
          for (const { own, theirs } of sequence) {
            yield* nextMinute
            const call = own(yield* read)
            const written = call && (yield* send(inDocument(id, call)))
            if (written?.headers.has("openaccounts-undo") === true) mixed.push(written.callId)
            const edit = theirs?.(yield* read)
            if (edit !== undefined) yield* send(inDocument(id, edit), other)
          }
          let texts = yield* read
          for (const callId of mixed.toReversed()) {
            yield* nextMinute
            const { json, status, text } = yield* undo(callId)
            assert.isTrue(status === 200 || at(json, "error.code") === "undo_conflict", text)
            const after = yield* read
            assert.includeMembers(textsOfOthers(after), textsOfOthers(texts), text)
            if (status === 409) assert.deepStrictEqual(after, texts, text)
            texts = after
          }
        }
      }),
    3_600_000
  )
})
