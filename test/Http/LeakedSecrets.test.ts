import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import type { CallFilter } from "../../src/Domain/Calls/Call.ts"
import type { PageRequest } from "../../src/Domain/Page.ts"
import { plainSecret } from "../../src/Secrets/Redaction/RemovedSecrets.ts"
import { assertError, issuePaths } from "../support/Answer.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { memberWith, seededServer, sitesGet, sitesList } from "./Fixture.ts"

const secret = "canary-of-a-leak/0123456789+ab=="

const foundBy = Effect.fnUntraced(function*(key: string, text: string, filter: CallFilter & PageRequest = {}) {
  const { api } = yield* TestServer
  const { calls } = yield* api(key).logs.search({ payload: { ...filter, secret: Redacted.make(text) } })
  return calls.map(({ id }): string => id)
})

layer(TestServer.layer, { excludeTestServices: true })("A leaked secret", (it) => {
  it.effect("is looked for in requests, responses, errors and names, by whoever sees the calls", () =>
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
