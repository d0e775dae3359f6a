import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ga4Tools } from "../../../src/Providers/Ga4/Tools.ts"
import { ga4ListProperties } from "../../../src/Providers/Ga4/Tools/ListProperties.ts"
import { ga4TrafficByPage } from "../../../src/Providers/Ga4/Tools/TrafficByPage.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"
import { fixture } from "../../support/Fixtures.ts"
import { findDisagreements } from "../../support/InputSchema.ts"
import { recordedTraffic } from "../../support/OutsideFolder.ts"
import { objectOf, objectsOf, runTool } from "../../support/RunTool.ts"

describe.each(ga4Tools)("$name", ({ description, input, name }) => {
  it("accepts exactly what its input_schema does", () => {
    const valid = name === "ga4_list_properties"
      ? [{}, { contains: "", limit: 1000, offset: 3 }, { contains: "🚀".repeat(200) }]
      : [
        { property: 1 },
        { property: "properties/1", days: 1100, limit: 500, offset: 0, channel: "", page_contains: "/a" },
        { property: "1", start: "2024-02-29", end: "2024-12-31", channel: "a", compare: "previous_period" },
        { property: "1", hostname: "a.example", include_query_string: true, exclude_not_set: true }
      ]
    const rules = /days or start and end|Required with/
    assert.deepStrictEqual(findDisagreements(input, valid, (message) => rules.test(message)), [])
  })

  it("its description covers freshness, window, units, order, truncation, empty results and the related tool", () => {
    const facts = name === "ga4_list_properties"
      ? [/`property_id` is what ga4_traffic_by_page takes/, /`properties` is empty/]
      : [
        /24 to 48 hours/,
        /`days` whole days that end yesterday/,
        /fraction/,
        /`rows` is empty/,
        /use ga4_list_properties/
      ]
    for (const fact of [...facts, /Sorted by/, /At most `limit`.*`has_more`/]) assert.match(description, fact)
  })
})

describe.skipIf(recordedTraffic.isAbsent)(`Analytics tools on recorded responses${recordedTraffic.absence}`, () => {
  it.effect("lists properties when one account has none", () =>
    Effect.gen(function*() {
      const recorded = fixture("google-analytics/plausible__ga4_list_properties.json")
      const { provider } = fakeProvider(() => recorded)
      const { properties, total } = yield* runTool(ga4ListProperties, provider, {})
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

  it.effect("reads a batch of reports with rows", () =>
    Effect.gen(function*() {
      const recorded = fixture("google-analytics/plausible__ga4_report_imported_sources.json")
      const { provider } = fakeProvider(() => recorded)
      const output = yield* runTool(ga4TrafficByPage, provider, { property: "123" })
      assert.isAbove(objectsOf(output["rows"]).length, 0)
      for (const row of objectsOf(output["rows"])) {
        assert.isTrue(Number.isInteger(row["sessions"]) && Number.isInteger(row["users"]))
      }
    }))
})
