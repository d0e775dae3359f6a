import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Scope } from "effect"
import { CurrentShare, makeCapacity } from "../../../src/Capacity/Capacity.ts"
import { jobs } from "../../../src/Providers/Gdocs/Worker/Jobs.ts"
import { JobDeadlineMillis, runApart } from "../../../src/Providers/Gdocs/Worker/WorkerPool.ts"
import { noLinkTargets } from "../../../src/Providers/Gdocs/Writing/LinkTargets.ts"
import type { ProviderCalls } from "../../../src/Providers/Provider.ts"
import { longestHold, maxHoldMillis } from "../../support/EventLoop.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"
import { type Json } from "../../support/RunTool.ts"
import { appendDoc, createDoc, insertDoc, readDoc, refusal } from "./DocumentTools.ts"

const providerOf = (body: ReadonlyArray<Json>): ProviderCalls =>
  fakeProvider((endpoint) => {
    if (endpoint !== "documents.get") return { documentId: "doc", replies: [] }
    const content = [{ endIndex: 1, sectionBreak: {} }, ...body]
    const tab = { tabProperties: { tabId: "t.0", title: "Tab" }, documentTab: { body: { content } } }
    return { documentId: "doc", title: "Draft", tabs: [tab] }
  }).provider

const repeat = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

const text = (content: string, textStyle: Json = {}): Json => ({
  startIndex: 1,
  endIndex: 2,
  textRun: { content, textStyle }
})

const paragraph = (elements: ReadonlyArray<Json>, rest: Json = {}): Json => ({
  startIndex: 1,
  endIndex: 100_000,
  paragraph: { elements, ...rest }
})

const times = (count: number, make: (at: number) => Json) => Array.from({ length: count }, (_, at) => make(at))

const as = <A, E>(member: string, job: Effect.Effect<A, E>) =>
  Effect.provideService(job, CurrentShare, makeCapacity({ calls: 1, largest: 1 }).open(member, Scope.makeUnsafe()))

describe("A text that is written", () => {
  const texts: ReadonlyArray<readonly [name: string, text: string]> = [
    ["stars after an indented fence", `    \`\`\`\n${repeat("*", 40_000)}`],
    ["definitions", repeat("[a]: b\n", 80_000)],
    ["numbered lists that go on", Array.from({ length: 1500 }, (_, at) => `${at + 1}. a\n\nb\n\n`).join("")]
  ]
  for (const [name, markdown] of texts) {
    it.effect(`does not hold the process: ${name}`, () =>
      Effect.gen(function*() {
        assert.isBelow(yield* longestHold(Effect.exit(createDoc(providerOf([]), markdown))), maxHoldMillis)
      }))
  }

  it.effect("is refused when parsing takes too long, whichever tool writes it, and does not hold the process", () =>
    Effect.gen(function*() {
      const provider = providerOf([paragraph([text("a\n")])])
      const markdown = repeat("a\n=\n", 200_000)
      const message = "text: The markdown takes too long to parse. Divide the text into several calls."
      const refusals = Effect.all([
        as("a", refusal(createDoc(provider, markdown))),
        as("b", refusal(appendDoc(provider, { text: markdown }))),
        as("c", refusal(insertDoc(provider, { text: markdown, index: 1 })))
      ], { concurrency: "unbounded" })
      const messages: Array<string> = []
      const held = yield* longestHold(Effect.map(refusals, (found) => messages.push(...found))).pipe(
        Effect.provideService(JobDeadlineMillis, 1000)
      )
      assert.deepStrictEqual(messages, [message, message, message])
      assert.isBelow(held, maxHoldMillis)
    }))
})

describe("A document that is read", () => {
  const bold = { bold: true }
  const offsets = ["SUPERSCRIPT", "SUBSCRIPT"]
  const documents: ReadonlyArray<readonly [name: string, body: ReadonlyArray<Json>]> = [
    ["alternating bold", [paragraph(times(50_000, (at) => text("a", at % 2 === 0 ? bold : {})))]],
    ["bold superscripts", [paragraph(times(50_000, (at) => text("a", { ...bold, baselineOffset: offsets[at % 2] })))]],
    ["line breaks", [paragraph([text("\u000B".repeat(200_000))])]],
    ["spaces", [paragraph([text(`a${" ".repeat(300_000)}b`)])]],
    ["a table wider than its cells", [{
      startIndex: 1,
      endIndex: 9,
      table: { columns: 100_000_000, tableRows: [{ tableCells: [{}] }] }
    }]],
    ["quotes in quotes", [
      paragraph([text("a\n")], {
        paragraphStyle: {
          indentStart: { magnitude: 3e9 },
          indentEnd: { magnitude: 3e9 },
          indentFirstLine: { magnitude: 3e9 }
        }
      })
    ]]
  ]
  for (const [name, body] of documents) {
    it.effect(`does not hold the process: ${name}`, () =>
      Effect.gen(function*() {
        const provider = providerOf(body)
        const both = Effect.all([
          Effect.exit(as("a", readDoc(provider))),
          Effect.exit(as("b", appendDoc(provider, { text: "b" })))
        ], { concurrency: "unbounded" })
        assert.isBelow(yield* longestHold(both), maxHoldMillis)
      }))
  }
})

describe("The threads for long documents", () => {
  const short = { text: "# a **b**", linkTargets: noLinkTargets }
  const endless = { text: repeat("a\n=\n", 200_000), linkTargets: noLinkTargets }

  it.effect("answer like the process", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* runApart("parseMarkdown", short), jobs.parseMarkdown(short, []))
    }))

  it.effect("have room for a member while another one fills its queue", () =>
    Effect.gen(function*() {
      const fibers = yield* Effect.forEach(
        Array.from({ length: 11 }),
        () => Effect.forkChild(as("a", runApart("parseMarkdown", endless)), { startImmediately: true })
      )
      assert.deepInclude(yield* Effect.flip(as("a", runApart("parseMarkdown", short))), { _tag: "RateLimited" })
      assert.deepStrictEqual(yield* as("b", runApart("parseMarkdown", short)), jobs.parseMarkdown(short, []))
      assert.isTrue(fibers.some((fiber) => fiber.pollUnsafe() === undefined))
      yield* Fiber.interruptAll(fibers)
    }).pipe(Effect.provideService(JobDeadlineMillis, 60_000)))

  it.effect("refuse calls once too many wait, and end with the calls", () =>
    Effect.gen(function*() {
      const fibers = yield* Effect.forEach(
        Array.from({ length: 12 }),
        () => Effect.forkChild(runApart("parseMarkdown", endless), { startImmediately: true })
      )
      const error = yield* Effect.flip(runApart("parseMarkdown", short))
      assert.deepInclude(error, { _tag: "RateLimited", retryAfter: "5" })
      yield* Fiber.interruptAll(fibers)
      assert.deepStrictEqual(yield* runApart("parseMarkdown", short), jobs.parseMarkdown(short, []))
    }).pipe(Effect.provideService(JobDeadlineMillis, 60_000)))
})
