import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { AuthType } from "../../../src/Domain/Connection.ts"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import type { RawEndpoint, RawInput } from "../../../src/Providers/Provider.ts"
import { type Access, ProviderClient } from "../../../src/Providers/ProviderClient.ts"
import { sitesearch } from "../../../src/Providers/Sitesearch/Provider.ts"
import { sitesearchTools } from "../../../src/Providers/Sitesearch/Tools.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"
import { assertFields, type Json, runTool as run } from "../../support/RunTool.ts"
import { testAccess } from "../../support/TestAccess.ts"

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

/** In the evening of 20 February 2026 in California. */
export const runTool = Effect.fnUntraced(function*(
  name: string,
  input: unknown,
  respond: (endpoint: string, input: RawInput) => unknown
) {
  const { calls, provider } = fakeProvider(respond)
  const tool = sitesearchTools.find((tool) => tool.name === name) ?? assert.fail(name)
  return { output: yield* run(tool, provider, input, "2026-02-21T05:00:00Z"), calls }
})

export const responses = (bodies: Json) => (endpoint: string) =>
  endpoint === "GetUserSites" ? bodies[endpoint] ?? siteList : bodies[endpoint]

export interface ToolCase {
  readonly input: Json
  /** By endpoint. */
  readonly bodies: Json
  /** A part of it. */
  readonly output: Json
}

/** A tool's answers, by what they show. */
export const answers = (tool: string, cases: Readonly<Record<string, ToolCase>>) => {
  for (const [behaviour, { bodies, input, output: expected }] of Object.entries(cases)) {
    it.effect(behaviour, () =>
      Effect.gen(function*() {
        const { output } = yield* runTool(tool, input, responses(bodies))
        assertFields(output, expected)
      }))
  }
}

export const apiKey = "5ecre7edecc1ea4ae341cc8b6a1b2c3d4"

export const accessBy = (authType: AuthType) =>
  testAccess({ authType, secret: Effect.succeed(Redacted.make(authType === "api_key" ? apiKey : "first")) })

export const callSitesearch = Effect.fnUntraced(function*(endpoint: RawEndpoint, input: unknown, access: Access) {
  const client = yield* ProviderClient
  const decoded = yield* Effect.orDie(Effect.fromResult(validator(endpoint.input)(input)))
  return yield* client.call({ provider: sitesearch, endpoint, input: decoded, access })
})
