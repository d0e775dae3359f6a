import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { get } from "node:http"
import { exportResponse } from "../../src/Http/Handlers/Export.ts"
import { Listeners } from "../../src/Http/Server/Listeners/Listeners.ts"
import { assertError, issuePaths } from "../support/Answer.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, settings, TestDataDir, TestServer } from "../support/TestServer.ts"
import { manage, sitesList } from "./Fixture.ts"

const linesOf = (text: string): ReadonlyArray<unknown> => text.split("\n").slice(0, -1).map((line) => JSON.parse(line))

layer(TestServer.layer, { excludeTestServices: true })("An export", (it) => {
  it.effect("has the calls of all pages that the key sees and the filters select, newest first", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
      const { connection, readOnly } = yield* seed()
      const other = yield* seed()
      yield* server.call(other.readOnly, sitesList)
      for (let i = 0; i < 5; i++) yield* server.call(readOnly, i === 2 ? { nonsense: true } : sitesList)
      const listed = yield* server.request("GET", "/v1/logs", { key: readOnly })
      const exported = yield* server.request("GET", "/v1/logs?format=ndjson", { key: readOnly })
      assert.strictEqual(exported.headers.get("content-type"), "application/x-ndjson")
      assert.strictEqual(exported.headers.get("content-disposition"), "attachment; filename=\"calls.ndjson\"")
      const { calls }: { readonly calls: ReadonlyArray<{ readonly id: string }> } = Object(listed.json)
      assert.lengthOf(calls, 5)
      assert.deepStrictEqual(linesOf(exported.text), [...calls])
      const failed = yield* server.request("GET", "/v1/logs?format=ndjson&outcome=error", { key: readOnly })
      assert.deepStrictEqual(linesOf(failed.text), [calls[2]])
      const rest = yield* server.request("GET", `/v1/logs?format=ndjson&cursor=${calls[3]?.id}`, { key: readOnly })
      assert.deepStrictEqual(linesOf(rest.text), [calls[4]])
      const ofAll = yield* manage("GET", `/logs?format=ndjson&connection_id=${connection.id}`)
      assert.deepStrictEqual(linesOf(ofAll.text), calls.filter((_, index) => index !== 2))
    }))

  it.effect("is a CSV file that no spreadsheet takes for formulas", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { member, readOnly } = yield* seed()
      yield* server.call(readOnly, { provider: "=HYPERLINK(\"http://x\",\"y\")", endpoint: "a,b" })
      const { headers, text } = yield* server.request("GET", "/v1/logs?format=csv", { key: readOnly })
      assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
      const [head = "", row = "", ...rest] = text.split("\r\n")
      assert.deepStrictEqual(rest, [""])
      assert.isTrue(head.startsWith("id,provider,target,outcome,http_status,error_code,latency_ms,cost_usd,cached,"))
      assert.isTrue(head.endsWith(",undoable_until,created_at"))
      assert.include(row, ",\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\",\"raw:a,b\",error,404,provider_not_found,")
      assert.include(row, `,${member.id},`)
      const raw = yield* server.request("GET", "/v1/logs?format=csv_raw", { key: readOnly })
      assert.strictEqual(raw.headers.get("content-disposition"), "attachment; filename=\"calls.csv\"")
      assert.strictEqual(raw.text, text.replace(",\"'=", ",\"="))
      assert.match(row, /,,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }))

  it.effect("has the entries of the audit, their details as JSON in one cell", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const client = yield* admin.clients.create({ payload: { name: "Acme, \"Inc\"" } })
      const listed = yield* manage("GET", `/audit?subject=${client.id}`)
      const lines = yield* manage("GET", `/audit?subject=${client.id}&format=ndjson`)
      const { entries }: { readonly entries: ReadonlyArray<{ readonly id: string; readonly at: string }> } = Object(
        listed.json
      )
      assert.lengthOf(entries, 1)
      assert.deepStrictEqual(linesOf(lines.text), [...entries])
      const [entry] = entries
      const { headers, text } = yield* manage("GET", `/audit?subject=${client.id}&format=csv`)
      assert.strictEqual(headers.get("content-disposition"), "attachment; filename=\"audit.csv\"")
      assert.strictEqual(
        text,
        "id,at,actor_type,member_id,key_id,action,subject_type,subject_id,address,details\r\n" +
          `${entry?.id},${entry?.at},token,,,client.created,client,${client.id},127.0.0.1,` +
          "\"{\"\"name\"\":\"\"Acme, \\\"\"Inc\\\"\"\"\"}\"\r\n"
      )
    }))

  it.effect("is empty without a match, and refuses a limit, an unknown format and other callers", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      const { readOnly: key } = yield* seed()
      assert.strictEqual((yield* request("GET", "/v1/logs?format=ndjson", { key })).text, "")
      assert.match((yield* request("GET", "/v1/logs?format=csv&key_id=key_x", { key })).text, /^id,[^\r\n]+\r\n$/)
      assert.deepStrictEqual(issuePaths(yield* request("GET", "/v1/logs?format=csv&limit=5", { key })), ["limit"])
      assert.deepStrictEqual(issuePaths(yield* request("GET", "/v1/logs?format=xml", { key })), ["format"])
      assertError(yield* request("GET", "/v1/logs?format=csv"), 401, "unauthenticated")
      assertError(yield* request("GET", "/admin/v1/audit?format=csv", { key }), 401, "unauthenticated")
    }))
})

const wholePage = Array.from({ length: 500 }, () => ({ text: "x".repeat(2000) }))

/** Serves exports of a list without an end, whose reading never returns after `pages`. */
const endlessExport = (pages: number) =>
  Effect.gen(function*() {
    const ended = yield* Deferred.make<void>()
    const read = { pages: 0 }
    yield* HttpServer.serveEffect(Effect.orDie(exportResponse({
      file: "endless",
      format: "ndjson",
      request: {},
      columns: [],
      toCells: () => [],
      toJson: (item: typeof wholePage[number]) => item,
      list: () =>
        Effect.suspend(() =>
          ++read.pages > pages
            ? Effect.onInterrupt(Effect.never, () => Deferred.succeed(ended, undefined))
            : Effect.succeed({ items: wholePage, cursor: "more" })
        )
    })))
    const url = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
    return { ended: Deferred.await(ended), read, url }
  })

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

layer(Listeners.pipe(Layer.provide(settings()), Layer.provideMerge(TestDataDir.layer)), { excludeTestServices: true })(
  "A long export",
  (it) => {
    it.effect("reads a page only when the client has taken the last one, and ends when the client goes away", () =>
      Effect.gen(function*() {
        const { ended, read, url } = yield* endlessExport(60)
        const received = yield* Effect.promise(() =>
          new Promise<number>((resolve) => {
            get(url, async (response) => {
              let bytes = 0
              let ahead = 0
              for await (const chunk of response) {
                bytes += chunk.length
                // Without backpressure, the export would read a page in each of these turns.
                for (let i = 0; i < 5; i++) await turn()
                ahead = Math.max(ahead, read.pages - bytes / 1_000_000)
                if (read.pages > 60) break
              }
              resolve(ahead)
            })
          })
        )
        // The buffers of both sockets.
        assert.isBelow(received, 25)
        yield* ended
      }))
  }
)
