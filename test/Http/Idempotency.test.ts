import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { ConnectionId } from "../../src/Domain/Ids.ts"
import { assertError, errorIn, issuePaths } from "../support/Answer.ts"
import { type Handler, holdReplies, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { newGrant } from "../support/NewGrant.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { expiredGrant, seed, TestServer } from "../support/TestServer.ts"
import { tokenEndpoint } from "./ErrorCases.ts"
import { clearRange, loggedCall, sitesList } from "./Fixture.ts"

const cleared = { spreadsheetId: "1", clearedRange: "A1:B2" }
const answerCleared: Handler = () => ({ body: cleared })

const otherRange = { ...clearRange, input: { path: { ...clearRange.input.path, range: "C1" } } }

const sheetsSeed = (overrides: Parameters<typeof seed>[0] = {}) => seed({ provider: "gsheets", ...overrides })

const write = Effect.fnUntraced(function*(key: string, idempotencyKey: string, body: unknown = clearRange) {
  const server = yield* TestServer
  return yield* server.request("POST", "/v1/call", { key, body, headers: { "idempotency-key": idempotencyKey } })
})

const countLogged = Effect.fnUntraced(function*(key: string) {
  const { api } = yield* TestServer
  return (yield* api(key).logs.list({ query: {} })).calls.length
})

layer(TestServer.make({ UPSTREAM_TIMEOUT: "3 seconds" }), { excludeTestServices: true })(
  "A write with an Idempotency-Key",
  (it) => {
    it.effect("that is repeated gets the first answer, and is neither sent nor logged again", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        const server = yield* TestServer
        upstream.handle(answerCleared)
        const { admin } = server
        const { connection, member, readWrite } = yield* sheetsSeed()
        const first = yield* write(readWrite, "k")
        assert.strictEqual(first.status, 200)
        assert.isNull(first.headers.get("idempotency-replayed"))

        // The key belongs to the member. The same body may be written differently.
        const { key: otherKey } = yield* admin.keys.create({
          payload: { member_id: member.id, name: "other", access: "read_write" }
        })
        yield* admin.managedConnections.revoke({ params: { id: connection.id } })
        const { endpoint, input, provider } = clearRange
        const again = yield* server.request("POST", "/v1/call", {
          key: otherKey,
          rawBody: JSON.stringify({ input, endpoint, provider }, null, 2),
          headers: { "Idempotency-Key": "k" }
        })
        assert.strictEqual(again.status, 200)
        assert.strictEqual(again.text, first.text)
        assert.strictEqual(again.callId, first.callId)
        assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
        assert.include(again.headers.get("content-type"), "application/json")
        assert.strictEqual(upstream.requests.filter(({ url }) => url.startsWith("/gsheets")).length, 1)
        assert.strictEqual(yield* countLogged(readWrite), 1)
      }))

    it.effect("is apart from the same key of another member, and from other keys", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(answerCleared)
        const [one, two] = [yield* sheetsSeed(), yield* sheetsSeed()]
        const answers = [
          yield* write(one.readWrite, "k"),
          yield* write(two.readWrite, "k"),
          yield* write(one.readWrite, "l")
        ]
        assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200, 200])
        assert.lengthOf(new Set(answers.map(({ callId }) => callId)), 3)
        assert.lengthOf(upstream.requests, 3)
      }))

    it.effect.each([
      { what: "an error", status: 400, body: { error: { code: 400, message: "No", status: "INVALID_ARGUMENT" } } },
      {
        what: "throttling",
        status: 429,
        body: { error: { code: 429, message: "Slow", status: "RESOURCE_EXHAUSTED" } }
      },
      { what: "an error page", status: 503, body: "<html>" }
    ])("gets the provider's answer again when it is $what", ({ body, status }) =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ status, body, headers: { "retry-after": "7" } }))
        const { readWrite } = yield* sheetsSeed()
        const first = yield* write(readWrite, "k")
        assertError(first, status, "upstream_error", errorIn(first).details)
        const again = yield* write(readWrite, "k")
        assert.deepStrictEqual(
          [again.status, again.text, again.callId, again.headers.get("retry-after")],
          [status, first.text, first.callId, "7"]
        )
        assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
        assert.lengthOf(upstream.requests, 1)
        assert.strictEqual(yield* countLogged(readWrite), 1)
      }))

    it.effect("gets credentials_rejected again when the provider refused", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(
          tokenEndpoint(
            () => ({ body: { access_token: "ya29.robot-0123456789", expires_in: 3599 } }),
            () => ({ status: 401, body: { error: { code: 401, message: "No", status: "UNAUTHENTICATED" } } })
          )
        )
        const { readWrite } = yield* sheetsSeed({ auth_type: "service_account", credentials: keyFile })
        const first = yield* write(readWrite, "k")
        assertError(first, 502, "credentials_rejected", errorIn(first).details)
        assert.strictEqual((yield* write(readWrite, "k")).callId, first.callId)
        assert.lengthOf(upstream.requests, 2)
      }))

    it.effect("is idempotency_in_progress while the first is under way", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        const { readWrite } = yield* sheetsSeed()
        const { arrived, holding, release } = yield* holdReplies(answerCleared)
        upstream.handle(holding)
        const first = yield* Effect.forkChild(write(readWrite, "k"))
        yield* arrived
        const second = yield* write(readWrite, "k")
        assertError(second, 409, "idempotency_in_progress", { retry_after_seconds: 1 })
        assert.match(second.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
        const { error_code, http_status } = yield* loggedCall(readWrite, second.callId)
        assert.deepStrictEqual([http_status, error_code], [409, "idempotency_in_progress"])

        yield* release
        const { callId, status } = yield* Fiber.join(first)
        assert.strictEqual(status, 200)
        assert.strictEqual((yield* write(readWrite, "k")).callId, callId)
        assert.lengthOf(upstream.requests, 1)
      }))

    it.effect.each<{ readonly what: string; readonly handler: Handler }>([
      { what: "the connection broke", handler: () => (response) => void response.destroy() },
      {
        what: "the body was cut off",
        handler: () => (response) => {
          response.writeHead(200, { "content-type": "application/json", "content-length": 100 })
          response.write("{")
          setImmediate(() => response.destroy())
        }
      },
      { what: "the body was not JSON", handler: () => ({ body: "<html>" }) },
      { what: "the provider did not answer in time", handler: () => () => {} }
    ])("is outcome_unknown when $what", ({ handler }) =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(handler)
        const { readWrite } = yield* sheetsSeed()
        const first = yield* write(readWrite, "k")
        assertError(first, 502, "upstream_unreachable")
        const requests = upstream.requests.length
        upstream.handle(answerCleared)
        const again = yield* write(readWrite, "k")
        assertError(again, 409, "outcome_unknown", { call_id: first.callId })
        assert.strictEqual((yield* loggedCall(readWrite, again.callId)).error_code, "outcome_unknown")
        assertError(yield* write(readWrite, "k", otherRange), 422, "idempotency_key_reused", { call_id: first.callId })
        assert.strictEqual(requests, 1)
        assert.lengthOf(upstream.requests, 0)
        assert.strictEqual((yield* write(readWrite, "l")).status, 200)
      }))

    it.effect.each<{
      readonly when: string
      readonly code: string
      readonly status: number
      readonly body?: unknown
      readonly seeded?: Parameters<typeof seed>[0]
      readonly handler?: Handler
    }>([
      {
        when: "the input is invalid",
        status: 400,
        code: "invalid_input",
        body: { ...clearRange, input: { path: { spreadsheetId: "x" } } }
      },
      { when: "there is no connection", status: 404, code: "connection_not_found", seeded: { provider: "gdocs" } },
      {
        when: "the token endpoint fails",
        status: 503,
        code: "upstream_error",
        seeded: { credentials: expiredGrant("down") },
        handler: tokenEndpoint(() => ({ status: 503 }), answerCleared)
      },
      {
        when: "the token endpoint breaks off",
        status: 502,
        code: "upstream_unreachable",
        seeded: { credentials: expiredGrant("broken") },
        handler: tokenEndpoint(() => (response) => void response.destroy(), answerCleared)
      },
      {
        when: "the grant is revoked",
        status: 401,
        code: "credentials_expired",
        seeded: { credentials: expiredGrant("gone") },
        handler: tokenEndpoint(() => ({ status: 400, body: { error: "invalid_grant" } }), answerCleared)
      },
      {
        when: "the provider answers 401 twice",
        status: 401,
        code: "credentials_expired",
        handler: tokenEndpoint(
          () => ({ body: { access_token: "ya29.renewed-0123456789", expires_in: 3599 } }),
          () => ({ status: 401, body: { error: { code: 401, message: "No", status: "UNAUTHENTICATED" } } })
        )
      },
      {
        when: "the provider answers 401 and the token cannot be renewed",
        status: 502,
        code: "upstream_unreachable",
        handler: tokenEndpoint(
          () => (response) => void response.destroy(),
          () => ({ status: 401, body: { error: { code: 401, message: "No", status: "UNAUTHENTICATED" } } })
        )
      }
    ])(
      "can use its key again when $when",
      ({ body, code, handler = answerCleared, seeded = {}, status }) =>
        Effect.gen(function*() {
          const upstream = yield* LoopbackUpstream
          const { connect, readWrite } = yield* sheetsSeed(seeded)
          upstream.handle(handler)
          const first = yield* write(readWrite, "k", body)
          assertError(first, status, code, errorIn(first).details)

          upstream.handle(answerCleared)
          const { id } = yield* connect({
            provider: "gsheets",
            credentials: {
              ...expiredGrant("x"),
              access_token: "ya29.working-0123456789",
              expires_at: "2099-01-01T00:00:00Z"
            }
          })
          const later = yield* write(readWrite, "k", { ...clearRange, connection_id: id })
          assert.strictEqual(later.status, 200, later.text)
          assert.notStrictEqual(later.callId, first.callId)
          assert.lengthOf(upstream.requests, 1)
        })
    )

    it.effect("reads accept the header and ignore it", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ body: {} }))
        const { readOnly } = yield* seed()
        const answers = [yield* write(readOnly, "k", sitesList), yield* write(readOnly, "k", sitesList)]
        assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200])
        assert.isNull(answers[1]?.headers.get("idempotency-replayed"))
        assert.lengthOf(upstream.requests, 2)
      }))

    it.effect("is connection_not_found for what does not see the connection of the first call", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(answerCleared)
        const { admin } = yield* TestServer
        const { client, connect, connection, member, readWrite } = yield* sheetsSeed()
        const grantOn = (connectionIds: ReadonlyArray<ConnectionId> | null) =>
          Effect.map(newGrant({ memberId: member.id, access: "read_write", connectionIds }), ({ token }) => token)
        const first = yield* grantOn([connection.id])
        const written = yield* write(first, "k")
        assert.strictEqual(written.status, 200)
        const other = yield* grantOn([(yield* connect()).id])
        const isRefused = (token: string) =>
          Effect.map(write(token, "k"), (answer) => {
            assertError(answer, 404, "connection_not_found")
            assert.isNull(answer.headers.get("idempotency-replayed"))
          })
        yield* isRefused(other)
        for (const token of [first, readWrite, yield* grantOn(null)]) {
          assert.strictEqual((yield* write(token, "k")).text, written.text)
        }

        yield* admin.managedConnections.revoke({ params: { id: connection.id } })
        assert.strictEqual((yield* write(first, "k")).text, written.text)

        const otherClient = yield* admin.clients.create({ payload: { name: `beside ${client.name}` } })
        yield* admin.members.change({ params: { id: member.id }, payload: { client_ids: [otherClient.id] } })
        for (const token of [first, readWrite]) yield* isRefused(token)
        const sent = upstream.requests.filter(({ url }) => url.startsWith("/gsheets"))
        assert.lengthOf(sent.filter(({ method }) => method !== "GET"), 1)
      }))

    it.effect("is connection_not_found for another agent when the provider refused the write", () =>
      Effect.gen(function*() {
        ;(yield* LoopbackUpstream).handle(() => ({ status: 400, body: { error: { code: 400, message: "Private" } } }))
        const { connect, connection, member } = yield* sheetsSeed()
        const other = yield* connect()
        const grantOn = (id: ConnectionId) =>
          newGrant({ memberId: member.id, access: "read_write", connectionIds: [id] })
        const refused = yield* write((yield* grantOn(connection.id)).token, "k")
        assert.strictEqual(refused.status, 400)
        assertError(yield* write((yield* grantOn(other.id)).token, "k"), 404, "connection_not_found")
      }))

    it.effect("of a read-only key is read_only", () =>
      Effect.gen(function*() {
        const { readOnly, readWrite } = yield* sheetsSeed()
        ;(yield* LoopbackUpstream).handle(answerCleared)
        assertError(yield* write(readOnly, "k"), 403, "read_only")
        const first = yield* write(readWrite, "k")
        assert.strictEqual(first.status, 200)
        assertError(yield* write(readOnly, "k"), 403, "read_only")
      }))

    it.effect.each([
      { what: "empty", value: "" },
      { what: "too long", value: "x".repeat(256) },
      { what: "with a space", value: "a b" },
      { what: "not ASCII", value: "é" }
    ])("is invalid_input when the key is $what", ({ value }) =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(answerCleared)
        const { readWrite } = yield* sheetsSeed()
        const answer = yield* write(readWrite, value, { ...clearRange, more: 1 })
        assert.deepStrictEqual(issuePaths(answer), ["more", "headers.idempotency-key"])
        assert.include(answer.text, "Expected 1 to 255 visible ASCII characters")
        assert.lengthOf(upstream.requests, 0)
        assert.strictEqual((yield* write(readWrite, "~".repeat(255))).status, 200)
      }))
  }
)
