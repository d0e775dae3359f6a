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
import { sites as allSites } from "../../../src/Sandbox/Providers/Gsc/Sites.ts"
import { findVerifiedSite, userSites } from "../../../src/Sandbox/Providers/Sitesearch/Sites.ts"
import { rankAndTrafficStats } from "../../../src/Sandbox/Providers/Sitesearch/Traffic.ts"
import { wireDate } from "../../../src/Sandbox/Providers/Sitesearch/WireDates.ts"
import { connectedMember, SandboxServer } from "../../Service/SandboxServer.ts"
import { TestServer } from "../../support/TestServer.ts"
import { bulkIn } from "./Fixture.ts"

type Sums = ReadonlyMap<string, number>

/** The names that `others` gives to further results. */
type Question = readonly [
  name: string,
  result: string,
  sql: string,
  expected: Iterable<readonly [string, number]>,
  others?: Readonly<Record<string, string>>
]

const today = dayAt(Date.now())
/** Of Bing, whose history ends with the day of the question. */
const dates = Array.from({ length: 150 }, (_, index) => wireDate(today - 14 - index))
const inDates = dates.map((date) => `'${date}'`).join()
const week = [today - 14, today - 8] as const
const weekBefore = [today - 21, today - 15] as const

const nameIn = (provider: Provider, name: string): string =>
  resourceOf(provider.id, provider.resourceName(name) ?? name)

// The market has as many rows as all others.
const sites = allSites.filter(({ customer, siteUrl }) => customer !== market && siteUrl.startsWith("sc-domain:"))
const properties = accounts.flatMap(({ properties }) => properties).filter(({ name }) => name !== market.name)
const ownSites = userSites.filter(({ IsVerified, Url }) => IsVerified && !Url.includes(market.domain))

const sumBy = <A>(rows: ReadonlyArray<A>, keyOf: (row: A) => string, valueOf: (row: A) => number): Sums => {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + valueOf(row))
  return sums
}

/** As `ORDER BY 2, 1`. */
const byValue = (cells: Iterable<readonly [string, number]>) =>
  [...cells].toSorted(([a, one], [b, other]) => one - other || (a < b ? -1 : 1))

const sumPerResource = (value: string, where = "true") =>
  `SELECT resource, ${value} FROM result WHERE ${where} GROUP BY 1 ORDER BY 2, 1`

const askAll = Effect.fnUntraced(function*(key: string, body: object) {
  const { request } = yield* TestServer
  const { id } = bulkIn(yield* request("POST", "/v1/bulk-calls", { key, body }))
  const bulk = bulkIn(yield* request("GET", `/v1/bulk-calls/${id}?wait=60`, { key }))
  assert.deepInclude(bulk, { status: "done", failed: 0 })
  return bulk.result?.id ?? ""
})

/** A call for the clicks of each page, and what the sandbox has for each site. */
const searches = ([start, end]: readonly [number, number]) => {
  const body = { startDate: isoOf(start), endDate: isoOf(end), dimensions: ["page" as const], rowLimit: 25_000 }
  const query = { ...body, type: "web", filters: [], aggregation: "byPage", isFinal: true, startRow: 0 } as const
  return {
    request: {
      provider: "gsc",
      endpoint: "searchanalytics.query",
      input: { body },
      resources: sites.map(({ siteUrl }) => siteUrl)
    },
    clicks: Effect.forEach(sites, (site) =>
      Effect.map(
        runQuery(site, query, today),
        ({ rows = [] }) => [...rows].map(({ clicks }) => ({ site: nameIn(gsc, site.siteUrl), clicks }))
      )).pipe(Effect.map((found) => sumBy(found.flat(), ({ site }) => site, ({ clicks }) => clicks)))
  }
}

const landings = {
  provider: "ga4",
  endpoint: "properties.runReport",
  input: {
    body: {
      dateRanges: [{ startDate: isoOf(week[0]), endDate: isoOf(week[1]) }],
      dimensions: [{ name: "landingPage" }],
      metrics: ["sessions", "purchaseRevenue"].map((name) => ({ name })),
      limit: "100000"
    }
  },
  resources: properties.map(({ id }) => id)
}

/** The sessions of the week, by property. */
const sessions = properties.flatMap((property) =>
  Array.from({ length: 7 }, (_, day) => [...sessionsOf(property, week[0] + day)]).flat().map(({ events }) => ({
    property: nameIn(ga4, property.id),
    revenue: events.reduce((sum, { name, revenue }) => name === "purchase" ? sum + revenue : sum, 0)
  }))
)

layer(SandboxServer, { excludeTestServices: true })("Questions over all accounts", (it) => {
  it.effect("have the answers that the data of the sandbox has", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      const { readOnly: key } = yield* connectedMember
      const [now, before] = [searches(week), searches(weekBefore)]
      const requests = {
        now: now.request,
        before: before.request,
        landings,
        traffic: {
          provider: "sitesearch",
          endpoint: "GetRankAndTrafficStats",
          resources: ownSites.map(({ Url }) => Url),
          input: {}
        },
        properties: { provider: "ga4", tool: "ga4_list_properties", input: {} }
      }
      const ids = yield* Effect.all(Records.map(requests, (body) => askAll(key, body)))
      const [clicks, clicksBefore] = [yield* now.clicks, yield* before.clicks]
      const visits = sumBy(sessions, ({ property }) => property, () => 1)
      const revenue = sumBy(sessions, ({ property }) => property, (session) => session.revenue)
      const fromBing = new Map(
        yield* Effect.forEach(ownSites, ({ Url }) =>
          Effect.map(findVerifiedSite(Url), (site) => {
            const days = rankAndTrafficStats(site, today).filter(({ Date }) => dates.includes(Date))
            return [nameIn(sitesearch, Url), days.reduce((sum, { Clicks }) => sum + Clicks, 0)] as const
          }))
      )

      const table: ReadonlyArray<Question> = [
        [
          "which sites lost clicks",
          ids.now,
          `WITH now AS (SELECT resource AS name, sum(clicks) AS total FROM result GROUP BY 1),
            earlier AS (SELECT resource AS name, sum(clicks) AS total FROM before GROUP BY 1)
          SELECT name, now.total - coalesce(earlier.total, 0) AS by FROM now LEFT JOIN earlier USING (name)
          WHERE by < 0 ORDER BY 2, 1`,
          [...clicks].map(([site, sum]) => [site, sum - (clicksBefore.get(site) ?? 0)] as const)
            .filter(([, by]) => by < 0),
          { before: ids.before }
        ],
        ["how many sessions each property has", ids.landings, sumPerResource("sum(sessions)"), visits],
        [
          "how much each property has sold",
          ids.landings,
          sumPerResource("CAST(round(100 * sum(purchaseRevenue)) AS INTEGER)"),
          [...revenue].map(([property, sum]) => [property, Math.round(100 * sum)])
        ],
        [
          "which properties have no data",
          ids.properties,
          `SELECT name, 0 FROM result WHERE property_id NOT IN
            (SELECT replace(replace(resource, 'ga4:', ''), 'properties/', '') FROM landed)
            AND name <> '${market.name}' ORDER BY 2, 1`,
          properties.filter(({ id }) => !visits.has(nameIn(ga4, id))).map(({ name }) => [name, 0]),
          { landed: ids.landings }
        ],
        [
          "how many clicks come from Bing",
          ids.traffic,
          sumPerResource("sum(Clicks)", `Date IN (${inDates})`),
          fromBing
        ],
        [
          "which sites have clicks from Google and from Bing",
          ids.now,
          `WITH google AS (SELECT replace(resource, 'gsc:sc-domain:', '') AS host, sum(clicks) AS total FROM result GROUP BY 1),
            other AS (SELECT rtrim(replace(resource, 'sitesearch:https://www.', ''), '/') AS host, sum(Clicks) AS total
              FROM bing WHERE Date IN (${inDates}) GROUP BY 1)
          SELECT host, google.total + other.total FROM google JOIN other USING (host) ORDER BY 2, 1`,
          [...clicks].flatMap(([site, sum]) => {
            const host = site.replace("gsc:sc-domain:", "")
            const found = fromBing.get(`sitesearch:https://www.${host}/`)
            return found === undefined ? [] : [[host, sum + found] as const]
          }),
          { bing: ids.traffic }
        ]
      ]
      for (const [question, id, sql, expected, results = {}] of table) {
        const answer = yield* request("POST", `/v1/results/${id}/query`, { key, body: { sql, results } })
        assert.deepStrictEqual([question, Object(answer.json).rows], [question, byValue(expected)], answer.text)
        assert.isNotEmpty([...expected], question)
      }
    }))
})
