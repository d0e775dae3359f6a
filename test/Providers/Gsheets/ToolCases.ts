import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SmartTool } from "../../../src/Providers/Provider.ts"
import type { Spreadsheet } from "../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { assertFields, type Json } from "../../support/RunTool.ts"
import { fakeSpreadsheet, issuesOf, oneTab, type Values } from "./FakeSpreadsheet.ts"

/** The cells of the tab `Data`, or a spreadsheet. */
type On = Values | { readonly spreadsheet: Spreadsheet }

const spreadsheetOf = (on: On): Spreadsheet => "spreadsheet" in on ? on.spreadsheet : oneTab(on)

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
        const fake = fakeSpreadsheet(spreadsheetOf(on))
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
        const fake = fakeSpreadsheet(spreadsheetOf(on))
        const [issue] = yield* issuesOf(fake.call(tool, input))
        assert.deepStrictEqual(issue?.path, ["input", ...path])
        assert.include(issue?.message, says)
        const sent = fake.calls.map(({ endpoint }) => endpoint)
        if (sends === undefined) assert.deepStrictEqual(sent.filter((endpoint) => !/get$/i.test(endpoint)), [])
        else assert.deepStrictEqual(sent, sends)
      }))
  }
}
