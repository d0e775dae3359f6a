import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Option, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { Auth } from "../../src/Auth/Auth.ts"
import type { Principal } from "../../src/Domain/Access/Principal.ts"
import type { CallFilter } from "../../src/Domain/Calls/Call.ts"
import { KeyId, MemberId } from "../../src/Domain/Ids.ts"
import type { PageRequest } from "../../src/Domain/Page.ts"
import { groups } from "../../src/Features/Contracts.ts"
import { makeExport } from "../../src/Http/Handlers/Export.ts"
import { Served } from "../../src/Http/Served.ts"
import { plainSecret } from "../../src/Secrets/Redaction/RemovedSecrets.ts"
import { assertError, issuePaths } from "../support/Answer.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { manage, memberWith, seededServer, sitesGet, sitesList } from "./Fixture.ts"

const linesOf = (text: string): ReadonlyArray<unknown> => text.split("\n").slice(0, -1).map((line) => JSON.parse(line))

const caller: Principal = {
  via: "key",
  connectionIds: null,
  resources: null,
  writes: "allow",
  undo: false,
  budget: null,
  memberBudget: null,
  manage: [],
  manageAs: "member",
  keyId: KeyId.make(`key_${"0".repeat(26)}`),
  memberId: MemberId.make(`mem_${"0".repeat(26)}`),
  access: "read_only",
  clientIds: null
}

layer(TestServer.layer, { excludeTestServices: true })("An export", (it) => {
  it.effect("has the calls of all pages that the key sees and the filters select, newest first", () =>
    Effect.gen(function*() {
      const { connection, readOnly: key, server } = yield* seededServer(() => ({ body: {} }))
      yield* server.call((yield* seed()).readOnly, sitesList)
      for (let i = 0; i < 5; i++) yield* server.call(key, i === 2 ? { nonsense: true } : sitesList)
      const { calls } = Object((yield* server.request("GET", "/v1/logs", { key })).json)
      assert.lengthOf(calls, 5)
      const exported = yield* server.request("GET", "/v1/logs?format=ndjson", { key })
      assert.strictEqual(exported.headers.get("content-type"), "application/x-ndjson")
      assert.strictEqual(exported.headers.get("content-disposition"), "attachment; filename=\"calls.ndjson\"")
      assert.deepStrictEqual(linesOf(exported.text), calls)
      for (const [query, expected] of [["outcome=error", calls[2]], [`cursor=${calls[3].id}`, calls[4]]]) {
        const { text } = yield* server.request("GET", `/v1/logs?format=ndjson&${query}`, { key })
        assert.deepStrictEqual(linesOf(text), [expected])
      }
      const ofAll = yield* manage("GET", `/logs?format=ndjson&connection_id=${connection.id}`)
      assert.deepStrictEqual(linesOf(ofAll.text), calls.toSpliced(2, 1))
    }))

  it.effect("is a CSV file that no spreadsheet takes for formulas", () =>
    Effect.gen(function*() {
      const { member, readOnly, server } = yield* seededServer()
      yield* server.call(readOnly, { provider: "=HYPERLINK(\"http://x\",\"y\")", endpoint: "a,b" })
      const { headers, text } = yield* server.request("GET", "/v1/logs?format=csv", { key: readOnly })
      assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
      const [head = "", row = "", ...rest] = text.split("\r\n")
      assert.deepStrictEqual(rest, [""])
      assert.match(head, /^id,provider,target,outcome,http_status,error_code,latency_ms,cost_usd,cached,.*,created_at$/)
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
      const read = (format: string) => manage("GET", `/audit?subject=${client.id}${format}`)
      const { entries } = Object((yield* read("")).json)
      assert.deepStrictEqual(linesOf((yield* read("&format=ndjson")).text), entries)
      const [entry] = entries
      const { headers, text } = yield* read("&format=csv")
      assert.strictEqual(headers.get("content-disposition"), "attachment; filename=\"audit.csv\"")
      assert.strictEqual(
        text,
        "id,at,actor_type,member_id,key_id,action,subject_type,subject_id,address,details\r\n" +
          `${entry.id},${entry.at},token,,,client.created,client,${client.id},127.0.0.1,` +
          "\"{\"\"name\"\":\"\"Acme, \\\"\"Inc\\\"\"\"\"}\"\r\n"
      )
    }))

  it.effect("is cut off when the rights of its caller change", () =>
    Effect.gen(function*() {
      let principal = caller
      const exportResponse = yield* makeExport.pipe(
        Effect.provideService(Auth, {
          ofHolder: () => Effect.die("unused"),
          authenticate: () => Effect.sync(() => principal)
        }),
        Effect.provideService(Served, { groups, features: {} }),
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown({}))
      )
      const read = (change: Effect.Effect<void>) =>
        exportResponse({
          file: "numbers",
          format: "ndjson",
          request: {},
          list: ({ cursor }) => Effect.as(change, { items: [cursor], cursor: cursor === undefined ? "next" : null }),
          toJson: (item) => item ?? "first",
          columns: [],
          toCells: () => []
        }).pipe(
          Effect.flatMap((response) => Effect.tryPromise(() => HttpServerResponse.toWeb(response).text())),
          Effect.option,
          Effect.provideService(
            HttpServerRequest.HttpServerRequest,
            HttpServerRequest.fromWeb(new Request("http://localhost/"))
          )
        )
      assert.deepStrictEqual(yield* read(Effect.void), Option.some("\"first\"\n\"next\"\n"))
      const lose = Effect.sync(() => {
        principal = { ...caller, clientIds: [] }
      })
      assert.deepStrictEqual(yield* read(lose), Option.none())
    }))

  it.effect("is empty without a match, and refuses a limit, an unknown format and other callers", () =>
    Effect.gen(function*() {
      const { readOnly: key, request } = yield* seededServer()
      const read = (query: string) => request("GET", `/v1/logs?${query}`, { key })
      assert.strictEqual((yield* read("format=ndjson")).text, "")
      assert.match((yield* read("format=csv&key_id=key_x")).text, /^id,[^\r\n]+\r\n$/)
      assert.deepStrictEqual(issuePaths(yield* read("format=csv&limit=5")), ["limit"])
      assert.deepStrictEqual(issuePaths(yield* read("format=xml")), ["format"])
      assertError(yield* request("GET", "/v1/logs?format=csv"), 401, "unauthenticated")
      assertError(yield* request("GET", "/admin/v1/audit?format=csv", { key }), 401, "unauthenticated")
    }))
})

const secret = "canary-of-a-leak/0123456789+ab=="

const foundBy = Effect.fnUntraced(function*(key: string, text: string, filter: CallFilter & PageRequest = {}) {
  const { api } = yield* TestServer
  const { calls } = yield* api(key).logs.search({ payload: { ...filter, secret: Redacted.make(text) } })
  return calls.map(({ id }): string => id)
})

layer(TestServer.layer, { excludeTestServices: true })("A leaked secret", (it) => {
  it.effect("is looked for in requests, responses, errors and names, by every caller who sees the calls", () =>
    Effect.gen(function*() {
      const { admin, adminToken, client, readOnly, server, upstream } = yield* seededServer(() => ({
        body: { siteEntry: [{ siteUrl: `https://x.example/?token=${encodeURIComponent(secret)}` }] }
      }))
      const ids = [
        yield* server.call(readOnly, sitesList),
        yield* server.call(readOnly, { ...sitesGet, input: { client_secret: secret } }),
        yield* server.call(readOnly, { provider: "gsc", endpoint: `?api_key=${encodeURIComponent(secret)}` })
      ].map(({ callId }) => callId).toReversed()
      upstream.handle(() => ({ body: {} }))
      yield* server.call(readOnly, sitesGet)
      for (const pasted of [secret, ` ${secret}\r\n`, `Bearer ${secret}`]) {
        assert.deepStrictEqual(yield* foundBy(readOnly, pasted), ids)
      }
      const all = yield* admin.adminLogs.search({ payload: { secret: Redacted.make(secret) } })
      assert.deepStrictEqual(all.calls.map(({ id }) => `${id}`), ids)
      const [newest = ""] = ids
      assert.deepStrictEqual(yield* foundBy(readOnly, secret, { limit: 1 }), [newest])
      assert.deepStrictEqual(yield* foundBy(readOnly, secret, { limit: 1, cursor: newest }), ids.slice(1, 2))
      assert.deepStrictEqual(yield* foundBy(readOnly, secret, { outcome: "ok" }), ids.slice(2))
      assert.deepStrictEqual(yield* foundBy(readOnly, `${secret}c`), [])

      // Members of the client see the calls on its connections, others none.
      const colleague = yield* memberWith([client.id])
      const other = yield* seed()
      assert.deepStrictEqual(yield* foundBy(colleague.readOnly, secret), ids.slice(2))
      assert.deepStrictEqual(yield* foundBy(other.readOnly, secret), [])
      const path = "/admin/v1/logs/search"
      assertError(yield* server.request("POST", path, { key: readOnly, body: { secret } }), 401, "unauthenticated")

      for (const wrong of ["short", "", "  a b c d e f g  ", "x".repeat(16_385), 1, undefined]) {
        for (const [at, key] of [["/v1/logs/search", readOnly], [path, adminToken]] as const) {
          const answer = yield* server.request("POST", at, { key, body: { secret: wrong } })
          assert.deepStrictEqual(issuePaths(answer), ["secret"])
          if (wrong === "short") assert.notInclude(answer.text, wrong)
        }
      }
    }))

  it.effect("of the service itself is found where the provider repeats it, also in an error", () =>
    Effect.gen(function*() {
      const { readOnly, server, upstream } = yield* seededServer()
      const echo = (status: number) =>
        upstream.handle(({ headers }) => ({ status, body: { error: { message: `For ${headers["authorization"]}` } } }))
      const ids: Array<string> = []
      for (const status of [200, 400, 403]) {
        echo(status)
        ids.unshift((yield* server.call(readOnly, sitesGet)).callId)
      }
      const used = upstream.requests.at(-1)?.headers["authorization"]
      assert.match(`${used}`, /^Bearer /)
      assert.deepStrictEqual(yield* foundBy(readOnly, `${used}`), ids)
    }))

  it.effect("leaves nothing in the database that is found without the key", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { readOnly, server } = yield* seededServer(() => ({ body: {} }))
      const token = `another-${secret}`
      const { callId } = yield* server.call(readOnly, { ...sitesGet, input: { token } })
      const plain = yield* server.call(readOnly, sitesGet)
      const rows = yield* sql<{ readonly hashes: string | null; readonly row: string }>`
        SELECT secret_hashes AS hashes, calls::text AS row FROM calls WHERE id IN (${callId}, ${plain.callId}) ORDER BY id`
      assert.match(`${rows[0]?.hashes}`, /^[\w-]{22}$/)
      assert.isNull(rows[1]?.hashes)
      for (const text of [token, plainSecret(token)]) {
        for (const encoding of ["hex", "base64", "base64url"] as const) {
          const digest = Buffer.from(hash("sha256", text, "buffer")).subarray(0, 12).toString(encoding)
          assert.notInclude(`${rows[0]?.row}`, digest)
        }
      }
    }))
})
