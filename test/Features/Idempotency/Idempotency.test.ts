import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { ConnectionId } from "../../../src/Domain/Ids.ts"
import { tokenEndpoint } from "../../Http/ErrorCases.ts"
import { clearRange, loggedCall, seededServer, sitesList } from "../../Http/Fixture.ts"
import { assertError, errorIn, issuePaths } from "../../support/Answer.ts"
import { type Handler, holdReplies } from "../../support/LoopbackUpstream.ts"
import { newGrant } from "../../support/NewGrant.ts"
import { keyFile } from "../../support/ServiceAccountFile.ts"
import { expiredGrant, freshGrant, keyFor, seed, TestServer } from "../../support/TestServer.ts"

const cleared = { spreadsheetId: "1", clearedRange: "A1:B2" }
const answerCleared: Handler = () => ({ body: cleared })

const giveToken: Handler = () => ({ body: { access_token: "ya29.new-0123456789", expires_in: 3599 } })
const refuseGrant: Handler = () => ({ status: 400, body: { error: "invalid_grant" } })
const refuseToken: Handler = () => ({
  status: 401,
  body: { error: { code: 401, message: "No", status: "UNAUTHENTICATED" } }
})
const breakOff: Handler = () => (response) => void response.destroy()

const otherRange = { ...clearRange, input: { path: { ...clearRange.input.path, range: "C1" } } }

const sheets = (handler: Handler, overrides: Parameters<typeof seed>[0] = {}) =>
  seededServer(handler, { provider: "gsheets", ...overrides })

const write = Effect.fnUntraced(function*(key: string, idempotencyKey: string, body: unknown = clearRange) {
  const server = yield* TestServer
  return yield* server.request("POST", "/v1/call", { key, body, headers: { "idempotency-key": idempotencyKey } })
})

const countLogged = Effect.fnUntraced(function*(key: string) {
  const { api } = yield* TestServer
  return (yield* api(key).logs.list({ query: {} })).calls.length
})

layer(TestServer.layer, { excludeTestServices: true })("A write with an Idempotency-Key", (it) => {
  it.effect("that is repeated gets the first answer, and is neither sent nor logged again", () =>
    Effect.gen(function*() {
      const { admin, connection, member, readWrite, request, upstream } = yield* sheets(answerCleared)
      const first = yield* write(readWrite, "k")
      assert.strictEqual(first.status, 200)
      assert.isNull(first.headers.get("idempotency-replayed"))

      // The key belongs to the member. The same body may be written differently.
      const otherKey = yield* keyFor(member, { access: "read_write" })
      yield* admin.managedConnections.revoke({ params: { id: connection.id } })
      const { endpoint, input, provider } = clearRange
      const again = yield* request("POST", "/v1/call", {
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

  it.effect("is the same with names of fields as in the .proto file", () =>
    Effect.gen(function*() {
      const { readWrite, upstream } = yield* sheets(() => ({ body: { updatedCells: 1 } }))
      const update = (names: object) => {
        const { path } = clearRange.input
        const input = { path, query: { valueInputOption: "RAW" }, body: { ...names, values: [["a"]] } }
        return write(readWrite, "k", { provider: "gsheets", endpoint: "values.update", input })
      }
      const first = yield* update({ majorDimension: "ROWS" })
      assert.strictEqual(first.status, 200)
      assert.strictEqual((yield* update({ major_dimension: "ROWS" })).text, first.text)
      assert.lengthOf(upstream.requests, 1)
    }))

  it.effect("is another one with another digit, also of a number that no double holds", () =>
    Effect.gen(function*() {
      const { readWrite, request } = yield* sheets(() => ({ body: { updatedCells: 1 } }))
      const update = (value: string) =>
        request("POST", "/v1/call", {
          key: readWrite,
          rawBody:
            `{"provider":"gsheets","endpoint":"values.update","input":{"path":{"spreadsheetId":"1","range":"A1"},` +
            `"query":{"valueInputOption":"RAW"},"body":{"values":[[${value}]]}}}`,
          headers: { "idempotency-key": "k" }
        })
      assert.strictEqual((yield* update("12345678901234567890")).status, 200)
      assert.strictEqual((yield* update("12345678901234567890")).headers.get("idempotency-replayed"), "true")
      assert.strictEqual(errorIn(yield* update("12345678901234567891")).code, "idempotency_key_reused")
    }))

  it.effect("is apart from the same key of another member, and from other keys", () =>
    Effect.gen(function*() {
      const [one, two] = [yield* sheets(answerCleared), yield* seed({ provider: "gsheets" })]
      const answers = [
        yield* write(one.readWrite, "k"),
        yield* write(two.readWrite, "k"),
        yield* write(one.readWrite, "l")
      ]
      assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200, 200])
      assert.lengthOf(new Set(answers.map(({ callId }) => callId)), 3)
      assert.lengthOf(one.upstream.requests, 3)
    }))

  it.effect.each([
    { what: "an error", status: 400, body: { error: { code: 400, message: "No", status: "INVALID_ARGUMENT" } } },
    { what: "an error page", status: 503, body: "<html>" }
  ])("gets the provider's answer again when it is $what", ({ body, status }) =>
    Effect.gen(function*() {
      const { readWrite, upstream } = yield* sheets(() => ({ status, body, headers: { "retry-after": "7" } }))
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
      const { readWrite, upstream } = yield* sheets(tokenEndpoint(giveToken, refuseToken), {
        auth_type: "service_account",
        credentials: keyFile
      })
      const first = yield* write(readWrite, "k")
      assertError(first, 502, "credentials_rejected", errorIn(first).details)
      assert.strictEqual((yield* write(readWrite, "k")).callId, first.callId)
      assert.lengthOf(upstream.requests, 2)
    }))

  it.effect("is idempotency_in_progress while the first is under way", () =>
    Effect.gen(function*() {
      const { arrived, holding, release } = yield* holdReplies(answerCleared)
      const { readWrite, upstream } = yield* sheets(holding)
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
    { what: "the connection broke", handler: breakOff },
    {
      what: "the body was cut off",
      handler: () => (response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": 100 })
        response.write("{")
        setImmediate(() => response.destroy())
      }
    },
    { what: "the body was not JSON", handler: () => ({ body: "<html>" }) }
  ])("is outcome_unknown when $what", ({ handler }) =>
    Effect.gen(function*() {
      const { readWrite, upstream } = yield* sheets(handler)
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

  it.effect.each<
    readonly [
      when: string,
      status: number,
      code: string,
      handler: Handler,
      more?: Parameters<typeof seed>[0],
      body?: unknown
    ]
  >([
    ["the input is invalid", 400, "invalid_input", answerCleared, {}, { ...clearRange, input: {} }],
    ["there is no connection", 404, "connection_not_found", answerCleared, { provider: "gdocs" }],
    [
      "the token endpoint breaks off",
      502,
      "upstream_unreachable",
      tokenEndpoint(breakOff, answerCleared),
      { credentials: expiredGrant("broken") }
    ],
    [
      "the grant is revoked",
      401,
      "credentials_expired",
      tokenEndpoint(refuseGrant, answerCleared),
      { credentials: expiredGrant("gone") }
    ],
    ["the provider answers 401 twice", 401, "credentials_expired", tokenEndpoint(giveToken, refuseToken)],
    ["the token cannot be renewed after a 401", 502, "upstream_unreachable", tokenEndpoint(breakOff, refuseToken)]
  ])("can use its key again when %s", ([, status, code, handler, more, body]) =>
    Effect.gen(function*() {
      const { connect, readWrite, upstream } = yield* sheets(handler, more)
      const first = yield* write(readWrite, "k", body)
      assertError(first, status, code, errorIn(first).details)

      upstream.handle(answerCleared)
      const { id } = yield* connect({ provider: "gsheets", credentials: freshGrant("working") })
      const later = yield* write(readWrite, "k", { ...clearRange, connection_id: id })
      assert.strictEqual(later.status, 200, later.text)
      assert.notStrictEqual(later.callId, first.callId)
      assert.lengthOf(upstream.requests, 1)
    }))

  it.effect("reads accept the header and ignore it", () =>
    Effect.gen(function*() {
      const { readOnly, upstream } = yield* seededServer(() => ({ body: {} }))
      const answers = [yield* write(readOnly, "k", sitesList), yield* write(readOnly, "k", sitesList)]
      assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200])
      assert.isNull(answers[1]?.headers.get("idempotency-replayed"))
      assert.lengthOf(upstream.requests, 2)
    }))

  it.effect("is connection_not_found for what does not see the connection of the first call", () =>
    Effect.gen(function*() {
      const { admin, client, connect, connection, member, readWrite, upstream } = yield* sheets(answerCleared)
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

  it.effect("of a read-only key is read_only", () =>
    Effect.gen(function*() {
      const { readOnly, readWrite } = yield* sheets(answerCleared)
      assertError(yield* write(readOnly, "k"), 403, "read_only")
      const first = yield* write(readWrite, "k")
      assert.strictEqual(first.status, 200)
      assertError(yield* write(readOnly, "k"), 403, "read_only")
    }))

  it.effect.each([["empty", ""], ["too long", "x".repeat(256)], ["with a space", "a b"], ["not ASCII", "é"]])(
    "is invalid_input when the key is %s",
    ([, key = ""]) =>
      Effect.gen(function*() {
        const { readWrite, upstream } = yield* sheets(answerCleared)
        const answer = yield* write(readWrite, key, { ...clearRange, more: 1 })
        assert.deepStrictEqual(issuePaths(answer), ["more", "headers.idempotency-key"])
        assert.include(answer.text, "Expected 1 to 255 visible ASCII characters")
        assert.lengthOf(upstream.requests, 0)
        assert.strictEqual((yield* write(readWrite, "~".repeat(255))).status, 200)
      })
  )
})
