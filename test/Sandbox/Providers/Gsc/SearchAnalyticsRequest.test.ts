import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { accessToken, at, now, sandboxAt, send } from "../../SandboxFixture.ts"
import { domain, filtered, query, sitePath } from "./Fixture.ts"

const invalidRequests: ReadonlyArray<readonly [object, string]> = [
  [{ dimensions: ["query", "query"] }, "Duplicate dimensions are not allowed."],
  [
    { dimensions: ["searchAppearance", "page"] },
    "Cannot group by search appearance dimension together with another dimension."
  ],
  [{ dimensions: ["date", "hour"], dataState: "hourly_all" }, "Request cannot be grouped by both date and hour"],
  [{ dimensions: ["hour"] }, "Grouping by HOUR requires setting dataState=HOURLY_ALL"],
  [{ dimensions: ["date"], dataState: "hourly_all" }, "Using dataState=HOURLY_ALL"],
  [
    { dimensions: ["page"], aggregationType: "byProperty" },
    "'BY_PROPERTY' is not a valid aggregation type in the context of the request."
  ],
  [{ type: "discover", aggregationType: "byProperty" }, "'BY_PROPERTY' is not a valid aggregation type"],
  [{ type: "discover", dimensions: ["query"] }, "Requests for Discover cannot be grouped by query"],
  [{ type: "googleNews", dimensions: ["query"] }, "Requests for Google News cannot be grouped by query"],
  [{ startDate: "2026-03-16" }, "startDate must be before or equal to endDate."],
  [{ startDate: undefined }, "startDate field is required."],
  [{ startDate: "2026-02-30" }, "2026-02-30"],
  [{ rowLimit: 0 }, "Invalid row limit: 0."],
  [{ rowLimit: 25_001 }, "Invalid row limit: 25001."],
  [{ startRow: -1 }, "Invalid start row: -1."],
  [filtered("query", "contains", "x".repeat(4097)), "4096 characters"],
  [{ max_age: 1 }, "Invalid JSON payload received. Unknown name \"max_age\": Cannot find field."],
  [{ rowLimit: "many" }, "Invalid value at 'row_limit' (TYPE_INT32), \"many\""],
  [{ startDate: 20260216 }, "Invalid value at 'start_date' (TYPE_STRING), 20260216"],
  [
    { dimensions: ["referrer"] },
    "Invalid value at 'dimensions[0]' (type.googleapis.com/google.searchconsole.v1.searchanalytics.Dimension), \"referrer\""
  ],
  [
    { dimensionFilterGroups: [{ groupType: "or", filters: [] }] },
    "Invalid value at 'dimension_filter_groups[0].group_type'"
  ],
  [filtered("date", "equals", "2026-03-01"), "Invalid value at 'dimension_filter_groups[0].filters[0].dimension'"],
  [
    { dimensionFilterGroups: [{ filters: [{ dimensions: "query" }] }] },
    "Invalid JSON payload received. Unknown name \"dimensions\" at 'dimension_filter_groups[0].filters[0]': Cannot find field."
  ]
]

layer(sandboxAt(now))("A request for search analytics", (it) => {
  for (const [request, message] of invalidRequests) {
    it.effect(`is rejected: ${message.slice(0, 100)} (${JSON.stringify(request).slice(0, 80)})`, () =>
      Effect.gen(function*() {
        const { status, text } = yield* query(request)
        assert.strictEqual(status, 400)
        assert.include(String(at(text, "error", "message")), message)
        assert.strictEqual(at(text, "error", "status"), "INVALID_ARGUMENT")
      }))
  }

  it.effect("gets all its field violations in one response", () =>
    Effect.gen(function*() {
      const { text } = yield* query({ foo: 1, bar: 2, rowLimit: "x" })
      assert.strictEqual(at(text, "error", "details", 0, "@type"), "type.googleapis.com/google.rpc.BadRequest")
      assert.strictEqual(at(text, "error", "details", 0, "fieldViolations", "length"), 3)
    }))

  it.effect("may use snake_case, upper case and numbers as strings", () =>
    Effect.gen(function*() {
      const plain = yield* query({ dimensions: ["query"], rowLimit: 5, dataState: "all" })
      const other = yield* query({
        startDate: undefined,
        start_date: "2026-02-16",
        dimensions: ["QUERY"],
        rowLimit: "5",
        dataState: "ALL",
        type: null
      })
      assert.deepStrictEqual([other.status, other.text], [200, plain.text])
    }))

  for (const body of ["{\"startDate\":", "[]", "\"text\"", "1"]) {
    it.effect(`is rejected when the body is ${body}`, () =>
      Effect.gen(function*() {
        const { status, text } = yield* send("gsc", `${sitePath(domain)}/searchAnalytics/query`, {
          body,
          method: "POST",
          token: yield* accessToken("google", scopes.webmasters)
        })
        assert.deepStrictEqual([status, at(text, "error", "status")], [400, "INVALID_ARGUMENT"])
      }))
  }
})
