import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { customers } from "../../../../src/Sandbox/Data/Portfolio.ts"
import { at, now, sandboxAt } from "../../SandboxFixture.ts"
import { blog, domain, filtered, keysOf, query, reportOf, request, sitePath, sum } from "./Fixture.ts"

const inspect = (inspectionUrl: string, siteUrl = domain) =>
  request("/v1/urlInspection/index:inspect", { siteUrl, inspectionUrl, languageCode: "en-US" })

const old = "https://old.fernhill.example/"

layer(sandboxAt(now))("Search Console", (it) => {
  it.effect("lists two sites, an unverified one, and a domain and a host of each customer", () =>
    Effect.gen(function*() {
      const { text } = yield* request("/webmasters/v3/sites")
      assert.deepStrictEqual(at(text, "siteEntry"), [
        { siteUrl: domain, permissionLevel: "siteOwner" },
        { siteUrl: blog, permissionLevel: "siteFullUser" },
        { siteUrl: old, permissionLevel: "siteUnverifiedUser" },
        ...customers.flatMap(({ domain }) => [
          { siteUrl: `sc-domain:${domain}`, permissionLevel: "siteFullUser" },
          { siteUrl: `https://www.${domain}/`, permissionLevel: "siteFullUser" }
        ])
      ])
      const { text: one } = yield* request(sitePath(old))
      assert.deepStrictEqual(at(one), { siteUrl: old, permissionLevel: "siteUnverifiedUser" })
    }))

  it.effect("responds 403 to a request for data of an unverified site, and of a URL outside the site", () =>
    Effect.gen(function*() {
      const outside = inspect("https://www.fernhill.example/", blog)
      for (const answer of [query({}, old), request(`${sitePath(old)}/sitemaps`), inspect(`${old}a`, old), outside]) {
        assert.strictEqual((yield* answer).status, 403)
      }
    }))

  it.effect("has most clicks first by query, consistent rates and positions, and queries on page two", () =>
    Effect.gen(function*() {
      const { rows } = yield* reportOf({ dimensions: ["query"] })
      assert.isAbove(rows.length, 300)
      assert.strictEqual(rows[0]?.keys?.[0], "fernhill")
      const clicks = rows.map((row) => row.clicks)
      assert.deepStrictEqual(clicks, clicks.toSorted((a, b) => b - a))
      for (const row of rows) {
        assert.isTrue(Number.isInteger(row.clicks) && Number.isInteger(row.impressions))
        assert.isAtMost(row.clicks, row.impressions)
        assert.strictEqual(row.ctr, row.clicks / row.impressions)
        assert.isAtLeast(row.position ?? 0, 1)
      }
      const wins = rows.filter(({ impressions, position = 0 }) => position >= 8 && position <= 20 && impressions >= 50)
      assert.isAbove(wins.length, 25)
      assert.isBelow(sum(wins, "clicks") / sum(wins, "impressions"), 0.05)
    }))

  it.effect("omits anonymized queries, which are in the totals", () =>
    Effect.gen(function*() {
      const total = sum((yield* reportOf()).rows, "impressions")
      const { rows } = yield* reportOf({ dimensions: ["query"] })
      const shown = sum(rows, "impressions")
      assert.isAbove(shown, total * 0.4)
      assert.isBelow(shown, total * 0.85)
      const having = yield* reportOf(filtered("query", "contains", "fernhill"))
      const lacking = yield* reportOf(filtered("query", "notContains", "fernhill"))
      assert.strictEqual(sum(having.rows, "impressions") + sum(lacking.rows, "impressions"), shown)
    }))

  it.effect("pages a report by rowLimit (1000 if it is not set) and startRow, and empty past the end", () =>
    Effect.gen(function*() {
      const { rows: all } = yield* reportOf({ dimensions: ["query", "device"] })
      const { rows: first } = yield* reportOf({ dimensions: ["query", "device"], rowLimit: 10 })
      const { rows: next } = yield* reportOf({ dimensions: ["query", "device"], rowLimit: 10, startRow: 10 })
      assert.deepStrictEqual([...first, ...next], all.slice(0, 20))
      const past = yield* reportOf({ dimensions: ["query"], startRow: 100_000 })
      assert.deepStrictEqual<unknown>(past, { rows: [], responseAggregationType: "byProperty" })
      const byDate = yield* reportOf({ dimensions: ["query", "date"], rowLimit: 7, startRow: 3000 })
      const whole = yield* reportOf({ dimensions: ["query", "date"] })
      assert.deepStrictEqual(byDate.rows, whole.rows.slice(3000, 3007))
      const unlimited = yield* reportOf({ dimensions: ["query", "page", "country", "device"], rowLimit: undefined })
      assert.lengthOf(unlimited.rows, 1000)
    }))

  it.effect("has final data until two days ago, and otherwise an incomplete yesterday", () =>
    Effect.gen(function*() {
      const dates = { dimensions: ["date"], startDate: "2026-03-10", endDate: "2026-04-30" }
      const final = yield* reportOf(dates)
      assert.strictEqual(keysOf(final.rows).at(-1), "2026-03-16")
      assert.isUndefined(final.metadata)
      const all = yield* reportOf({ ...dates, dataState: "all" })
      assert.strictEqual(keysOf(all.rows).at(-1), "2026-03-17")
      assert.deepStrictEqual(all.metadata, { firstIncompleteDate: "2026-03-17" })
      assert.deepStrictEqual(all.rows.slice(0, -1), final.rows)
      const [whole, partial] = all.rows.slice(-2)
      assert.isBelow(partial?.impressions ?? 0, (whole?.impressions ?? 0) * 0.8)
      const past = yield* reportOf({ dimensions: ["date"], dataState: "all" })
      assert.isUndefined(past.metadata)
    }))
})
