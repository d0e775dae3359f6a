import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { assertError, errorIn } from "../support/Answer.ts"
import { assertFails } from "../support/ApiClient.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { expiredGrant, seed, TestServer } from "../support/TestServer.ts"
import { errorCases, googleError, maxRequestBytes, replyWith, tokenEndpoint, unknownConnection } from "./ErrorCases.ts"
import {
  assertNotLogged,
  clearRange,
  connectionChoice,
  loggedCall,
  memberWith,
  sitesGet,
  sitesList
} from "./Fixture.ts"

const TestLayer = TestServer.make({ MAX_REQUEST_BYTES: `${maxRequestBytes}` })

layer(TestLayer, { excludeTestServices: true })("A call fails with", (it) => {
  it.effect.each(errorCases)(
    "$code when $when",
    ({ code, details, log = {}, provoke, status }) =>
      Effect.gen(function*() {
        const seeded = yield* seed()
        const answer = yield* provoke(seeded)
        assertError(answer, status, code, details)
        const call = yield* loggedCall(seeded.readOnly, answer.callId)
        assert.strictEqual(call.outcome, "error")
        assert.strictEqual(call.http_status, status)
        assert.strictEqual(call.error_code, code)
        assert.strictEqual(call.cost_usd, 0)
        assert.strictEqual(call.cached, false)
        assert.strictEqual(call.provider === null, log.provider === null)
        assert.strictEqual(call.target === null, log.target === null)
        assert.strictEqual(call.connection_id, log.connection === "named" ? seeded.connection.id : null)
        assert.strictEqual(call.client_id, log.connection === "named" ? seeded.client.id : null)
        assert.deepStrictEqual(call.response, answer.json)
      })
  )

  it.effect.each([
    { when: "missing", headersWith: () => ({}) },
    { when: "of another scheme", headersWith: (key: string) => ({ authorization: `Basic ${key}` }) },
    { when: "without a scheme", headersWith: (key: string) => ({ authorization: key }) },
    { when: "followed by more text", headersWith: (key: string) => ({ authorization: `Bearer ${key} x` }) },
    { when: "one character short", headersWith: (key: string) => ({ authorization: `Bearer ${key.slice(0, -1)}` }) },
    { when: "made up", headersWith: () => ({ authorization: `Bearer oa_${"a".repeat(38)}` }) },
    { when: "the operator's token", headersWith: (_: string, admin: string) => ({ authorization: `Bearer ${admin}` }) }
  ])("unauthenticated when the key is $when", ({ headersWith }) =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { readOnly } = yield* seed()
      const unlimited = yield* memberWith(null)
      const headers = headersWith(readOnly, server.adminToken)
      const answer = yield* server.request("POST", "/v1/call", { headers, body: sitesList })
      assertError(answer, 401, "unauthenticated")
      assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
      const call = yield* loggedCall(unlimited.readWrite, answer.callId)
      assert.deepStrictEqual(
        { outcome: call.outcome, http_status: call.http_status, error_code: call.error_code, key_id: call.key_id },
        { outcome: "error", http_status: 401, error_code: "unauthenticated", key_id: null }
      )
      yield* assertNotLogged(readOnly, answer.callId)
      for (const path of ["/v1/providers", "/v1/providers/gsc", "/v1/connections", "/v1/logs", "/v1/logs/x"]) {
        assertError(yield* server.request("GET", path, { headers }), 401, "unauthenticated")
      }
    }))

  it.effect("invalid_json, not unauthenticated, when the scheme of the key is written in any case", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { readOnly } = yield* seed()
      const headers = { authorization: `bEARER  ${readOnly}` }
      assert.strictEqual((yield* server.request("GET", "/v1/providers", { headers })).status, 200)
      assertError(yield* server.request("POST", "/v1/call", { headers, rawBody: "" }), 400, "invalid_json")
    }))

  it.effect("connection_ambiguous and the active connections that the key can see", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
      const { connect, connection, readOnly } = yield* seed()
      yield* seed()
      const second = yield* connect()
      const revoked = yield* connect()
      yield* server.admin.managedConnections.revoke({ params: { id: revoked.id } })
      const answer = yield* server.call(readOnly, sitesList)
      assertError(answer, 400, "connection_ambiguous", {
        connection_ids: [second.id, connection.id],
        connections: [second, connection].map(connectionChoice)
      })
      const call = yield* loggedCall(readOnly, answer.callId)
      assert.strictEqual(call.connection_id, null)
      assert.deepStrictEqual(call.response, answer.json)
    }))

  it.effect("credentials_rejected when a service account has no access, and the connection stays active", () =>
    Effect.gen(function*() {
      const denied = googleError(403, "PERMISSION_DENIED", "forbidden")
      ;(yield* LoopbackUpstream).handle(
        tokenEndpoint(
          replyWith(200, { access_token: "ya29.robot-0123456789", expires_in: 3599 }),
          replyWith(403, denied)
        )
      )
      const { reader } = yield* seed({ auth_type: "service_account", credentials: keyFile })
      yield* assertFails(reader.call.call({ payload: sitesList }), "credentials_rejected", denied)
      const { connections } = yield* reader.connections.list({ query: {} })
      assert.deepStrictEqual(connections.map(({ status }) => status), ["active"])
    }))

  it.effect("upstream_error with the provider's status and Retry-After", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { readOnly } = yield* seed()
      for (const status of [400, 402, 403, 404, 409, 418, 429, 451, 500, 501, 599]) {
        const body = googleError(status, "SOME", "dailyLimitExceeded")
        upstream.handle(replyWith(status, body, { "retry-after": "30" }))
        const answer = yield* server.call(readOnly, sitesList)
        assertError(answer, status, "upstream_error", body)
        assert.strictEqual(answer.headers.get("retry-after"), "30")
        assert.strictEqual((yield* loggedCall(readOnly, answer.callId)).http_status, status)
      }
    }))

  it.effect("upstream_error without the connection's secret, when the provider repeats it", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { connection, name, readOnly } = yield* seed()
      ;(yield* LoopbackUpstream).handle(({ headers }) => ({
        status: 400,
        body: { error: { message: `Not with ${headers.authorization}`, [`${headers.authorization}`]: 1 } }
      }))
      const answer = yield* server.call(readOnly, { ...sitesList, connection_id: connection.id })
      assertError(answer, 400, "upstream_error", {
        error: { "Bearer [redacted]": 1, message: "Not with Bearer [redacted]" }
      })
      assert.notInclude(answer.text, name)
      assert.notInclude(JSON.stringify(yield* loggedCall(readOnly, answer.callId)), `access-${name}`)
    }))

  it.effect.each([
    {
      first: "unauthenticated",
      next: "payload_too_large",
      withKey: false,
      body: { ...sitesList, input: { x: "x".repeat(maxRequestBytes) } }
    },
    { first: "unauthenticated", next: "invalid_json", withKey: false, rawBody: "" },
    { first: "payload_too_large", next: "invalid_json", rawBody: "x".repeat(maxRequestBytes + 1) },
    { first: "invalid_input", next: "provider_not_found", body: { provider: "x", endpoint: "x", y: 1 } },
    { first: "invalid_input", next: "read_only", body: { ...clearRange, max_age: -1 } },
    {
      first: "provider_not_found",
      next: "endpoint_not_found",
      body: { provider: "x", endpoint: "x", input: { y: 1 } }
    },
    { first: "endpoint_not_found", next: "invalid_input", body: { provider: "gsc", endpoint: "x", input: { y: 1 } } },
    { first: "tool_not_found", next: "connection_not_found", body: { provider: "gsc", tool: "x", connection_id: "x" } },
    { first: "read_only", next: "invalid_input", body: { ...clearRange, input: { path: {} } } },
    { first: "read_only", next: "connection_not_found", body: { ...clearRange, connection_id: "x" } },
    {
      first: "invalid_input",
      next: "connection_not_found",
      body: { ...sitesGet, input: {}, connection_id: unknownConnection }
    }
  ])("$first rather than $next", ({ body, first, rawBody, withKey = true }) =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { readOnly } = yield* seed()
      upstream.handle(replyWith(200, {}))
      const answer = yield* server.request("POST", "/v1/call", {
        key: withKey ? readOnly : undefined,
        ...rawBody === undefined ? { body } : { rawBody }
      })
      assert.strictEqual(errorIn(answer).code, first)
      assert.strictEqual(upstream.requests.length, 0)
    }))

  it.effect("connection_inactive rather than a cached answer", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { connection, reader } = yield* seed({ credentials: expiredGrant("cached") })
      const body = { ...sitesList, connection_id: connection.id, max_age: 600 }
      upstream.handle(tokenEndpoint(
        replyWith(200, { access_token: "ya29.short-0123456789", expires_in: 1 }),
        replyWith(200, { siteEntry: [] })
      ))
      yield* reader.call.call({ payload: body })
      upstream.handle(replyWith(400, { error: "invalid_grant" }))
      yield* assertFails(reader.call.call({ payload: { ...body, max_age: 0 } }), "credentials_expired")
      yield* assertFails(reader.call.call({ payload: body }), "connection_inactive")
    }))
})
