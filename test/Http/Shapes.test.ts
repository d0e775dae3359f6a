import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, assertError, issuesIn } from "../support/Answer.ts"
import { longestHold, maxHoldMillis } from "../support/EventLoop.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { clearRange, loggedCall, site } from "./Fixture.ts"

const report = {
  provider: "gsc",
  endpoint: "searchanalytics.query",
  input: {
    path: { siteUrl: site },
    body: { startDate: "2026-01-01", endDate: "2026-01-31", dimensions: ["query", "page"] }
  }
}

const rows = [
  { keys: ["shoes, red", "/a"], clicks: 12, impressions: 300, ctr: 0.04, position: 1.25 },
  { keys: ["say \"hi\"", "/b"], clicks: 3, impressions: 40, ctr: 0.075, position: 8 }
]

const setUp = Effect.fnUntraced(function*(body: unknown, provider = "gsc") {
  const server = yield* TestServer
  const upstream = yield* LoopbackUpstream
  upstream.handle(() => ({ body }))
  const seeded = yield* seed({ provider })
  return { ...seeded, upstream, call: (request: object) => server.call(seeded.readWrite, request) }
})

const setUpText = Effect.fnUntraced(function*(text: string) {
  const made = yield* setUp({})
  made.upstream.handle(() => ({ body: text }))
  return made
})

/** The data as it was sent. */
const dataIn = ({ text }: Answer): string => text.slice(text.indexOf("\"data\":") + "\"data\":".length, -1)

const issue = (answer: Answer) => issuesIn(answer).map(({ message, path }) => [path.join("."), message])

layer(TestServer.layer, { excludeTestServices: true })("select and format", (it) => {
  it.effect("give a part of the answer, while the log and the cache keep the whole", () =>
    Effect.gen(function*() {
      const { call, readOnly, upstream } = yield* setUp({ rows })
      const part = yield* call({ ...report, max_age: 60, select: "rows[?clicks > `5`].keys[0]" })
      assert.strictEqual(dataIn(part), "[\"shoes, red\"]")
      assert.deepInclude((yield* loggedCall(readOnly, part.callId)).response, { data: { rows } })
      const whole = yield* call({ ...report, max_age: 60 })
      assert.deepInclude(whole.json, { cached: true, data: { rows } })
      const text = yield* call({ ...report, max_age: 60, format: "csv" })
      assert.deepInclude(text.json, {
        cached: true,
        data: "query,page,clicks,impressions,ctr,position\r\n\"shoes, red\",/a,12,300,0.04,1.25\r\n" +
          "\"say \"\"hi\"\"\",/b,3,40,0.075,8\r\n"
      })
      assert.lengthOf(upstream.requests, 1)
    }))

  it.effect("give figures that are compared columns of their own", () =>
    Effect.gen(function*() {
      const { call } = yield* setUp({ rows: rows.map((row) => ({ ...row, keys: row.keys.slice(0, 1) })) })
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

  it.effect("write a report as a table of Markdown, also a part of it", () =>
    Effect.gen(function*() {
      const { call } = yield* setUp({ rows })
      const answer = yield* call({ ...report, select: "rows[:1]", format: "markdown" })
      assert.deepInclude(answer.json, {
        data: "| query | page | clicks | impressions | ctr | position |\n| --- | --- | ---: | ---: | ---: | ---: |\n" +
          "| shoes, red | /a | 12 | 300 | 0.04 | 1.25 |\n"
      })
    }))

  it.effect("write the header of a report without rows", () =>
    Effect.gen(function*() {
      const { call } = yield* setUp({ responseAggregationType: "byPage" })
      const answer = yield* call({ ...report, format: "csv" })
      assert.deepInclude(answer.json, { data: "query,page,clicks,impressions,ctr,position\r\n" })
    }))

  it.effect("name the columns of a GA4 report by its headers, with metrics as numbers", () =>
    Effect.gen(function*() {
      const { call } = yield* setUp({
        dimensionHeaders: [{ name: "country" }],
        metricHeaders: [{ name: "sessions", type: "TYPE_INTEGER" }, { name: "revenue", type: "TYPE_CURRENCY" }],
        rows: [
          { dimensionValues: [{ value: "Peru" }], metricValues: [{ value: "12" }, { value: "0.50" }] },
          { dimensionValues: [{}], metricValues: [{}, { value: "3" }] }
        ],
        rowCount: 2
      }, "ga4")
      const answer = yield* call({
        provider: "ga4",
        endpoint: "properties.runReport",
        input: {
          path: { property: "123" },
          body: { dateRanges: [{ startDate: "7daysAgo", endDate: "today" }], metrics: [{ name: "sessions" }] }
        },
        format: "csv"
      })
      assert.deepInclude(answer.json, { data: "country,sessions,revenue\r\nPeru,12,0.50\r\n,0,3\r\n" })
    }))

  it.effect("read the first row of a sheet as its header, but not that of another list of lists", () =>
    Effect.gen(function*() {
      const { call } = yield* setUp({ values: [["Name", "", "name"], ["a|b", 1], ["c\nd", "", true, 4]] }, "gsheets")
      const read = { ...clearRange, endpoint: "values.get" }
      const whole = yield* call({ ...read, format: "csv" })
      assert.deepInclude(whole.json, {
        data: "Name,column_2,name_2,column_4\r\na|b,1,,\r\n\"c\nd\",,true,4\r\n"
      })
      const part = yield* call({ ...read, select: "values[1:]", format: "markdown" })
      assert.deepInclude(part.json, {
        data: "| column_1 | column_2 | column_3 | column_4 |\n| --- | --- | --- | ---: |\n| a\\|b | 1 |  |  |\n" +
          "| c<br>d |  | true | 4 |\n"
      })
    }))

  it.effect("read the first row of each range of a sheet as its header", () =>
    Effect.gen(function*() {
      const valueRanges = [{ range: "A", values: [["Name"], ["a"]] }, { range: "B" }, { values: [["Age"], [1]] }]
      const { call } = yield* setUp({ valueRanges }, "gsheets")
      const ranges = ["A", "B", "C"]
      const read = {
        provider: "gsheets",
        endpoint: "values.batchGet",
        input: { path: { spreadsheetId: "s1" }, query: { ranges } },
        format: "csv"
      }
      const first = yield* call({ ...read, select: "valueRanges[0].values" })
      assert.deepInclude(first.json, { data: "Name\r\na\r\n" })
      const last = yield* call({ ...read, select: "valueRanges[2].values" })
      assert.deepInclude(last.json, { data: "Age\r\n1\r\n" })
      const [[path, message] = []] = issue(yield* call(read))
      assert.strictEqual(path, "format")
      assert.include(message, "\"valueRanges\"")
    }))

  it.effect("keep every digit of a number", () =>
    Effect.gen(function*() {
      const { call } = yield* setUpText("{\"rows\":[{\"keys\":[],\"clicks\":12345678901234567891,\"ctr\":1.0}]}")
      const plain = { ...report, input: { ...report.input, body: { ...report.input.body, dimensions: [] } } }
      const [selected, compared, text] = yield* Effect.forEach([
        { ...plain, select: "rows[*].{a: clicks, b: ctr}" },
        { ...plain, select: "[max(rows[].clicks), rows[?ctr == `1`].ctr, rows[0].clicks > `5`, sum(rows[].ctr)]" },
        { ...plain, format: "csv" }
      ], call)
      assert.strictEqual(dataIn(selected ?? assert.fail()), "[{\"a\":12345678901234567891,\"b\":1.0}]")
      assert.strictEqual(dataIn(compared ?? assert.fail()), "[12345678901234567891,[1.0],true,1]")
      assert.deepInclude(text?.json, { data: "clicks,ctr\r\n12345678901234567891,1.0\r\n" })
    }))

  it.effect("keep every digit in literals and functions", () =>
    Effect.gen(function*() {
      const [less, more] = ["12345678901234567890", "12345678901234567891"]
      const { call } = yield* setUpText(
        `{"d":[{"big":${more},"k":"b"},{"big":${less},"k":"a"},{"big":-${more},"k":"c"}]}`
      )
      const expressions = [
        [`\`${more}\``, more],
        [`\`{"\\\`\\\`":[${more}, "", 1.0]}\``, `{"\`\`":[${more},"",1.0]}`],
        [`d[?big == \`${less}\`].k`, "[\"a\"]"],
        [`[contains(d[].big, \`${less}\`), contains(d[].big, \`12345678901234567892\`)]`, "[true,false]"],
        ["[max_by(d, &big).k, min_by(d[:2], &big).k]", "[\"b\",\"a\"]"],
        ["[max_by(d, &k).k, min_by(d, &k).k, max(d[].k)]", "[\"c\",\"a\",\"c\"]"],
        ["sort_by(d, &big)[].k", "[\"c\",\"a\",\"b\"]"],
        ["sort_by(d, &k)[].k", "[\"a\",\"b\",\"c\"]"],
        ["[sort(d[].big), sort(`[10, 9, 100]`)]", `[[-${more},${less},${more}],[9,10,100]]`],
        ["[abs(d[2].big), abs(`-1.5e-7`)]", `[${more},1.5e-7]`],
        ["[ceil(d[0].big), floor(d[0].big), ceil(`1.5`)]", `[${more},${more},2]`],
        [`[to_number('${more}'), to_number('1.0'), to_number('x'), to_number(d)]`, `[${more},1.0,null,null]`]
      ] as const
      for (const [select, expected] of expressions) {
        assert.strictEqual(dataIn(yield* call({ ...report, select })), expected, select)
      }
      assert.deepStrictEqual(issuesIn(yield* call({ ...report, select: "sort_by(d, &[k])" })).length, 1)
    }))

  it.effect("read names of prototypes as ordinary fields", () =>
    Effect.gen(function*() {
      const { call } = yield* setUpText(
        "{\"rows\":[{\"k\":\"__proto__\"},{\"k\":\"constructor\",\"__proto__\":{\"a\":1}}]}"
      )
      const expressions = [
        ["constructor", "null"],
        ["rows[*].toString", "[]"],
        ["{a: `1`}.constructor", "null"],
        ["rows[].\"__proto__\".a", "[1]"],
        ["{\"__proto__\": rows[0].k}.\"__proto__\"", "\"__proto__\""],
        ["merge(rows[1], {b: `2`})", "{\"k\":\"constructor\",\"__proto__\":{\"a\":1},\"b\":2}"],
        ["keys(group_by(rows, &k))", "[\"__proto__\",\"constructor\"]"]
      ] as const
      for (const [select, expected] of expressions) {
        assert.strictEqual(dataIn(yield* call({ ...report, select })), expected, select)
      }
    }))

  it.effect("send nothing for an expression with an error, and for a write", () =>
    Effect.gen(function*() {
      const { call, upstream } = yield* setUp({ rows })
      const wrong = [
        ["rows[", "", "(".repeat(9000), 5],
        ["'unclosed", "'", "'a\\'", "`5", "`five`", "\"a"],
        ["not_null(rows,)", "not_null(rows site)", "not_null(rows site,)", "[rows site]", "{a: rows b: site}"],
        ["&rows", "[&rows]", "{a: &rows}", "to_string(&rows)", "rows[].[map(&keys, @), &keys]"],
        ["rows[?clicks = `5`]"]
      ].flat()
      for (const select of wrong) {
        assert.deepStrictEqual(
          issuesIn(yield* call({ ...report, select })).map(({ path }) => path),
          [["select"]],
          `${select}`
        )
      }
      assert.deepStrictEqual(issuesIn(yield* call({ ...report, format: "xml" })).map(({ path }) => path), [["format"]])
      const write = yield* call({ ...clearRange, select: "a", format: "csv" })
      assert.deepStrictEqual(issue(write), [["select", "Only reads take it"], ["format", "Only reads take it"]])
      const document = { provider: "gdocs", tool: "docs_read", input: { document: "1".repeat(44) } }
      assert.deepStrictEqual(
        issuesIn(yield* call({ ...document, format: "csv" })).map(({ path }) => path),
        [["format"]]
      )
      assert.isEmpty(upstream.requests)
    }))

  it.effect("say what fails on the data, which is logged and cached", () =>
    Effect.gen(function*() {
      const { call, readOnly, upstream } = yield* setUp({ rows })
      const failures = [
        [{ select: "sum(rows)" }, "select"],
        [{ select: "nothing(rows)" }, "select"],
        [{ select: "rows[].clicks", format: "csv" }, "format"]
      ] as const
      for (const [fields, field] of failures) {
        const answer = yield* call({ ...report, ...fields, max_age: 60 })
        assert.deepStrictEqual(issuesIn(answer).map(({ path }) => path), [[field]])
        assert.deepInclude(yield* loggedCall(readOnly, answer.callId), { error_code: "invalid_input" })
      }
      assert.lengthOf(upstream.requests, 1)
    }))

  it.effect("name the nearest table", () =>
    Effect.gen(function*() {
      const { call } = yield* setUp({ a: { "b c": [{ x: 1 }] } })
      const [[, message = ""] = []] = issue(yield* call({ ...report, select: "a", format: "csv" }))
      assert.include(message, "a | \\\"b c\\\"")
      const again = yield* call({ ...report, select: "a | \"b c\"", format: "csv" })
      assert.deepInclude(again.json, { data: "x\r\n1\r\n" })
    }))

  it.effect("name the nearest table of the whole answer where the selected part has none", () =>
    Effect.gen(function*() {
      const { call } = yield* setUp({ site, rows })
      for (const select of ["rows[].clicks", "site", "rows[0].ctr", "nothing"]) {
        for (const [field, fields] of [["format", { format: "csv" }], ["keep", { keep: true }]] as const) {
          const issues = issue(yield* call({ ...report, select, ...fields }))
          assert.deepStrictEqual(issues, [[field, "Expected a table. The nearest list is `select`: \"rows\""]], select)
        }
      }
    }))

  it.effect("end an expression after a second, while others are served", () =>
    Effect.gen(function*() {
      const { call } = yield* setUp({ rows: Array.from({ length: 3000 }, (_, clicks) => ({ clicks })) })
      const endless = "rows[?length(" + "$.rows[?length(".repeat(3) + "rows" + ")>`0`])>`0`]".repeat(3) + ")>`0`]"
      const hostile = [
        "rows[*].{a: $.rows[*].{b: $.rows[*].{c: $.rows[*].clicks}}}",
        endless,
        "pad_left('', `500000000`) | [@,@,@,@,@,@,@,@] | to_string(@)",
        "[@,@,@,@,@,@,@,@]".concat(" | [@,@,@,@,@,@,@,@]".repeat(12), " | to_string(@)")
      ]
      for (const select of hostile) {
        let answer: Answer | undefined
        const hold = yield* longestHold(Effect.map(call({ ...report, select }), (received) => answer = received))
        assert.isBelow(hold, maxHoldMillis, select)
        if (answer === undefined) return assert.fail(select)
        if (answer.status !== 200) {
          assertError(answer, 400, "invalid_input", issuesIn(answer))
          assert.deepStrictEqual(issuesIn(answer).map(({ path }) => path), [["select"]], answer.text)
        }
      }
    }), 60_000)
})
