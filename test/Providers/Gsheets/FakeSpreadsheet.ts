import { Effect, Result } from "effect"
import { InvalidInput, type ToolCallError } from "../../../src/Api/Errors.ts"
import { UpstreamError } from "../../../src/Api/Errors/ProviderErrors.ts"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import type { ProviderCalls, RawInput, SmartTool } from "../../../src/Providers/Provider.ts"
import type { GoogleError } from "../../../src/Sandbox/Providers/Google/GoogleError.ts"
import { blankSpreadsheet } from "../../../src/Sandbox/Providers/Gsheets/Engine/Defaults.ts"
import { notFound } from "../../../src/Sandbox/Providers/Gsheets/Engine/Errors.ts"
import type { MethodResult } from "../../../src/Sandbox/Providers/Gsheets/Engine/Method.ts"
import { callMethod, createSpreadsheet } from "../../../src/Sandbox/Providers/Gsheets/Engine/Methods.ts"
import type { Spreadsheet, Tab } from "../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { writeRows } from "../../../src/Sandbox/Providers/Gsheets/Engine/WriteCells.ts"
import {
  now,
  spreadsheetOf as sandboxSpreadsheetOf,
  type TabFixture,
  type Values
} from "../../Sandbox/Providers/Gsheets/Engine/SpreadsheetFixture.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"
import { assertOutput } from "../../support/ToolOutput.ts"

export const id = "1AbC_d-efGhijklmnop"

export type { Values }

export const spreadsheetOf = (tabs: ReadonlyArray<TabFixture>): Spreadsheet =>
  sandboxSpreadsheetOf(tabs, blankSpreadsheet(id, "Accounts"))

export const oneTab = (typed: Values, tab: Partial<Tab> = {}): Spreadsheet =>
  spreadsheetOf([{ title: "Data", ...tab, typed }])

export const fakeSpreadsheet = (...spreadsheets: ReadonlyArray<Spreadsheet>) => {
  const state = new Map(spreadsheets.map((each) => [each.spreadsheetId, each]))
  const { calls, provider } = fakeProvider((endpoint, input) =>
    Result.match(answerCall(endpoint, input, state), {
      onFailure: ({ body, code, message }) =>
        Effect.fail(new UpstreamError({ status: code, message, details: JSON.parse(JSON.stringify(body)) })),
      onSuccess: ({ body, spreadsheet }) => {
        state.set(spreadsheet.spreadsheetId, spreadsheet)
        return JSON.parse(JSON.stringify(body))
      }
    })
  )
  const spreadsheet = (spreadsheetId = id): Spreadsheet => {
    const found = state.get(spreadsheetId)
    if (found === undefined) throw new Error(`There is no spreadsheet ${spreadsheetId}`)
    return found
  }
  return {
    calls,
    spreadsheet,
    call: (tool: SmartTool, input: object) =>
      callWith(provider, tool, { ...(tool.createsFile === true ? {} : { spreadsheet: id }), ...input }),
    write: (rows: Values): void => {
      const before = spreadsheet()
      const [tab] = before.tabs
      if (tab !== undefined) {
        state.set(id, writeRows(before, tab, { top: 0, left: 0 }, rows, { now, option: "RAW" }).spreadsheet)
      }
    },
    values: (range: string, valueRenderOption = "UNFORMATTED_VALUE"): Values => {
      const result = callMethod("values.get", spreadsheet(), {
        params: { range },
        query: { valueRenderOption: [valueRenderOption] },
        body: undefined,
        now
      })
      return result === undefined ? [] : Object(Result.getOrThrow(result).body).values ?? []
    }
  }
}

export const callWith = (provider: ProviderCalls, tool: SmartTool, input: object) =>
  Effect.flatMap(
    Effect.fromResult(
      Result.mapError(validator(tool.input, ["input"])(input), (details) => new InvalidInput({ details }))
    ),
    (decoded) =>
      Effect.map(tool.run(decoded, provider), (result) => {
        const output = JSON.parse(JSON.stringify(result))
        assertOutput(tool, output)
        return output
      })
  )

export const created = "1CreatedSpreadsheet"

const answerCall = (
  endpoint: string,
  { body, path = {}, query = {} }: RawInput,
  state: ReadonlyMap<string, Spreadsheet>
): Result.Result<MethodResult, GoogleError> => {
  const input = {
    params: path,
    query: queryStrings(query),
    body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)),
    now
  }
  if (endpoint === "spreadsheets.create") return createSpreadsheet(created, input)
  const spreadsheet = state.get(path["spreadsheetId"] ?? "")
  return (spreadsheet && callMethod(endpoint, spreadsheet, input)) ?? Result.fail(notFound)
}

const queryStrings = (query: NonNullable<RawInput["query"]>): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => value === undefined ? [] : [[name, [value].flat().map(String)]])
  )

export const issuesOf = <A, R>(call: Effect.Effect<A, ToolCallError | InvalidInput, R>) =>
  Effect.flatMap(
    Effect.flip(call),
    (error) => error instanceof InvalidInput ? Effect.succeed(error.details ?? []) : Effect.die(error)
  )
