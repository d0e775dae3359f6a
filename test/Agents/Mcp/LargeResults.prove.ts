import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { connectAll, sandboxServerAt } from "../../Service/SandboxServer.ts"
import { TestDataDir, TestServer } from "../../support/TestServer.ts"
import { callTool } from "./McpFixture.ts"

type Cell = string | number
type Rows = ReadonlyArray<ReadonlyArray<Cell>>

/** On the first Saturday of a month, Harbour Market has more than the 50,000 rows that Search Console gives, in pages. */
const searches = (startRow: number) => ({
  provider: "gsc",
  endpoint: "searchanalytics.query",
  input: {
    path: { siteUrl: "sc-domain:harbourmarket.example" },
    body: {
      startDate: "2026-11-07",
      endDate: "2026-11-07",
      dimensions: ["query", "page"],
      rowLimit: 25_000,
      startRow
    }
  }
})

/** The last Friday of November. */
const visits = {
  provider: "ga4",
  endpoint: "properties.runReport",
  input: {
    path: { property: "430000031" },
    body: {
      dateRanges: [{ startDate: "2025-11-28", endDate: "2025-11-28" }],
      dimensions: [{ name: "landingPage" }, { name: "city" }, { name: "hour" }],
      metrics: [{ name: "sessions" }],
      limit: "250000"
    }
  }
}

const stock = {
  provider: "gsheets",
  endpoint: "values.get",
  input: {
    path: { spreadsheetId: "sandbox-stock", range: "Stock" },
    query: { valueRenderOption: "UNFORMATTED_VALUE" }
  }
}

const Searches = Schema.Struct({
  rows: Schema.Array(Schema.Struct({
    keys: Schema.Tuple([Schema.String, Schema.String]),
    clicks: Schema.Number,
    impressions: Schema.Number
  }))
})

const Visits = Schema.Struct({
  rows: Schema.Array(Schema.Struct({
    dimensionValues: Schema.Tuple([
      Schema.Struct({ value: Schema.String }),
      Schema.Struct({ value: Schema.String }),
      Schema.Struct({ value: Schema.String })
    ]),
    metricValues: Schema.Tuple([Schema.Struct({ value: Schema.NumberFromString })])
  }))
})

const Stock = Schema.Struct({ values: Schema.Array(Schema.Array(Schema.Union([Schema.String, Schema.Number]))) })

/** What an agent asks of each result, and how it joins the answers. */
interface Task<Row> {
  readonly sql: string
  readonly join?: (answers: ReadonlyArray<Rows>) => Rows
  readonly truth: (rows: ReadonlyArray<Row>) => Rows
}

const number = (cell: Cell | undefined) => Number(cell ?? Number.NaN)

const sum = <A>(rows: ReadonlyArray<A>, value: (row: A) => number) => rows.reduce((total, row) => total + value(row), 0)

const totals = <A>(rows: ReadonlyArray<A>, name: (row: A) => string, value: (row: A) => number): Rows => {
  const found = new Map<string, number>()
  for (const row of rows) found.set(name(row), (found.get(name(row)) ?? 0) + value(row))
  return [...found].toSorted(([one], [other]) => one < other ? -1 : 1)
}

const added = (answers: ReadonlyArray<Rows>): Rows => [[sum(answers, ([row]) => number(row?.[0]))]]

const addedByName = (answers: ReadonlyArray<Rows>): Rows =>
  totals(answers.flat(), ([name]) => String(name), ([, value]) => number(value))

/** By a number, the largest first, then by a name. */
const largest = (rows: Rows, count: number): Rows =>
  rows.toSorted(([one = "", a], [other = "", b]) => number(b) - number(a) || (one < other ? -1 : 1)).slice(0, count)

const ofSearches: ReadonlyArray<Task<(typeof Searches.Type)["rows"][number]>> = [
  { sql: "SELECT count(*) FROM result", join: added, truth: (rows) => [[rows.length]] },
  { sql: "SELECT sum(clicks) FROM result", join: added, truth: (rows) => [[sum(rows, ({ clicks }) => clicks)]] },
  {
    sql: "SELECT query || ' ' || page AS pair, impressions FROM result ORDER BY impressions DESC, pair LIMIT 10",
    join: (answers) => largest(answers.flat(), 10),
    truth: (rows) => largest(rows.map(({ impressions, keys }) => [keys.join(" "), impressions]), 10)
  },
  {
    sql: "SELECT sum(clicks) FROM result WHERE query LIKE '%kettle%'",
    join: added,
    truth: (rows) => [[sum(rows.filter(({ keys }) => keys[0].includes("kettle")), ({ clicks }) => clicks)]]
  },
  {
    sql: "SELECT count(*) FROM result WHERE impressions > 5 AND clicks = 0",
    join: added,
    truth: (rows) => [[rows.filter(({ clicks, impressions }) => impressions > 5 && clicks === 0).length]]
  },
  {
    sql: "WITH paths AS (SELECT substr(page, 35) AS path, clicks FROM result) " +
      "SELECT substr(path, 1, instr(path, '/') - 1) AS product, sum(clicks) FROM paths GROUP BY product",
    join: addedByName,
    truth: (rows) => totals(rows, ({ keys }) => new URL(keys[1]).pathname.split("/")[1] ?? "", ({ clicks }) => clicks)
  },
  {
    sql: "SELECT page, sum(impressions) FROM result WHERE query LIKE 'oak desk%' GROUP BY page",
    join: addedByName,
    truth: (rows) =>
      totals(
        rows.filter(({ keys }) => keys[0].startsWith("oak desk")),
        ({ keys }) => keys[1],
        ({ impressions }) => impressions
      )
  }
]

const ofVisits: ReadonlyArray<Task<(typeof Visits.Type)["rows"][number]>> = [
  {
    sql: "SELECT count(*), sum(sessions) FROM result",
    truth: (rows) => [[rows.length, sum(rows, ({ metricValues }) => metricValues[0].value)]]
  },
  {
    sql: "SELECT city, sum(sessions) FROM result GROUP BY city ORDER BY city",
    truth: (rows) =>
      totals(rows, ({ dimensionValues }) => dimensionValues[1].value, ({ metricValues }) => metricValues[0].value)
  },
  {
    sql: "SELECT hour, sum(sessions) FROM result GROUP BY hour ORDER BY hour",
    truth: (rows) =>
      totals(rows, ({ dimensionValues }) => dimensionValues[2].value, ({ metricValues }) => metricValues[0].value)
  },
  {
    sql:
      "SELECT landingPage, sum(sessions) AS total FROM result GROUP BY landingPage ORDER BY total DESC, landingPage " +
      "LIMIT 10",
    truth: (rows) =>
      largest(
        totals(rows, ({ dimensionValues }) => dimensionValues[0].value, ({ metricValues }) => metricValues[0].value),
        10
      )
  },
  {
    sql: "SELECT count(DISTINCT landingPage) FROM result",
    truth: (rows) => [[new Set(rows.map(({ dimensionValues }) => dimensionValues[0].value)).size]]
  },
  {
    sql: "SELECT max(sessions) FROM result WHERE city = 'Dublin'",
    truth: (rows) => [[
      Math.max(
        ...rows.filter(({ dimensionValues }) => dimensionValues[1].value === "Dublin")
          .map(({ metricValues }) => metricValues[0].value)
      )
    ]]
  },
  {
    sql: "SELECT sum(sessions) FROM result WHERE landingPage LIKE '/kettle/%' AND city = 'London'",
    truth: (rows) => [[
      sum(
        rows.filter(({ dimensionValues: [page, city] }) =>
          page.value.startsWith("/kettle/") && city.value === "London"
        ),
        ({ metricValues }) => metricValues[0].value
      )
    ]]
  }
]

const ofStock: ReadonlyArray<Task<ReadonlyArray<Cell>>> = [
  { sql: "SELECT count(*) FROM result", truth: (rows) => [[rows.length]] },
  { sql: "SELECT sum(\"In stock\") FROM result", truth: (rows) => [[sum(rows, (row) => number(row[3]))]] },
  {
    sql: "SELECT SKU, Sold FROM result ORDER BY Sold DESC, SKU LIMIT 5",
    truth: (rows) => largest(rows.map(([sku = "", , , , sold = 0]) => [sku, sold]), 5)
  },
  {
    sql: "SELECT count(*) FROM result WHERE Shelf = 'Aisle 7, shelf 3' AND \"In stock\" = 0",
    truth: (rows) => [[rows.filter((row) => row[5] === "Aisle 7, shelf 3" && row[3] === 0).length]]
  },
  {
    sql: "SELECT Article, \"Note for customers\" FROM result WHERE SKU = 'HM-123456'",
    truth: (rows) => rows.filter(([sku]) => sku === "HM-123456").map((row) => [row[1] ?? "", row[7] ?? ""])
  },
  {
    sql: "SELECT Shelf, sum(Sold) FROM result WHERE Shelf LIKE 'Aisle 12,%' GROUP BY Shelf ORDER BY Shelf",
    truth: (rows) =>
      totals(
        rows.filter((row) => String(row[5]).startsWith("Aisle 12,")),
        (row) => String(row[5]),
        (row) => number(row[4])
      )
  }
]

/** Reads what the calls give as plain JSON, and as a result that the agent then asks. The service asks once for both. */
const read = Effect.fnUntraced(function*<A>(
  key: string,
  calls: ReadonlyArray<object>,
  decode: (data: unknown) => ReadonlyArray<A>
) {
  const { call } = yield* TestServer
  const rows: Array<A> = []
  const results: Array<string> = []
  let plain = 0
  let characters = 0
  for (const each of calls) {
    const asked = { ...each, max_age: 60 }
    const [whole, kept] = yield* Effect.all(
      [call(key, asked), callTool(key, "call_read_endpoint", asked)],
      { concurrency: "unbounded" }
    )
    assert.isAtMost(kept.text.length, 48_000)
    rows.push(...decode(Object(whole.json).data))
    results.push(kept.value["data"].result.id)
    plain += whole.text.length
    characters += JSON.stringify(asked).length + kept.text.length
  }
  return { rows, results, plain, characters }
})

/** For each task, the characters that an agent writes and reads, as a share of those of plain JSON. */
const sharesOf = Effect.fnUntraced(function*<A>(
  key: string,
  { characters, plain, results, rows }: Effect.Success<ReturnType<typeof read<A>>>,
  tasks: ReadonlyArray<Task<A>>
) {
  const shares: Array<number> = []
  for (const { join = (answers: ReadonlyArray<Rows>) => answers.flat(), sql, truth } of tasks) {
    const answers: Array<Rows> = []
    let all = characters
    for (const result of results) {
      const answer = yield* callTool(key, "query_result", { result, sql })
      assert.isFalse(answer.isError, answer.text)
      assert.isAtMost(answer.text.length, 48_000)
      answers.push(answer.value["rows"])
      all += JSON.stringify({ result, sql }).length + answer.text.length
    }
    const expected = truth(rows)
    assert.isNotEmpty(expected, sql)
    assert.deepStrictEqual(join(answers), expected, sql)
    shares.push(all / plain)
  }
  return shares
})

layer(sandboxServerAt("2026-11-24T12:00:00Z").pipe(Layer.provideMerge(TestDataDir.layer)))(
  "An agent with large results",
  (it) => {
    it.effect("answers twenty tasks over three of them right, in a fraction of their characters", () =>
      Effect.gen(function*() {
        const key = yield* connectAll
        const ofSite = yield* read(
          key,
          [searches(0), searches(25_000)],
          (data) => Schema.decodeUnknownSync(Searches)(data).rows
        )
        assert.lengthOf(ofSite.rows, 50_000)
        const ofProperty = yield* read(key, [visits], (data) => Schema.decodeUnknownSync(Visits)(data).rows)
        assert.isAbove(ofProperty.rows.length, 100_000)
        const ofSheet = yield* read(key, [stock], (data) => Schema.decodeUnknownSync(Stock)(data).values.slice(1))
        assert.isAbove(ofSheet.plain, 9_000_000)
        const shares = [
          ...yield* sharesOf(key, ofSite, ofSearches),
          ...yield* sharesOf(key, ofProperty, ofVisits),
          ...yield* sharesOf(key, ofSheet, ofStock)
        ]
        assert.lengthOf(shares, 20)
        assert.isBelow(shares.toSorted((one, other) => one - other)[10] ?? 1, 0.15)
      }))
  }
)
