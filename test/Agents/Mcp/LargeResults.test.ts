import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../../support/TestServer.ts"
import { callTool } from "./McpFixture.ts"

const countries = ["che", "deu", "per", "jpn"]
const owners = ["Ana", "Ben", "Cho"]

const queries = Array.from({ length: 50_000 }, (_, index) => ({
  query: `how to repair a bicycle wheel ${index * 7919 % 50_000}`,
  country: countries[index % 4] ?? "",
  clicks: index * 31 % 997,
  impressions: index * 17 % 9973 + 1
}))

const visits = Array.from({ length: 100_000 }, (_, index) => ({
  page: `/guides/wheels/chapter-${index}`,
  sessions: index * 13 % 1009,
  users: index * 11 % 499
}))

const orders = Array.from({ length: 60_000 }, (_, index) => ({
  order: 1_000_000 + index,
  owner: owners[index % 3] ?? "",
  amount: index * 19 % 5003,
  note: `delivered to the depot of the customer at the second gate ${"x".repeat(100)} ${index}`
}))

const searchConsole = {
  tool: {
    provider: "gsc",
    endpoint: "searchanalytics.query",
    input: {
      path: { siteUrl: "sc-domain:example.com" },
      body: { startDate: "2026-01-01", endDate: "2026-06-30", dimensions: ["query", "country"] }
    }
  },
  body: () => ({
    rows: queries.map(({ clicks, country, impressions, query }) => ({
      keys: [query, country],
      clicks,
      impressions,
      ctr: clicks / impressions,
      position: 7.25
    }))
  })
}

const analytics = {
  tool: {
    provider: "ga4",
    endpoint: "properties.runReport",
    input: {
      path: { property: "123" },
      body: {
        dateRanges: [{ startDate: "90daysAgo", endDate: "yesterday" }],
        dimensions: [{ name: "landingPage" }],
        metrics: [{ name: "sessions" }, { name: "totalUsers" }],
        limit: "100000"
      }
    }
  },
  body: () => ({
    dimensionHeaders: [{ name: "landingPage" }],
    metricHeaders: [{ name: "sessions", type: "TYPE_INTEGER" }, { name: "totalUsers", type: "TYPE_INTEGER" }],
    rows: visits.map(({ page, sessions, users }) => ({
      dimensionValues: [{ value: page }],
      metricValues: [{ value: `${sessions}` }, { value: `${users}` }]
    })),
    rowCount: visits.length
  })
}

const spreadsheet = {
  tool: {
    provider: "gsheets",
    endpoint: "values.get",
    input: {
      path: { spreadsheetId: "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde", range: "Orders" },
      query: { valueRenderOption: "UNFORMATTED_VALUE" }
    }
  },
  body: () => ({
    range: "Orders!A1:D60001",
    majorDimension: "ROWS",
    values: [
      ["Order", "Owner", "Amount", "Note"],
      ...orders.map(({ amount, note, order, owner }) => [order, owner, amount, note])
    ]
  })
}

const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)

const totals = <A>(
  rows: ReadonlyArray<A>,
  names: ReadonlyArray<string>,
  of: (row: A) => string,
  value: (row: A) => number
) => names.toSorted().map((name) => [name, sum(rows.filter((row) => of(row) === name).map(value))])

type Rows = ReadonlyArray<ReadonlyArray<string | number>>

const tasks: ReadonlyArray<{
  readonly data: typeof searchConsole | typeof analytics | typeof spreadsheet
  readonly tasks: ReadonlyArray<readonly [sql: string, truth: () => Rows]>
}> = [
  {
    data: searchConsole,
    tasks: [
      ["SELECT count(*) FROM result", () => [[50_000]]],
      ["SELECT sum(clicks) FROM result", () => [[sum(queries.map(({ clicks }) => clicks))]]],
      [
        "SELECT country, sum(clicks) FROM result GROUP BY country ORDER BY country",
        () => totals(queries, countries, ({ country }) => country, ({ clicks }) => clicks)
      ],
      [
        "SELECT query, clicks FROM result ORDER BY clicks DESC, query LIMIT 10",
        () =>
          queries.toSorted((a, b) => b.clicks - a.clicks || (a.query < b.query ? -1 : 1)).slice(0, 10)
            .map(({ clicks, query }) => [query, clicks])
      ],
      [
        "SELECT count(*) FROM result WHERE impressions > 9000 AND clicks = 0",
        () => [[queries.filter(({ clicks, impressions }) => impressions > 9000 && clicks === 0).length]]
      ],
      ["SELECT max(impressions) FROM result", () => [[Math.max(...queries.map(({ impressions }) => impressions))]]],
      [
        "SELECT query FROM result WHERE query LIKE '% 4999_' ORDER BY query",
        () =>
          queries.map(({ query }) => query).filter((query) => / 4999\d$/.test(query)).toSorted().map((query) => [query])
      ]
    ]
  },
  {
    data: analytics,
    tasks: [
      ["SELECT count(*), sum(sessions) FROM result", () => [[100_000, sum(visits.map(({ sessions }) => sessions))]]],
      ["SELECT sum(totalUsers) FROM result", () => [[sum(visits.map(({ users }) => users))]]],
      ["SELECT count(*) FROM result WHERE sessions = 0", () => [[visits.filter((row) => row.sessions === 0).length]]],
      [
        "SELECT landingPage, sessions FROM result ORDER BY sessions DESC, landingPage LIMIT 5",
        () =>
          visits.toSorted((a, b) => b.sessions - a.sessions || (a.page < b.page ? -1 : 1)).slice(0, 5)
            .map(({ page, sessions }) => [page, sessions])
      ],
      [
        "SELECT sessions FROM result WHERE landingPage = '/guides/wheels/chapter-77777'",
        () => [[visits[77_777]?.sessions ?? -1]]
      ],
      [
        "SELECT count(*) FROM result WHERE sessions > 10 * totalUsers",
        () => [[visits.filter(({ sessions, users }) => sessions > 10 * users).length]]
      ],
      ["SELECT count(DISTINCT sessions) FROM result", () => [[new Set(visits.map(({ sessions }) => sessions)).size]]]
    ]
  },
  {
    data: spreadsheet,
    tasks: [
      ["SELECT count(*) FROM result", () => [[60_000]]],
      [
        "SELECT Owner, sum(Amount) FROM result GROUP BY Owner ORDER BY Owner",
        () => totals(orders, owners, ({ owner }) => owner, ({ amount }) => amount)
      ],
      ["SELECT Amount FROM result WHERE \"Order\" = 1054321", () => [[orders[54_321]?.amount ?? -1]]],
      ["SELECT max(Amount), min(Amount) FROM result", () => [[5002, 0]]],
      [
        "SELECT count(*) FROM result WHERE Owner = 'Ben' AND Amount > 4000",
        () => [[orders.filter(({ amount, owner }) => owner === "Ben" && amount > 4000).length]]
      ],
      ["SELECT substr(Note, -5) FROM result WHERE \"Order\" = 1059999", () => [["59999"]]]
    ]
  }
]

layer(TestServer.layer, { excludeTestServices: true })("An agent with large results", (it) => {
  it.effect(
    "answers twenty tasks over three of them right, in a fraction of their characters",
    () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        const shares: Array<number> = []
        for (const { data, tasks: ofData } of tasks) {
          const body = JSON.stringify(data.body())
          upstream.handle(() => ({ body }))
          const { readOnly } = yield* seed({ provider: data.tool.provider })
          const kept = yield* callTool(readOnly, "call_read_endpoint", data.tool)
          assert.isAtMost(kept.text.length, 48_000)
          for (const [sql, truth] of ofData) {
            const args = { result: kept.value.data.result.id, sql }
            const answer = yield* callTool(readOnly, "query_result", args)
            assert.deepStrictEqual(answer.value.rows, truth(), sql)
            assert.isAtMost(answer.text.length, 48_000)
            const asked = JSON.stringify(data.tool).length + JSON.stringify(args).length
            shares.push((asked + kept.text.length + answer.text.length) / body.length)
          }
        }
        assert.lengthOf(shares, 20)
        assert.isBelow(shares.toSorted((one, other) => one - other)[10] ?? 1, 0.15)
      }),
    120_000
  )
})
