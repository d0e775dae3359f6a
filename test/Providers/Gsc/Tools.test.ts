import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { gscTools } from "../../../src/Providers/Gsc/Tools.ts"
import { gscQuickWins } from "../../../src/Providers/Gsc/Tools/QuickWins.ts"
import { gscTopQueries } from "../../../src/Providers/Gsc/Tools/TopQueries.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"
import { fixture } from "../../support/Fixtures.ts"
import { findDisagreements } from "../../support/InputSchema.ts"
import { recordedTraffic } from "../../support/OutsideFolder.ts"
import { objectsOf, runTool } from "../../support/RunTool.ts"

const site = "sc-domain:example.com"

describe.each(gscTools)("$name", ({ description, input, name }) => {
  it("accepts exactly what its input_schema does, except for rules beyond JSON Schema", () => {
    const valid = [
      { site },
      { site: "example.com", days: 486, limit: 200, offset: 49_000, fresh: true },
      { site, start: "2025-01-31", end: "2025-02-28" },
      { site, days: 7, start: "", end: "" },
      { site: "https://example.com", exclude_terms: ["a", "b"], country: "de", device: "MOBILE", search_type: "news" },
      { site, query_contains: "", page_contains: "🚀".repeat(500), exclude_terms: "a,b", country: "", device: "" },
      ...(name === "gsc_quick_wins"
        ? [{ site, min_position: 4, max_position: 15.5, min_impressions: 1_000_000, include_page: false }]
        : [{ site, limit: 1000, compare: "PREVIOUS_YEAR" }])
    ]
    const rules = /ISO 3166-1|as one regular expression|not less than min_position|days or start and end|Required with/
    assert.deepStrictEqual(findDisagreements(input, valid, (message) => rules.test(message)), [])
  })

  it("its description covers lag, window, units, order, truncation, empty results and the related tool", () => {
    for (
      const fact of [
        /2 to 3 days behind/,
        /`days` whole days in Pacific time/,
        /fraction/,
        /[Ss]orted by/,
        /`limit` rows.*`has_more`/,
        /`rows` is empty/,
        name === "gsc_top_queries" ? /use gsc_quick_wins/ : /use gsc_top_queries/
      ]
    ) {
      assert.match(description, fact)
    }
  })
})

describe.skipIf(recordedTraffic.isAbsent)(
  `Search Console tools on recorded responses${recordedTraffic.absence}`,
  () => {
    for (const name of ["aifitnessapi__by-query", "velluto__by-query", "pipulate__by-query"] as const) {
      it.effect(`returns plausible figures for ${name}`, () =>
        Effect.gen(function*() {
          const recorded = fixture(`google-search-console/${name}.json`)
          const { provider } = fakeProvider(() => recorded)
          const top = yield* runTool(gscTopQueries, provider, { site, limit: 1000 })
          assert.isAbove(Number(top["returned"]), 0)
          const wins = yield* runTool(gscQuickWins, provider, { site, min_impressions: 1, include_page: false })
          assert.isAbove(Number(wins["matched"]), 0)
          const rows = [...objectsOf(top["rows"]), ...objectsOf(wins["rows"])]
          for (const row of rows) {
            assert.isTrue(Number.isInteger(row["clicks"]) && Number.isInteger(row["impressions"]))
            assert.isTrue(Number(row["ctr"]) >= 0 && Number(row["ctr"]) <= 1)
            assert.isAtLeast(Number(row["position"]), 1)
          }
          for (const row of objectsOf(wins["rows"])) {
            assert.isTrue(Number(row["position"]) >= 8 && Number(row["position"]) <= 20)
          }
        }))
    }
  }
)
