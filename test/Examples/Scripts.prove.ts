import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { connectedMember, ownSandbox } from "../Service/SandboxServer.ts"
import { TestServer } from "../support/TestServer.ts"

const folder = new URL("../../scripts/examples", import.meta.url).pathname

const run = Effect.fnUntraced(function*(name: string, args: ReadonlyArray<string>, settings: Record<string, string>) {
  const { url } = yield* TestServer
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [`${folder}/${name}`, ...args], { env: { OA_URL: url, ...settings } })),
    (child) => Effect.sync(() => child.kill())
  )
  return yield* Effect.promise(async () => {
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
    return { stdout, stderr, code }
  })
}, Effect.scoped)

layer(ownSandbox(), { excludeTestServices: true })("The examples", (it) => {
  it.effect("print the top queries as CSV", () =>
    Effect.gen(function*() {
      const { readOnly: OA_KEY } = yield* connectedMember
      const { code, stderr, stdout } = yield* run("TopQueries.ts", ["fernhill.example", "7"], { OA_KEY })
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.match(stdout, /^query,clicks,impressions,ctr,position\n"fernhill",\d+,\d+,0\.\d+,\d/)
      const refused = yield* run("TopQueries.ts", ["fernhill.example", "0"], { OA_KEY })
      assert.strictEqual(refused.code, 1)
      assert.match(refused.stderr, /^invalid_input: .* \(call_\w+\)\n[^]*"days"/)
      assert.strictEqual((yield* run("TopQueries.ts", [], { OA_KEY })).code, 2)
    }))

  it.effect("append a weekly report to a spreadsheet once", () =>
    Effect.gen(function*() {
      const { readWrite: OA_KEY, writer } = yield* connectedMember
      yield* writer.call.call({
        payload: {
          provider: "gsheets",
          endpoint: "spreadsheets.batchUpdate",
          input: {
            path: { spreadsheetId: "sandbox-leads" },
            body: { requests: [{ addSheet: { properties: { title: "Report" } } }] }
          }
        }
      })
      const settings = { OA_KEY, REPORT_SPREADSHEET: "sandbox-leads" }
      const first = yield* run("WeeklyReport.ts", ["fernhill.example"], settings)
      assert.deepStrictEqual(first, { code: 0, stderr: "", stdout: "10 rows in Report!A1:D11\n" })
      assert.deepStrictEqual(yield* run("WeeklyReport.ts", ["fernhill.example"], settings), first)
      const { data } = yield* writer.call.call({
        payload: {
          provider: "gsheets",
          endpoint: "values.get",
          input: { path: { spreadsheetId: "sandbox-leads", range: "Report" } }
        }
      })
      assert.lengthOf(Object(data).values, 11)
      assert.deepStrictEqual(Object(data).values[0], ["Week", "Query", "Clicks", "Impressions"])
    }))

  it.effect("name the connections that need a person, and only those", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { connect, readOnly: OA_KEY } = yield* connectedMember
      const check = run("CheckConnections.ts", [], { OA_KEY })
      assert.deepStrictEqual(yield* check, { code: 0, stdout: "", stderr: "" })
      const { id } = yield* connect({
        provider: "sitesearch",
        auth_type: "api_key",
        credentials: { api_key: "0".repeat(32) },
        label: "Old key"
      })
      yield* Effect.flip(admin.managedConnections.test({ params: { id } }))
      const { code, stdout } = yield* check
      assert.strictEqual(code, 1)
      assert.match(stdout, new RegExp(`^sitesearch "Old key" \\(${id}\\): credentials_rejected since 20\\S+Z\n$`))
    }))
})
