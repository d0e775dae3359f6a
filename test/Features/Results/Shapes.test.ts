import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { answering, clearRange, loggedCall, report, site } from "../../Http/Fixture.ts"
import { type Answer, issuesIn } from "../../support/Answer.ts"
import { seed, TestServer } from "../../support/TestServer.ts"

const figures = [
  { keys: ["shoes, red", "/a"], clicks: 12, impressions: 300, ctr: 0.04, position: 1.25 },
  { keys: ["say \"hi\"", "/b"], clicks: 3, impressions: 40, ctr: 0.075, position: 8 }
]
const rows = JSON.stringify({ site, rows: figures })

const pages = report(["query", "page"])
const readRange = { ...clearRange, endpoint: "values.get" }

const setUp = Effect.fnUntraced(function*(body: string, provider = "gsc") {
  const server = yield* TestServer
  const upstream = yield* answering(() => ({ body }))
  const seeded = yield* seed({ provider })
  return { ...seeded, upstream, call: (request: object) => server.call(seeded.readWrite, request) }
})

/** The data as it was sent. */
const dataIn = ({ text }: Answer): string => text.slice(text.indexOf("\"data\":") + "\"data\":".length, -1)

const issue = (answer: Answer) => issuesIn(answer).map(({ message, path }) => [path.join("."), message])
const paths = (answer: Answer) => issuesIn(answer).map(({ path }) => path.join("."))

const values = JSON.stringify({ values: [["Name", "", "name"], ["a|b", 1], ["c\nd", "", true, 4]] })
const valueRanges = JSON.stringify({
  valueRanges: [{ range: "A", values: [["Name"], ["a"]] }, { range: "B" }, { values: [["Age"], [1]] }]
})
const readRanges = {
  provider: "gsheets",
  endpoint: "values.batchGet",
  input: { path: { spreadsheetId: "s1" }, query: { ranges: ["A", "B", "C"] } },
  format: "csv"
}
const runReport = {
  provider: "ga4",
  endpoint: "properties.runReport",
  input: {
    path: { property: "123" },
    body: { dateRanges: [{ startDate: "7daysAgo", endDate: "today" }], metrics: [{ name: "sessions" }] }
  }
}
const countries = JSON.stringify({
  dimensionHeaders: [{ name: "country" }],
  metricHeaders: [{ name: "sessions", type: "TYPE_INTEGER" }, { name: "revenue", type: "TYPE_CURRENCY" }],
  rows: [
    { dimensionValues: [{ value: "Peru" }], metricValues: [{ value: "12" }, { value: "0.50" }] },
    { dimensionValues: [{}], metricValues: [{}, { value: "3" }] }
  ],
  rowCount: 2
})

const tables: ReadonlyArray<
  readonly [
    what: string,
    body: string,
    call: { readonly provider: string; readonly [field: string]: unknown },
    data: string
  ]
> = [
  [
    "a part of a report as Markdown",
    rows,
    { ...pages, select: "rows[:1]", format: "markdown" },
    "| query | page | clicks | impressions | ctr | position |\n| --- | --- | ---: | ---: | ---: | ---: |\n" +
    "| shoes, red | /a | 12 | 300 | 0.04 | 1.25 |\n"
  ],
  [
    "the header of a report without rows",
    "{\"responseAggregationType\":\"byPage\"}",
    { ...pages, format: "csv" },
    "query,page,clicks,impressions,ctr,position\r\n"
  ],
  [
    "a GA4 report with its headers as columns, and metrics as numbers",
    countries,
    { ...runReport, format: "csv" },
    "country,sessions,revenue\r\nPeru,12,0.50\r\n,0,3\r\n"
  ],
  [
    "the first row of a sheet as its header",
    values,
    { ...readRange, format: "csv" },
    "Name,column_2,name_2,column_4\r\na|b,1,,\r\n\"c\nd\",,true,4\r\n"
  ],
  [
    "no header of another list of lists",
    values,
    { ...readRange, select: "values[1:]", format: "markdown" },
    "| column_1 | column_2 | column_3 | column_4 |\n| --- | --- | --- | ---: |\n| a\\|b | 1 |  |  |\n" +
    "| c<br>d |  | true | 4 |\n"
  ],
  [
    "the header of the first range of a sheet",
    valueRanges,
    { ...readRanges, select: "valueRanges[0].values" },
    "Name\r\na\r\n"
  ],
  [
    "the header of a later range of a sheet",
    valueRanges,
    { ...readRanges, select: "valueRanges[2].values" },
    "Age\r\n1\r\n"
  ],
  [
    "every digit of a number",
    "{\"rows\":[{\"keys\":[],\"clicks\":12345678901234567891,\"ctr\":1.0}]}",
    { ...report([]), format: "csv" },
    "clicks,ctr\r\n12345678901234567891,1.0\r\n"
  ],
  [
    "a list below a field with a space",
    "{\"b c\":[{\"x\":1}]}",
    { ...pages, select: "\"b c\"", format: "csv" },
    "x\r\n1\r\n"
  ]
]

const counted = JSON.stringify({ ...JSON.parse(countries), rowCount: 5 })
const limited = { ...pages, input: { ...pages.input, body: { ...pages.input.body, rowLimit: 2, startRow: 4 } } }
const top = { provider: "gsc", tool: "gsc_top_queries", input: { site, days: 28, limit: 1 } }

/** What a shaped answer says of rows that it lacks. */
const parts: ReadonlyArray<readonly [what: string, body: string, call: typeof pages | object, page: unknown]> = [
  ["a tool's own fields", rows, { ...top, format: "csv" }, { has_more: true, next_offset: 1 }],
  ["them beside a selected part", rows, { ...top, select: "rows[0].query" }, { has_more: true, next_offset: 1 }],
  ["that nothing is missing", rows, { ...top, input: { site, days: 28 }, format: "markdown" }, { has_more: false }],
  ["where a full page goes on", rows, { ...limited, format: "csv" }, { has_more: true, next_offset: 6 }],
  ["nothing of a page with room", rows, { ...pages, format: "csv" }, undefined],
  [
    "the rows of a GA4 report",
    counted,
    { ...runReport, format: "csv_raw" },
    { has_more: true, next_offset: 2, total_rows: 5 }
  ],
  [
    "them for its last page",
    counted,
    { ...runReport, input: { ...runReport.input, body: { ...runReport.input.body, offset: "3" } }, format: "csv" },
    { has_more: false, total_rows: 5 }
  ],
  ["nothing of a whole GA4 report", countries, { ...runReport, format: "csv" }, undefined],
  [
    "the token of the next page",
    JSON.stringify({ accountSummaries: [{ name: "a" }], nextPageToken: "t" }),
    { provider: "ga4", endpoint: "accountSummaries.list", format: "csv" },
    { has_more: true, next_page_token: "t" }
  ],
  ["nothing of a range of cells", values, { ...readRange, format: "csv" }, undefined],
  ["nothing beside JSON as it came", rows, top, undefined]
]

const oneTab = {
  spreadsheetId: "s1",
  properties: { title: "S", locale: "en_US", timeZone: "Etc/UTC" },
  sheets: [{ properties: { sheetId: 0, title: "T", gridProperties: { rowCount: 9, columnCount: 3 } } }]
}

layer(TestServer.layer, { excludeTestServices: true })("select and format", (it) => {
  it.effect("give a part of the answer, while the log and the cache keep the whole", () =>
    Effect.gen(function*() {
      const { call, readOnly, upstream } = yield* setUp(rows)
      const part = yield* call({ ...pages, max_age: 60, select: "rows[?clicks > `5`].keys[0]" })
      assert.strictEqual(dataIn(part), "[\"shoes, red\"]")
      assert.deepInclude((yield* loggedCall(readOnly, part.callId)).response, { data: JSON.parse(rows) })
      const whole = yield* call({ ...pages, max_age: 60 })
      assert.deepInclude(whole.json, { cached: true, data: JSON.parse(rows) })
      const text = yield* call({ ...pages, max_age: 60, format: "csv" })
      assert.deepInclude(text.json, {
        cached: true,
        data: "query,page,clicks,impressions,ctr,position\r\n\"shoes, red\",/a,12,300,0.04,1.25\r\n" +
          "\"say \"\"hi\"\"\",/b,3,40,0.075,8\r\n"
      })
      assert.lengthOf(upstream.requests, 1)
    }))

  it.effect("give figures that are compared columns of their own", () =>
    Effect.gen(function*() {
      const queries = figures.map((row) => ({ ...row, keys: row.keys.slice(0, 1) }))
      const { call } = yield* setUp(JSON.stringify({ rows: queries }))
      const compared = {
        provider: "gsc",
        tool: "gsc_top_queries",
        input: { site, days: 28, compare: "previous_period" }
      }
      const text = yield* call({ ...compared, format: "csv" })
      const [header] = String(Object(text.json).data).split("\r\n")
      assert.strictEqual(
        header,
        "query,clicks,impressions,ctr,position,previous_clicks,previous_impressions,previous_ctr,previous_position," +
          "change_clicks,change_impressions,change_ctr,change_position"
      )
      const kept = yield* call({ ...compared, keep: true, select: "rows[].{q: query, change: change}" })
      assert.strictEqual(kept.status, 200, kept.text)
      const { columns } = Object(kept.json).data.result
      assert.deepStrictEqual(columns.map(({ name, type }: Record<string, unknown>) => `${name}: ${type}`), [
        "q: text",
        ...["clicks", "impressions", "ctr", "position"].map((name) => `change_${name}: number`)
      ])
    }))

  it.effect.each(tables)("write %s", ([, body, request, data]) =>
    Effect.gen(function*() {
      const { call } = yield* setUp(body, request.provider)
      assert.deepInclude((yield* call(request)).json, { data })
    }))

  it.effect("write the columns of a sheet in its order, also without rows", () =>
    Effect.gen(function*() {
      const { call, upstream } = yield* setUp("", "gsheets")
      const read = (cells: ReadonlyArray<ReadonlyArray<string>>, fields: object) => {
        upstream.handle(({ url }) => ({ body: url.includes("/values/") ? { values: cells } : oneTab }))
        const input = { spreadsheet: "s1", omit_empty: true }
        return Effect.map(call({ provider: "gsheets", tool: "sheets_read", input, ...fields }), ({ json }) => json)
      }
      const [header, row] = [["Name", "2024", "Note"], ["a", "5"]]
      const csv = { format: "csv" }
      assert.deepInclude(yield* read([header, row], csv), { data: "_row,Name,2024,Note\r\n2,a,5,\r\n" })
      assert.deepInclude(yield* read([header], csv), { data: "_row,Name,2024,Note\r\n" })
      const select = "rows[].{n: \"2024\", Name: Name}"
      assert.deepInclude(yield* read([header, row], { ...csv, select }), { data: "Name,n\r\na,5\r\n" })
    }))

  it.effect("say as `page` which part of what there is an answer has", () =>
    Effect.gen(function*() {
      const gsc = yield* setUp(rows)
      const others = { ga4: yield* seed({ provider: "ga4" }), gsheets: yield* seed({ provider: "gsheets" }) }
      const server = yield* TestServer
      for (const [what, body, call, page] of parts) {
        gsc.upstream.handle(() => ({ body }))
        const { provider } = Object(call)
        const { readOnly } = provider === "ga4" ? others.ga4 : provider === "gsheets" ? others.gsheets : gsc
        const answer = yield* server.call(readOnly, call)
        assert.strictEqual(answer.status, 200, answer.text)
        assert.deepStrictEqual(Object(answer.json).page, page, what)
      }
    }))

  it.effect("send nothing for an expression with an error, and for a write", () =>
    Effect.gen(function*() {
      const { call, upstream } = yield* setUp(rows)
      const wrong = [
        ["rows[", "", "(".repeat(9000), 5],
        ["'unclosed", "'", "'a\\'", "`5", "`five`", "\"a"],
        ["not_null(rows,)", "not_null(rows site)", "not_null(rows site,)", "[rows site]", "{a: rows b: site}"],
        ["&rows", "[&rows]", "{a: &rows}", "to_string(&rows)", "rows[].[map(&keys, @), &keys]"],
        ["rows[?clicks = `5`]"]
      ].flat()
      for (const select of wrong) {
        assert.deepStrictEqual(paths(yield* call({ ...pages, select })), ["select"], `${select}`)
      }
      const beside = { provider: "nowhere", tool: "x", select: "rows[", format: "xml", max_age: -1 }
      assert.deepStrictEqual(paths(yield* call(beside)), ["max_age", "format", "select"])
      const write = yield* call({ ...clearRange, select: "a", format: "csv" })
      assert.deepStrictEqual(issue(write), [["select", "Only reads take it"], ["format", "Only reads take it"]])
      const document = { provider: "gdocs", tool: "docs_read", input: { document: "1".repeat(44) } }
      assert.deepStrictEqual(paths(yield* call({ ...document, format: "csv" })), ["format"])
      assert.isEmpty(upstream.requests)
    }))

  it.effect("say what fails on the data, which is logged and cached", () =>
    Effect.gen(function*() {
      const { call, readOnly, upstream } = yield* setUp(rows)
      const failures = [
        [{ select: "sum(rows)" }, "select"],
        [{ select: "sort_by(rows, &keys)" }, "select"],
        [{ select: "nothing(rows)" }, "select"],
        [{ select: "pad_left('x', `500000000`)" }, "select"],
        [{ select: "rows[].clicks", format: "csv" }, "format"]
      ] as const
      for (const [fields, field] of failures) {
        const answer = yield* call({ ...pages, ...fields, max_age: 60 })
        assert.deepStrictEqual(paths(answer), [field])
        assert.deepInclude(yield* loggedCall(readOnly, answer.callId), { error_code: "invalid_input" })
      }
      assert.lengthOf(upstream.requests, 1)
    }))

  it.effect("name the nearest table, of the whole answer where the selected part has none", () =>
    Effect.gen(function*() {
      const { call, upstream } = yield* setUp(rows)
      for (const select of ["rows[].clicks", "site", "rows[0].ctr", "nothing"]) {
        for (const [field, fields] of [["format", { format: "csv" }], ["keep", { keep: true }]] as const) {
          const issues = issue(yield* call({ ...pages, select, ...fields }))
          assert.deepStrictEqual(issues, [[field, "Expected a table. The nearest list is `select`: \"rows\""]], select)
        }
      }
      upstream.handle(() => ({ body: { a: { "b c": [{ x: 1 }] } } }))
      assert.include(issue(yield* call({ ...pages, select: "a", format: "csv" }))[0]?.[1], "a | \\\"b c\\\"")
    }))
})
