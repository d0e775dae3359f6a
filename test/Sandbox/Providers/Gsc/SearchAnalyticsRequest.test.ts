import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { accessToken, at, now, sandboxAt, send } from "../../SandboxFixture.ts"
import { domain, query, sitePath } from "./Fixture.ts"

const invalidRequests: ReadonlyArray<readonly [object, string]> = [
  [{ dimensions: ["query", "query"] }, "Duplicate dimensions are not allowed."],
  [
    { dimensions: ["searchAppearance", "page"] },
    "Cannot group by search appearance dimension together with another dimension."
  ],
  [{ dimensions: ["hour"] }, "Grouping by HOUR requires setting dataState=HOURLY_ALL"],
  [
    { dimensions: ["page"], aggregationType: "byProperty" },
    "'BY_PROPERTY' is not a valid aggregation type in the context of the request."
  ],
  [{ type: "discover", dimensions: ["query"] }, "Requests for Discover cannot be grouped by query"],
  [{ startDate: "2026-03-16" }, "startDate must be before or equal to endDate."],
  [{ startDate: "2026-02-30" }, "2026-02-30"],
  [{ rowLimit: 0 }, "Invalid row limit: 0."],
  [{ max_age: 1 }, "Invalid JSON payload received. Unknown name \"max_age\": Cannot find field."],
  [{ rowLimit: "many" }, "Invalid value at 'row_limit' (TYPE_INT32), \"many\""]
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

  for (const body of ["{\"startDate\":", "[]"]) {
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
