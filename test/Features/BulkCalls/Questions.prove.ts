import { assert, layer } from "@effect/vitest"
import { Effect, Record as Records } from "effect"
import { resourceOf } from "../../../src/Domain/Access/Resource.ts"
import { ga4 } from "../../../src/Providers/Ga4/Provider.ts"
import { gsc } from "../../../src/Providers/Gsc/Provider.ts"
import type { Provider } from "../../../src/Providers/Provider.ts"
import { sitesearch } from "../../../src/Providers/Sitesearch/Provider.ts"
import { dayAt, isoOf } from "../../../src/Sandbox/Data/Day.ts"
import { market } from "../../../src/Sandbox/Data/Portfolio.ts"
import { accounts } from "../../../src/Sandbox/Providers/Ga4/Properties.ts"
import { sessionsOf } from "../../../src/Sandbox/Providers/Ga4/Sessions.ts"
import { runQuery } from "../../../src/Sandbox/Providers/Gsc/SearchAnalytics.ts"
import type { Dimension } from "../../../src/Sandbox/Providers/Gsc/SearchAnalyticsRequest.ts"
import { sites as allSites } from "../../../src/Sandbox/Providers/Gsc/Sites.ts"
import { findVerifiedSite, userSites } from "../../../src/Sandbox/Providers/Sitesearch/Sites.ts"
import { queryStats, rankAndTrafficStats } from "../../../src/Sandbox/Providers/Sitesearch/Traffic.ts"
import { wireDate } from "../../../src/Sandbox/Providers/Sitesearch/WireDates.ts"
import { connectedMember, SandboxServer } from "../../Service/SandboxServer.ts"
import { TestServer } from "../../support/TestServer.ts"
import { bulkIn } from "./Fixture.ts"

type Cells = ReadonlyArray<string | number>
type Sums = ReadonlyMap<string, number>

type Question = readonly [
  name: string,
  result: string,
  sql: string,
  expected: ReadonlyArray<Cells>,
  others?: Readonly<Record<string, string>>
]

const today = dayAt(Date.now())
/** Of Bing, whose history ends with the day of the question. */
const dates = Array.from({ length: 150 }, (_, index) => wireDate(today - 14 - index))
const inDates = dates.map((date) => `'${date}'`).join()
const weeks = { now: [today - 14, today - 8], before: [today - 21, today - 15] } as const
type Week = keyof typeof weeks

const nameIn = (provider: Provider, name: string): string =>
  resourceOf(provider.id, provider.resourceName(name) ?? name)

// The market has as many rows as all others.
const sites = allSites.filter(({ customer, siteUrl }) => customer !== market && siteUrl.startsWith("sc-domain:"))
const properties = accounts.flatMap(({ properties }) => properties).filter(({ name }) => name !== market.name)
const ownSites = userSites.filter(({ IsVerified, Url }) => IsVerified && !Url.includes(market.domain))

const askAll = Effect.fnUntraced(function*(key: string, body: object) {
  const { request } = yield* TestServer
  const { id } = bulkIn(yield* request("POST", "/v1/bulk-calls", { key, body }))
  const bulk = bulkIn(yield* request("GET", `/v1/bulk-calls/${id}?wait=60`, { key }))
  assert.deepInclude(bulk, { status: "done", failed: 0 })
  return bulk.result?.id ?? ""
})

const searches = (dimension: Dimension, week: Week) => {
  const [start, end] = weeks[week]
  const body = { startDate: isoOf(start), endDate: isoOf(end), dimensions: [dimension], rowLimit: 25_000 }
  return {
    request: {
      provider: "gsc",
      endpoint: "searchanalytics.query",
      input: { body },
      resources: sites.map(({ siteUrl }) => siteUrl)
    },
    truth: Effect.forEach(sites, (site) =>
      Effect.map(
        runQuery(site, {
          ...body,
          type: "web",
          filters: [],
          aggregation: dimension === "page" ? "byPage" : "byProperty",
          isFinal: true,
          startRow: 0
        }, today),
        ({ rows = [] }) =>
          [...rows].map(({ clicks, impressions, keys: [value = ""] = [], position = 0 }) => ({
            site: nameIn(gsc, site.siteUrl),
            value,
            clicks,
            impressions,
            position
          }))
      )).pipe(Effect.map((found) => found.flat()))
  }
}

interface Landing {
  readonly property: string
  readonly page: string
  readonly sessions: number
  readonly sold: number
  readonly revenue: number
}

const landings = (week: Week) => {
  const [start, end] = weeks[week]
  return {
    request: {
      provider: "ga4",
      endpoint: "properties.runReport",
      input: {
        body: {
          dateRanges: [{ startDate: isoOf(start), endDate: isoOf(end) }],
          dimensions: [{ name: "landingPage" }],
          metrics: ["sessions", "ecommercePurchases", "purchaseRevenue"].map((name) => ({ name })),
          limit: "100000"
        }
      },
      resources: properties.map(({ id }) => id)
    },
    truth: properties.flatMap((property) => {
      const pages = new Map<string, Landing>()
      for (let day = start; day <= end; day++) {
        for (const { events, landing } of sessionsOf(property, day)) {
          const page = landing === undefined ? "(not set)" : landing === null ? "" : landing.path
          const found = pages.get(page) ??
            { property: nameIn(ga4, property.id), page, sessions: 0, sold: 0, revenue: 0 }
          const purchases = events.filter(({ name }) => name === "purchase")
          pages.set(page, {
            ...found,
            sessions: found.sessions + 1,
            sold: found.sold + purchases.length,
            revenue: purchases.reduce((sum, { revenue }) => sum + revenue, found.revenue)
          })
        }
      }
      return [...pages.values()]
    })
  }
}

const sumBy = <A>(rows: ReadonlyArray<A>, keyOf: (row: A) => string, valueOf: (row: A) => number): Sums => {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + valueOf(row))
  return sums
}

/** As `ORDER BY 2, 1`. */
const byValue = (cells: Iterable<readonly [string, number]>): ReadonlyArray<Cells> =>
  [...cells].toSorted(([a, one], [b, other]) => one - other || (a < b ? -1 : 1))

const changes = (now: Sums, before: Sums, sign: "<" | ">") =>
  byValue(
    [...now].map(([name, sum]) => [name, sum - (before.get(name) ?? 0)] as const)
      .filter(([, by]) => sign === "<" ? by < 0 : by > 0)
  )

const change = (value: string, sign: "<" | ">", key = "resource") =>
  `WITH now AS (SELECT ${key} AS name, sum(${value}) AS total FROM result GROUP BY 1),
    earlier AS (SELECT ${key} AS name, sum(${value}) AS total FROM before GROUP BY 1)
  SELECT name, now.total - coalesce(earlier.total, 0) AS by FROM now LEFT JOIN earlier USING (name)
  WHERE by ${sign} 0 ORDER BY 2, 1`

const per = (value: string, where = "true", key = "resource") =>
  `SELECT ${key}, ${value} FROM result WHERE ${where} GROUP BY 1 ORDER BY 2, 1`

/** How many queries the other table lacks. */
const lacking = (other: string) =>
  per(
    "count(*)",
    `NOT EXISTS (SELECT 1 FROM ${other} WHERE ${other}.resource = result.resource AND ${other}.query = result.query)`
  )

const total = (rows: ReadonlyArray<{ readonly Clicks: number }>) => rows.reduce((sum, row) => sum + row.Clicks, 0)
const shown = (rows: ReadonlyArray<{ readonly Impressions: number }>) =>
  rows.reduce((sum, row) => sum + row.Impressions, 0)
const host = (site: string) => site.replace(/^.*?(?:sc-domain:|https:\/\/(?:www\.)?)/, "").replace(/\/$/, "")

layer(SandboxServer, { excludeTestServices: true })("Questions over all accounts", (it) => {
  it.effect("have the answers that the data of the sandbox has", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      const { readOnly: key } = yield* connectedMember
      const [pages, pagesBefore] = [searches("page", "now"), searches("page", "before")]
      const [queries, queriesBefore] = [searches("query", "now"), searches("query", "before")]
      const [landed, landedBefore] = [landings("now"), landings("before")]
      const own = { provider: "sitesearch", resources: ownSites.map(({ Url }) => Url), input: {} }
      const requests = { pages, pagesBefore, queries, queriesBefore, landed, landedBefore }
      const ids = {
        ...yield* Effect.all(Records.map(requests, ({ request }) => askAll(key, request))),
        traffic: yield* askAll(key, { ...own, endpoint: "GetRankAndTrafficStats" }),
        words: yield* askAll(key, { ...own, endpoint: "GetQueryStats" }),
        properties: yield* askAll(key, { provider: "ga4", tool: "ga4_list_properties", input: {} })
      }
      const [p, pb, q, qb] = yield* Effect.all([pages.truth, pagesBefore.truth, queries.truth, queriesBefore.truth])
      const traffic = yield* Effect.forEach(ownSites, ({ Url }) =>
        Effect.map(findVerifiedSite(Url), (site) => ({
          site: nameIn(sitesearch, Url),
          days: rankAndTrafficStats(site, today).filter(({ Date }) => dates.includes(Date)),
          words: queryStats(site, today).filter(({ Date }) => dates.includes(Date))
        })))
      const clicks = (rows: typeof p) => sumBy(rows, ({ site }) => site, (row) => row.clicks)
      const seen = (rows: typeof p) => sumBy(rows, ({ site }) => site, (row) => row.impressions)
      const count = (rows: ReadonlyArray<{ readonly site: string }>) =>
        byValue(sumBy(rows, ({ site }) => site, () => 1))
      const keyOf = ({ site, value }: typeof p[number]) => `${site} ${value}`
      const [known, asked] = [new Set(qb.map(keyOf)), new Set(q.map(keyOf))]
      const sessions = (rows: typeof landed.truth) => sumBy(rows, ({ property }) => property, (row) => row.sessions)
      const sold = landed.truth.filter((row) => row.sold > 0)
      const ofSite = (pick: (found: typeof traffic[number]) => number) =>
        byValue(traffic.map((found) => [found.site, pick(found)] as const))
      const withSessions = new Set(landed.truth.map(({ property }) => property))

      const pageClicks = [p, pb].map((rows) => sumBy(rows, ({ value }) => value, (row) => row.clicks))
      const [ofPages = new Map(), ofPagesBefore = new Map()] = pageClicks
      const afterPages = { before: ids.pagesBefore }
      const afterLandings = { before: ids.landedBefore }
      const [visits, visitsBefore] = [sessions(landed.truth), sessions(landedBefore.truth)]
      const revenue = sumBy(landed.truth, ({ property }) => property, (row) => row.revenue)
      const named = "resource || ' ' || landingPage"

      const table: ReadonlyArray<Question> = [
        ...(["<", ">"] as const).flatMap((sign): ReadonlyArray<Question> => [
          [
            `clicks of sites ${sign} 0`,
            ids.pages,
            change("clicks", sign),
            changes(clicks(p), clicks(pb), sign),
            afterPages
          ],
          [
            `sessions ${sign} 0`,
            ids.landed,
            change("sessions", sign),
            changes(visits, visitsBefore, sign),
            afterLandings
          ]
        ]),
        [
          "which sites are seen more",
          ids.pages,
          change("impressions", ">"),
          changes(seen(p), seen(pb), ">"),
          afterPages
        ],
        [
          "which pages lost clicks",
          ids.pages,
          change("clicks", "<", "page"),
          changes(ofPages, ofPagesBefore, "<"),
          afterPages
        ],
        [
          "how many queries are new",
          ids.queries,
          lacking("before"),
          count(q.filter((row) => !known.has(keyOf(row)))),
          { before: ids.queriesBefore }
        ],
        [
          "how many queries are gone",
          ids.queriesBefore,
          lacking("now"),
          count(qb.filter((row) => !asked.has(keyOf(row)))),
          { now: ids.queries }
        ],
        [
          "how many queries are just off the first page",
          ids.queries,
          per("count(*)", "position BETWEEN 8 AND 20 AND impressions >= 5"),
          count(q.filter(({ impressions, position }) => position >= 8 && position <= 20 && impressions >= 5))
        ],
        [
          "how many pages are seen and not clicked",
          ids.pages,
          per("count(*)", "clicks = 0"),
          count(p.filter((row) => row.clicks === 0))
        ],
        [
          "how often people click",
          ids.queries,
          per("1000 * sum(clicks) / sum(impressions)"),
          byValue([...clicks(q)].map(([site, sum]) => [site, Math.floor(1000 * sum / (seen(q).get(site) ?? 1))]))
        ],
        ["how many pages each site has in search", ids.pages, per("count(DISTINCT page)"), count(p)],
        ["how many sessions each property has", ids.landed, per("sum(sessions)"), byValue(visits)],
        [
          "which pages convert",
          ids.landed,
          per("sum(ecommercePurchases) AS sold", "ecommercePurchases > 0", named),
          byValue(sold.map(({ page, property, sold }) => [`${property} ${page}`, sold]))
        ],
        [
          "which pages do not convert",
          ids.landed,
          per("sum(sessions)", "ecommercePurchases = 0 AND sessions >= 10", named),
          byValue(
            landed.truth.filter(({ sessions, sold }) => sold === 0 && sessions >= 10)
              .map(({ page, property, sessions }) => [`${property} ${page}`, sessions])
          )
        ],
        [
          "how much each property has sold",
          ids.landed,
          per("CAST(round(100 * sum(purchaseRevenue)) AS INTEGER)"),
          byValue([...revenue].map(([property, sum]) => [property, Math.round(100 * sum)]))
        ],
        [
          "which properties have no data",
          ids.properties,
          `SELECT name, 0 FROM result WHERE property_id NOT IN
            (SELECT replace(replace(resource, 'ga4:', ''), 'properties/', '') FROM landed)
            AND name <> '${market.name}' ORDER BY 2, 1`,
          byValue(properties.filter(({ id }) => !withSessions.has(nameIn(ga4, id))).map(({ name }) => [name, 0])),
          { landed: ids.landed }
        ],
        [
          "how many clicks come from Bing",
          ids.traffic,
          per("sum(Clicks)", `Date IN (${inDates})`),
          ofSite(({ days }) => total(days))
        ],
        [
          "how often people click in Bing",
          ids.words,
          per("1000 * sum(Clicks) / sum(Impressions)", `Date IN (${inDates})`),
          ofSite(({ words }) => Math.floor(1000 * total(words) / shown(words)))
        ],
        [
          "which sites have clicks from Google and from Bing",
          ids.pages,
          `WITH google AS (SELECT replace(resource, 'gsc:sc-domain:', '') AS host, sum(clicks) AS total FROM result GROUP BY 1),
            other AS (SELECT rtrim(replace(resource, 'sitesearch:https://www.', ''), '/') AS host, sum(Clicks) AS total
              FROM bing WHERE Date IN (${inDates}) GROUP BY 1)
          SELECT host, google.total + other.total FROM google JOIN other USING (host) ORDER BY 2, 1`,
          byValue([...clicks(p)].flatMap(([site, sum]) => {
            const found = traffic.find((each) => each.site.includes("www.") && host(each.site) === host(site))
            return found === undefined ? [] : [[host(site), sum + total(found.days)] as const]
          })),
          { bing: ids.traffic }
        ]
      ]
      assert.lengthOf(table, 20)
      for (const [question, id, sql, expected, results = {}] of table) {
        const answer = yield* request("POST", `/v1/results/${id}/query`, { key, body: { sql, results } })
        assert.deepStrictEqual([question, Object(answer.json).rows], [question, expected], answer.text)
        assert.isNotEmpty(expected, question)
      }
    }))
})
