import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { errorIn } from "../support/Answer.ts"
import { longestHold, maxHoldMillis } from "../support/EventLoop.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const repeat = (part: string, count: number) => `${`${part},`.repeat(count - 1)}${part}`

const call = (endpoint: string, input: string) => `{"provider":"gsheets","endpoint":"${endpoint}","input":${input}}`

const batchUpdate = (request: string, count: number) =>
  call("spreadsheets.batchUpdate", `{"path":{"spreadsheetId":"x"},"body":{"requests":[${repeat(request, count)}]}}`)

const update = (values: string) =>
  call(
    "values.update",
    `{"path":{"spreadsheetId":"x","range":"A1"},"query":{"valueInputOption":"RAW"},"body":{"values":${values}}}`
  )

const bodies: ReadonlyArray<readonly [what: string, body: string, issues: number]> = [
  ["3.3 million items", update(`[${repeat("{}", 3_300_000)}]`), 1],
  ["900,000 wrong items", update(`[[${repeat("{}", 900_000)}]]`), 101],
  ["900,000 wrong items, for any key", `{"provider":[${repeat("{}", 900_000)}]}`, 2],
  ["100,000 requests that do not exist", batchUpdate("{\"nope\":1}", 100_000), 101],
  ["100,000 wrong requests", batchUpdate("{\"updateCells\":{\"rows\":1}}", 100_000), 101],
  ["450,000 unknown fields", `{${Array.from({ length: 450_000 }, (_, index) => `"f${index}":1`)}}`, 1],
  [
    "300 long unknown fields",
    `{${Array.from({ length: 300 }, (_, index) => `"${"\\u0001".repeat(3000)}${index}":1`)}}`,
    101
  ],
  ["a million levels", `{"provider":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`, 1]
]

layer(TestServer.layer, { excludeTestServices: true })("A request with", (it) => {
  it.effect.each(bodies)("%s is answered with a small invalid_input", ([, body, issues]) =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { readWrite } = yield* seed()
      const answer = yield* server.request("POST", "/v1/call", { key: readWrite, rawBody: body })
      assert.strictEqual(answer.status, 400)
      assert.isBelow(answer.text.length, 1_048_576)
      const { code, details } = errorIn(answer)
      assert.strictEqual(code, "invalid_input")
      assert.strictEqual(Array.isArray(details) ? details.length : 0, issues)
    }))

  it.effect(
    "900,000 wrong values is refused by the management API before they are decoded",
    () =>
      Effect.gen(function*() {
        const { adminToken: key, request } = yield* TestServer
        const rawBody = `{"email":"a@example.com","client_ids":[${repeat("{}", 900_000)}]}`
        const answer = yield* request("POST", "/admin/v1/members", { key, rawBody })
        assert.strictEqual(answer.status, 400)
        assert.deepStrictEqual(errorIn(answer).details, [
          { path: [], message: "The request body has more than 20000 values." }
        ])
      })
  )

  it.effect("300,000 valid requests lets other requests through while it is read", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      const { readWrite } = yield* seed({ provider: "gsheets" })
      const rawBody = batchUpdate("{\"deleteSheet\":{\"sheetId\":1}}", 300_000)
      const hold = yield* longestHold(request("POST", "/v1/call", { key: readWrite, rawBody }))
      assert.isBelow(hold, maxHoldMillis)
    }))
})
