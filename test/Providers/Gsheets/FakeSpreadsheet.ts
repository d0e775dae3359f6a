import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { InvalidInput, type ToolCallError } from "../../../src/Api/Errors.ts"
import { UpstreamError } from "../../../src/Api/Errors/ProviderErrors.ts"
import type { ProviderCalls, SmartTool } from "../../../src/Providers/Provider.ts"
import { blankSpreadsheet } from "../../../src/Sandbox/Providers/Gsheets/Engine/Defaults.ts"
import type { Spreadsheet, Tab } from "../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { writeRows } from "../../../src/Sandbox/Providers/Gsheets/Engine/WriteCells.ts"
import {
  call,
  now,
  read,
  spreadsheetOf as sandboxSpreadsheetOf,
  type TabFixture,
  type Values
} from "../../Sandbox/Providers/Gsheets/Engine/SpreadsheetFixture.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"
import { assertFields, type Json, runTool } from "../../support/RunTool.ts"

export const id = "1AbC_d-efGhijklmnop"

export type { Values }

export const spreadsheetOf = (tabs: ReadonlyArray<TabFixture>): Spreadsheet =>
  sandboxSpreadsheetOf(tabs, blankSpreadsheet(id, "Accounts"))

export const oneTab = (typed: Values, tab: Partial<Tab> = {}): Spreadsheet =>
  spreadsheetOf([{ title: "Data", ...tab, typed }])

export const fakeSpreadsheet = (...spreadsheets: ReadonlyArray<Spreadsheet>) => {
  const state = new Map(spreadsheets.map((each) => [each.spreadsheetId, each]))
  const spreadsheet = (spreadsheetId = id): Spreadsheet => {
    const found = state.get(spreadsheetId)
    if (found === undefined) throw new Error(`There is no spreadsheet ${spreadsheetId}`)
    return found
  }
  const { calls, provider } = fakeProvider((endpoint, { body, path = {}, query = {} }) => {
    const before = endpoint === "spreadsheets.create" ? blankSpreadsheet(id) : spreadsheet(path["spreadsheetId"])
    const strings = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().map(String)] as const]
    )
    const after = call(before, endpoint, {
      query: Object.fromEntries(strings),
      body: body && JSON.parse(JSON.stringify(body)),
      ...path["range"] !== undefined && { range: path["range"] }
    })
    const answer = JSON.parse(JSON.stringify(after.body))
    if (after.status !== 200) {
      return Effect.fail(new UpstreamError({ status: after.status, message: answer.error.message, details: answer }))
    }
    state.set(after.spreadsheet.spreadsheetId, after.spreadsheet)
    return answer
  })
  return {
    calls,
    spreadsheet,
    call: (tool: SmartTool, input: object) =>
      callWith(provider, tool, { ...(tool.createsFile === true ? {} : { spreadsheet: id }), ...input }),
    write: (rows: Values): void => {
      const before = spreadsheet()
      const [tab] = before.tabs
      if (tab !== undefined) {
        state.set(id, writeRows(before, { tab, top: 0, left: 0 }, rows, { now, option: "RAW" }).spreadsheet)
      }
    },
    values: (range: string, render?: string): Values => read(spreadsheet(), range, render)
  }
}

export const callWith = (provider: ProviderCalls, tool: SmartTool, input: object) =>
  Effect.map(runTool(tool, provider, input), (output) => Object(output))

export const issuesOf = <A, R>(call: Effect.Effect<A, ToolCallError | InvalidInput, R>) =>
  Effect.flatMap(
    Effect.flip(call),
    (error) => error instanceof InvalidInput ? Effect.succeed(error.details ?? []) : Effect.die(error)
  )

/** The cells of the tab `Data`, or a spreadsheet. */
type On = Values | { readonly spreadsheet: Spreadsheet }

const spreadsheetOn = (on: On): Spreadsheet => "spreadsheet" in on ? on.spreadsheet : oneTab(on)

export interface ToolCase {
  readonly on: On
  readonly input?: object
  /** A part of the answer, texts by a pattern. */
  readonly answer?: Json
  readonly whole?: Json
  /** What is in a range after the call. */
  readonly cells?: readonly [range: string, values: Values, render?: string]
  readonly sends?: ReadonlyArray<string>
}

export const answers = (tool: SmartTool, cases: Readonly<Record<string, ToolCase>>) => {
  for (const [behaviour, { answer = {}, cells, input = {}, on, sends, whole }] of Object.entries(cases)) {
    it.effect(behaviour, () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(spreadsheetOn(on))
        const given: Json = yield* fake.call(tool, input)
        if (whole !== undefined) assert.deepStrictEqual(given, whole)
        assertFields(given, answer)
        if (cells !== undefined) assert.deepStrictEqual(fake.values(cells[0], cells[2]), cells[1])
        if (sends !== undefined) assert.deepStrictEqual(fake.calls.map(({ endpoint }) => endpoint), sends)
      }))
  }
}

type Refusal = readonly [
  on: On,
  input: object,
  path: ReadonlyArray<string | number>,
  says?: string,
  /** By default nothing is written. */
  sends?: ReadonlyArray<string>
]

/** The first issue is at this path of the input. */
export const refusals = (tool: SmartTool, cases: Readonly<Record<string, Refusal>>) => {
  for (const [behaviour, [on, input, path, says = "", sends]] of Object.entries(cases)) {
    it.effect(`refuses ${behaviour}`, () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(spreadsheetOn(on))
        const [issue] = yield* issuesOf(fake.call(tool, input))
        assert.deepStrictEqual(issue?.path, ["input", ...path])
        assert.include(issue?.message, says)
        const sent = fake.calls.map(({ endpoint }) => endpoint)
        if (sends === undefined) assert.deepStrictEqual(sent.filter((endpoint) => !/get$/i.test(endpoint)), [])
        else assert.deepStrictEqual(sent, sends)
      }))
  }
}
