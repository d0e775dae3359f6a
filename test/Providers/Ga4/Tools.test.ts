import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { ga4ListProperties } from "../../../src/Providers/Ga4/Tools/ListProperties.ts"
import { ga4TrafficByPage } from "../../../src/Providers/Ga4/Tools/TrafficByPage.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"
import { fixture } from "../../support/Fixtures.ts"
import { recordedTraffic } from "../../support/OutsideFolder.ts"
import { objectOf, objectsOf, runTool } from "../../support/RunTool.ts"

const validate = validator(ga4TrafficByPage.input, ["input"])

const issuesOf = (property: unknown) => Option.getOrThrow(Result.getFailure(validate({ property })))

describe("The property of ga4_traffic_by_page", () => {
  it.each(["123", "properties/123", 123])("can be %j", (property) => {
    assert.strictEqual(Result.getOrThrow(validate({ property })).property, "123")
  })

  it.each(["G-ABC123", "UA-1-1", "GTM-XYZ", "g-abc"])(
    "cannot be %s, and the message says where to find it",
    (given) => {
      assert.deepStrictEqual(issuesOf(given), [{
        path: ["input", "property"],
        message: `"${given}" is no property id; expected the number, which ga4_list_properties lists`
      }])
    }
  )
})

describe.skipIf(recordedTraffic.isAbsent)(`Analytics tools on recorded responses${recordedTraffic.absence}`, () => {
  it.effect("lists properties when one account has none", () =>
    Effect.gen(function*() {
      const recorded = fixture("google-analytics/plausible__ga4_list_properties.json")
      const { properties, total } = yield* runTool(ga4ListProperties, fakeProvider(() => recorded).provider, {})
      assert.strictEqual(total, 3)
      assert.deepStrictEqual(objectsOf(properties)[0], {
        property_id: "153293282",
        name: "GA4 - Flood-It!",
        account_id: "54516992",
        account: "Demo Account"
      })
    }))

  it.effect("reads an empty report", () =>
    Effect.gen(function*() {
      const recorded = objectOf(fixture("google-analytics/nango__run-report.json"))
      const { response } = objectsOf(recorded["interactions"])[0] ?? {}
      const report = objectOf(response)["body"]
      const { provider } = fakeProvider(() => ({ reports: [report, report, report] }))
      const output = yield* runTool(ga4TrafficByPage, provider, { property: "123" })
      assert.deepInclude(output, { time_zone: "Europe/Warsaw", rows: [], row_count: 0, end: "2026-10-05" })
    }))
})
