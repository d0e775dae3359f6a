import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { hashCall } from "../../src/Calls/Approvals/StoredCall.ts"
import { ConnectionId } from "../../src/Domain/Ids.ts"
import { hostileText } from "../support/Hostile.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { withSession } from "../support/SignedIn.ts"
import { seed, TestServer } from "../support/TestServer.ts"

/** For a longer run: the mutations that are sent to the service. */
const mutations = Number(process.env["MUTATIONS"] ?? 60)

const file = "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde"

interface Input {
  readonly path: { readonly spreadsheetId: string; readonly range: string }
  readonly query: { readonly valueInputOption: string }
  readonly body: { readonly values: ReadonlyArray<ReadonlyArray<unknown>> }
}

const cell = fc.oneof(hostileText, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean())
const input: fc.Arbitrary<Input> = fc.record({
  path: fc.record({ spreadsheetId: fc.constant(file), range: fc.constantFrom("A1", "Tab!A1", "'Tab'!B2:D9") }),
  query: fc.record({ valueInputOption: fc.constantFrom("RAW", "USER_ENTERED") }),
  body: fc.record({
    // The first cell is that of no other payload.
    values: fc.tuple(fc.uuid(), fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { maxLength: 3 }))
      .map(([id, rows]) => [[id], ...rows])
  })
})

const texts: ReadonlyArray<(text: string) => string> = [
  (text) => `${text} `,
  (text) => ` ${text}`,
  (text) => `${text}\u200b`,
  (text) => `${text}\u0000`,
  (text) => text.slice(0, -1),
  (text) => text.normalize("NFD"),
  (text) => text.normalize("NFKC"),
  (text) => text.toUpperCase(),
  (text) => text.replaceAll("a", "\u0430"),
  (text) => text.replaceAll("'", "\u2019"),
  (text) => `${text}"`,
  (text) => `${text}\\`,
  () => ""
]

const change = (value: unknown, by: number): unknown => {
  if (typeof value === "string") return by % 20 === 19 ? [value] : texts[by % texts.length]?.(value)
  if (typeof value === "number") return [`${value}`, value + 1, -value, value / 3, [value], null][by % 6]
  if (typeof value === "boolean") return [!value, `${value}`, Number(value)][by % 3]
  if (Array.isArray(value)) {
    const list: ReadonlyArray<unknown> = value
    return [[...list, ...list], list.toReversed(), list.slice(1), [list], [...list, null], list.toSpliced(1, 1)][by % 6]
  }
  return value
}

/** The same value with one change somewhere in it. */
const mutate = (value: unknown, steps: ReadonlyArray<number>, by: number): unknown => {
  const [step, ...rest] = steps
  if (step === undefined || typeof value !== "object" || value === null) return change(value, by)
  const names = Object.keys(value)
  const name = names[step % Math.max(1, names.length)]
  if (name === undefined) return change(value, by)
  const field = mutate(Reflect.get(value, name), rest, by)
  return Array.isArray(value) ? value.with(Number(name), field) : { ...value, [name]: field }
}

const mutation = fc.record({
  steps: fc.array(fc.nat(20), { minLength: 2, maxLength: 5 }),
  by: fc.nat(100)
})

const perPayload = 10

const spreadsheet = {
  spreadsheetId: file,
  properties: {},
  sheets: [{ properties: { sheetId: 0, title: "Tab", gridProperties: { rowCount: 20, columnCount: 10 } } }]
}

layer(TestServer.make({ RATE_LIMIT: "1000/second" }), { excludeTestServices: true })("Approving a write", (it) => {
  it.effect(
    `sends what was asked for, and never one of ${mutations} mutations of it`,
    () =>
      Effect.gen(function*() {
        const { admin, request } = yield* TestServer
        const { member } = yield* seed({ provider: "gsheets" })
        const { key } = yield* admin.keys.create({
          payload: { member_id: member.id, name: "asks", access: "read_write", writes: "ask" }
        })
        const person = yield* withSession(member)
        const written: Array<string> = []
        ;(yield* LoopbackUpstream).handle(({ body, method, url }) => {
          if (method !== "GET") written.push(`${decodeURIComponent(url)} ${JSON.stringify(JSON.parse(body))}`)
          return { body: spreadsheet }
        })
        const ask = (input: unknown) =>
          Effect.map(
            request("POST", "/v1/call", { key, body: { provider: "gsheets", endpoint: "values.update", input } }),
            ({ json, status, text }): string | undefined => {
              // A mutation may be invalid.
              assert.include([400, 409], status, text)
              const { code, details } = Object(json).error
              assert.include(["approval_required", "invalid_input"], code, text)
              return details?.approval_id
            }
          )
        let asked = 0
        for (const payload of fc.sample(input, Math.ceil(mutations / perPayload))) {
          const id = yield* ask(payload)
          const others = fc.sample(mutation, perPayload).map(({ by, steps }) => mutate(payload, steps, by))
            .filter((other) => JSON.stringify(other) !== JSON.stringify(payload))
          const otherIds = yield* Effect.forEach(others, ask)
          assert.notInclude(otherIds, id)
          yield* person.request("POST", `/v1/approvals/${id}/approve`)
          const { path: { range, spreadsheetId }, query, body } = payload
          assert.deepStrictEqual(written.splice(0), [
            `/gsheets/v4/spreadsheets/${spreadsheetId}/values/${range}?valueInputOption=${query.valueInputOption} ` +
            JSON.stringify(body)
          ])
          assert.deepStrictEqual(yield* Effect.forEach(others, ask), otherIds)
          asked += others.length
        }
        assert.isAbove(asked, mutations / 2)
        assert.deepStrictEqual(written, [])
      }),
    3_600_000
  )
})

describe("The hash of a call that waits", () => {
  it("is that of no mutation of it", () => {
    const connection_id = ConnectionId.make(`con_${"0".repeat(26)}`)
    const of = (value: unknown) =>
      hashCall({ provider: "gsheets", endpoint: "values.update", input: { ...Object(value) }, connection_id })
    fc.assert(
      fc.property(input, mutation, (asked, { by, steps }) => {
        const mutated = mutate(asked, steps, by)
        const areEqual = JSON.stringify(mutated) === JSON.stringify(asked)
        assert.strictEqual(of(mutated).equals(of(asked)), areEqual)
        assert.isTrue(of(asked).equals(of(structuredClone(asked))))
      }),
      { numRuns: 10_000 }
    )
  })
})
