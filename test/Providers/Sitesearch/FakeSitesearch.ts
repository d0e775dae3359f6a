import { assert, it } from "@effect/vitest"
import { Array, DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { InvalidInput } from "../../../src/Api/Errors.ts"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import type { RawInput } from "../../../src/Providers/Provider.ts"
import { sitesearchTools } from "../../../src/Providers/Sitesearch/Tools.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"
import { assertOutput } from "../../support/ToolOutput.ts"

export const url = "https://example.com/"
export const siteList = {
  d: [{ Url: url, IsVerified: true, AuthenticationCode: "AUTHCODE258CAD36", DnsVerificationCode: "dnscode258cad36" }]
}
export const statsRow = (Query: string, Clicks: number, Impressions = 100) => ({
  Query,
  Clicks,
  Impressions,
  AvgImpressionPosition: 4,
  AvgClickPosition: -1,
  Date: "/Date(1771574400000-0800)/"
})

const instant = (text: string) => DateTime.toEpochMillis(DateTime.makeUnsafe(text))
export const toolNamed = (name: string) =>
  Option.getOrThrow(Array.findFirst(sitesearchTools, (tool) => tool.name === name))

/** By default it is the evening of 20 February 2026 in California. */
export const runTool = Effect.fnUntraced(function*(
  name: string,
  input: unknown,
  respond: (endpoint: string, input: RawInput) => unknown,
  now = "2026-02-21T05:00:00Z"
) {
  yield* TestClock.setTime(instant(now))
  const tool = toolNamed(name)
  const { calls, provider } = fakeProvider(respond)
  const decoded = yield* Effect.mapError(
    Effect.fromResult(validator(tool.input, ["input"])(input)),
    (details) => new InvalidInput({ details })
  )
  const output = yield* tool.run(decoded, provider)
  assertOutput(tool, output)
  return { output, calls }
})

export const responses = (bodies: Readonly<Record<string, unknown>>) => (endpoint: string) =>
  endpoint === "GetUserSites" ? bodies[endpoint] ?? siteList : bodies[endpoint]

export interface ToolCase {
  readonly input: Readonly<Record<string, unknown>>
  /** By endpoint. */
  readonly bodies: Readonly<Record<string, unknown>>
  /** A part of the output, texts by a pattern. */
  readonly output: Readonly<Record<string, unknown>>
  readonly now?: string
}

/** A tool's answers, by what they show. */
export const answers = (tool: string, cases: Readonly<Record<string, ToolCase>>) => {
  for (const [behaviour, { bodies, input, now, output: expected }] of Object.entries(cases)) {
    it.effect(behaviour, () =>
      Effect.gen(function*() {
        const { output } = yield* runTool(tool, input, responses(bodies), now)
        for (const [field, value] of Object.entries(expected)) {
          const given = Object(output)[field]
          if (value instanceof RegExp) assert.match(String(given), value)
          else assert.deepStrictEqual(given, value, field)
        }
      }))
  }
}
