import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { approvalHours, Hosted } from "../../Http/Fixture.ts"
import { type Answer, assertError } from "../../support/Answer.ts"
import { eventually } from "../../support/Eventually.ts"
import { holdReplies, LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { signedIn, withSession } from "../../support/SignedIn.ts"
import { bySitesearchKey, keyFor, seed, TestServer } from "../../support/TestServer.ts"

const submit = (url = "https://example.com/new") => ({
  provider: "sitesearch",
  endpoint: "SubmitUrl",
  input: { body: { siteUrl: "https://example.com/", url } }
})

const page = (index: number) => submit(`https://example.com/${index}`)

const start = Effect.gen(function*() {
  const server = yield* TestServer
  const { client, connection, member, readWrite } = yield* seed(bySitesearchKey)
  const asks = yield* server.admin.keys.create({
    payload: { member_id: member.id, name: "asks", access: "read_write", writes: "ask" }
  })
  const sent: Array<unknown> = []
  ;(yield* LoopbackUpstream).handle(({ body }) => {
    sent.push(body)
    return { status: 200, body: { d: null } }
  })
  const { request } = yield* withSession(member)
  const call = (body: unknown = submit(), headers = {}) =>
    server.request("POST", "/v1/call", { key: asks.key, body, headers })
  const get = (id: string, key = asks.key) => server.request("GET", `/v1/approvals/${id}`, { key })
  const decide = (id: string, decision: string) => request("POST", `/v1/approvals/${id}/${decision}`)
  return { asks, call, client, connection, decide, get, member, readWrite, request, sent, server }
})

const idOf = (answer: Answer): string => Object(answer.json).error?.details?.approval_id ?? ""
const body = (answer: Answer) => Object(answer.json)

layer(Hosted, { excludeTestServices: true })("A key that is asked first", (it) => {
  it.effect("writes once a person has approved, exactly what was asked, and once", () =>
    Effect.gen(function*() {
      const { asks, call, connection, decide, get, member, sent, server } = yield* start
      const asked = yield* call()
      assertError(asked, 409, "approval_required", body(asked).error.details)
      const id = idOf(asked)
      assert.strictEqual(idOf(yield* call()), id, "an equal call waits for the same approval")
      assert.notStrictEqual(idOf(yield* call(submit("https://example.com/other"))), id)
      assert.deepStrictEqual(sent, [])
      assert.match(body(asked).error.details.url, new RegExp(`/dashboard/approvals/${id}$`))

      assertError(yield* get(`${id}?wait=`), 400, "invalid_input", [
        { path: ["wait"], message: "Expected a string representing a finite number" }
      ])
      const pending = body(yield* get(id))
      assert.deepInclude(pending, {
        id,
        status: "pending",
        provider: "sitesearch",
        target: "raw:SubmitUrl",
        connection_id: connection.id,
        resource_name: "https://example.com/",
        resource_url: "https://example.com/",
        not_shown: { changes: 0, cells: 0, characters: 0 },
        input: submit().input,
        asked_by: { member_id: member.id, key_id: asks.id, grant_id: null },
        decided_by: null,
        call_id: null,
        response: null
      })
      assert.strictEqual(pending.changes[0].request.method, "POST")
      const lives = Date.parse(pending.expires_at) - Date.parse(pending.created_at)
      assert.strictEqual(lives, approvalHours * 3_600_000)

      const approved = yield* decide(id, "approve")
      assert.strictEqual(approved.status, 200, approved.text)
      assert.deepInclude(body(approved), { status: "done", decided_by: member.id })
      assert.deepStrictEqual(sent.map((text) => JSON.parse(String(text))), [submit().input.body])
      assert.strictEqual(body(approved).response.call_id, body(approved).call_id)
      const logged = yield* server.request("GET", `/v1/logs/${body(approved).call_id}`, { key: asks.key })
      assert.deepInclude(body(logged), { key_id: asks.id, via: "key", outcome: "ok" })

      const again = yield* call()
      assert.deepStrictEqual([again.status, again.headers.get("idempotency-replayed")], [200, "true"])
      assert.deepStrictEqual(again.json, body(approved).response)
      assertError(yield* call(), 409, "approval_required", body(yield* call()).error.details)
      yield* decide(id, "approve")
      assert.strictEqual(sent.length, 1)
    }))

  it.effect("cannot ask about a number that a person would be shown rounded", () =>
    Effect.gen(function*() {
      const { sent, server } = yield* start
      const { member } = yield* seed({ provider: "gsheets" })
      const key = yield* keyFor(member, { access: "read_write", writes: "ask" })
      const create = (rows: string) =>
        server.request("POST", "/v1/call", {
          key,
          rawBody: `{"provider":"gsheets","endpoint":"spreadsheets.create","input":{"body":{"sheets":[{"data":[` +
            `{"rowData":[{"values":[{"userEnteredValue":{"numberValue":${rows}}}]}]}]}]}}}`
        })
      const place = ["input", "body", "sheets", 0, "data", 0, "rowData", 0, "values", 0, "userEnteredValue"]
      assertError(yield* create("12345678901234567890"), 400, "invalid_input", [
        {
          path: [...place, "numberValue"],
          message: "A number keeps about 15 digits, so this one would change: send it as text"
        }
      ])
      assert.strictEqual((yield* create("0.30000000000000004")).status, 409)
      assert.deepStrictEqual(sent, [])
    }))

  it.effect("gets approval_denied once after a person has denied it", () =>
    Effect.gen(function*() {
      const { call, decide, sent } = yield* start
      const id = idOf(yield* call())
      assert.strictEqual(body(yield* decide(id, "deny")).status, "denied")
      assert.strictEqual(body(yield* decide(id, "approve")).status, "denied")
      assertError(yield* call(), 409, "approval_denied", { approval_id: id })
      assert.notStrictEqual(idOf(yield* call()), id)
      assert.deepStrictEqual(sent, [])
    }))

  it.effect("sends nothing after the time for its approval", () =>
    Effect.gen(function*() {
      const { call, decide, get, sent } = yield* start
      const sql = yield* SqlClient.SqlClient
      const id = idOf(yield* call())
      yield* sql`UPDATE approvals SET expires_at = now() WHERE id = ${id}`
      for (const each of [yield* get(id), yield* decide(id, "approve")]) {
        assert.strictEqual(body(each).status, "expired")
      }
      assert.notStrictEqual(idOf(yield* call()), id)
      assert.deepStrictEqual(sent, [])
    }))

  it.effect("is decided by its member and admins alone", () =>
    Effect.gen(function*() {
      const { asks, call, get, readWrite, request, server } = yield* start
      const id = idOf(yield* call())
      const other = yield* signedIn({ client_ids: [] })
      const admin = yield* signedIn({ role: "admin" })
      assertError(yield* get(id, readWrite), 404, "approval_not_found")
      for (const path of [`/v1/approvals/${id}/approve`, `/v1/approvals/${id}/deny`]) {
        assertError(yield* other.request("POST", path), 404, "approval_not_found")
        assertError(yield* server.request("POST", path, { key: asks.key }), 403, "forbidden")
      }
      assertError(yield* server.request("GET", "/v1/approvals", { key: asks.key }), 403, "forbidden")
      const listed = (answer: Answer) => body(answer).approvals.map(({ id }: { readonly id: string }) => id)
      assert.deepStrictEqual(listed(yield* request("GET", "/v1/approvals?status=pending")), [id])
      assert.deepStrictEqual(listed(yield* other.request("GET", "/v1/approvals")), [])
      assert.include(listed(yield* admin.request("GET", "/v1/approvals")), id)
      assert.strictEqual(body(yield* admin.request("POST", `/v1/approvals/${id}/approve`)).status, "done")
    }))

  it.effect("names who has decided in the audit, and who has asked", () =>
    Effect.gen(function*() {
      const { asks, call, decide, member } = yield* start
      const id = idOf(yield* call())
      yield* decide(id, "deny")
      const asked_by = { member_id: member.id, key_id: asks.id, grant_id: null }
      const { admin } = yield* TestServer
      const { entries } = yield* admin.audit.list({ query: { subject: id } })
      assert.deepStrictEqual(
        entries.map(({ action, actor, details }) => [action, actor.member_id, details["asked_by"], details["target"]]),
        [
          ["approval.decided", member.id, asked_by, "raw:SubmitUrl"],
          ["approval.requested", null, asked_by, "raw:SubmitUrl"]
        ]
      )
    }))

  it.effect("is listed without what is written, also beside one that cannot be decrypted", () =>
    Effect.gen(function*() {
      const { call, decide, request } = yield* start
      const [lost, id] = [idOf(yield* call()), idOf(yield* call(submit("https://example.com/secret-page")))]
      yield* decide(id, "approve")
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE approvals SET encryption_key_id = 'lost' WHERE id = ${lost}`
      const { json, text } = yield* request("GET", "/v1/approvals")
      const [listed, ...others] = Object(json).approvals
      assert.deepStrictEqual([listed.id, listed.status, others], [id, "done", []])
      for (const field of ["input", "changes", "response"]) assert.notProperty(listed, field)
      assert.notInclude(text, "secret-page")
      yield* sql`DELETE FROM approvals WHERE id = ${lost}`
    }))

  type Started = Effect.Success<typeof start>
  const lostClient = ({ member, server: { admin } }: Started) =>
    admin.members.change({ params: { id: member.id }, payload: { client_ids: [] } })

  const ends: ReadonlyArray<
    { readonly when: string; readonly end: (started: Started) => Effect.Effect<unknown, unknown> }
  > = [
    {
      when: "its key is bound elsewhere",
      end: ({ asks, server: { admin } }) =>
        admin.keys.change({ params: { id: asks.id }, payload: { resources: ["sitesearch:https://other.com/"] } })
    },
    { when: "its member has lost the client", end: lostClient },
    {
      when: "its connection is revoked",
      end: ({ connection, server: { admin } }) => admin.managedConnections.revoke({ params: { id: connection.id } })
    }
  ]

  it.effect.each(ends)(
    "does not show what is written, nor the response, once $when",
    ({ end }) =>
      Effect.gen(function*() {
        const started = yield* start
        const { asks, call, decide, get } = started
        const id = idOf(yield* call())
        yield* decide(id, "approve")
        const before = body(yield* get(id))
        yield* end(started)
        const { changes: _, input: __, response: ___, ...rest } = before
        assert.deepStrictEqual(body(yield* get(id, asks.key)), rest)
      })
  )

  it.effect("does not show its member what the key of a lost client has asked for", () =>
    Effect.gen(function*() {
      const started = yield* start
      const id = idOf(yield* started.call())
      yield* lostClient(started)
      const shown = yield* started.request("GET", `/v1/approvals/${id}`)
      assert.strictEqual(shown.status, 200)
      for (const field of ["input", "changes", "response"]) assert.notProperty(shown.json, field)
    }))

  it.effect("has lost its rights or its budget by the time of the approval, which then is the response", () =>
    Effect.gen(function*() {
      const { asks: { id: keyId }, call, decide, sent, server: { admin } } = yield* start
      const params = { id: keyId }
      const [first, second] = [idOf(yield* call()), idOf(yield* call(submit("https://example.com/other")))]
      yield* admin.keys.change({ params, payload: { budget: { writes_per_day: 0 } } })
      const overBudget = body(yield* decide(first, "approve"))
      yield* admin.keys.revoke({ params })
      const unauthenticated = body(yield* decide(second, "approve"))
      assert.strictEqual(overBudget.response.error.details.limited_by, "budget")
      assert.deepStrictEqual(
        [overBudget, unauthenticated].map(({ response, status }) => [status, response.error.code]),
        [["done", "rate_limited"], ["done", "unauthenticated"]]
      )
      assert.deepStrictEqual(sent, [])
    }))

  it.effect("sees what it may still see once the decision that it waited for is there", () =>
    Effect.gen(function*() {
      const { asks, call, decide, get, server } = yield* start
      const waitWhile = Effect.fnUntraced(function*(change: Effect.Effect<unknown>, url: string) {
        const id = idOf(yield* call(submit(url)))
        const waiting = yield* Effect.forkScoped(get(`${id}?wait=30`))
        yield* get(id)
        yield* change
        yield* decide(id, "deny")
        return yield* Fiber.join(waiting)
      })
      const { change, revoke } = server.admin.keys
      const params = { id: asks.id }
      const bound = change({ params, payload: { resources: ["sitesearch:https://other.example/"] } })
      const narrowed = yield* waitWhile(Effect.orDie(bound), "https://example.com/narrowed")
      assert.strictEqual(body(narrowed).status, "denied")
      assert.notProperty(body(narrowed), "input")
      yield* change({ params, payload: { resources: null } })
      const revoked = yield* waitWhile(Effect.orDie(revoke({ params })), "https://example.com/revoked")
      assertError(revoked, 401, "unauthenticated")
    }).pipe(Effect.scoped))

  it.effect("gets the response of the write, also if it has lost its rights while it was sent", () =>
    Effect.gen(function*() {
      const { asks, call, decide, server } = yield* start
      const { arrived, holding, release } = yield* holdReplies(() => ({ body: { d: null } }))
      ;(yield* LoopbackUpstream).handle(holding)
      const id = idOf(yield* call())
      const first = yield* Effect.forkScoped(decide(id, "approve"))
      yield* arrived
      yield* server.admin.keys.revoke({ params: { id: asks.id } })
      assert.deepInclude(body(yield* decide(id, "approve")), { status: "approved", call_id: null, response: null })
      yield* release
      const { response, status } = body(yield* Fiber.join(first))
      assert.deepStrictEqual([status, response.data], ["done", { d: null }])
    }).pipe(Effect.scoped))

  it.effect("leaves the idempotency key of a request free until it is approved, then keeps the response", () =>
    Effect.gen(function*() {
      const { call, decide, sent } = yield* start
      const headers = { "idempotency-key": "asked" }
      const approved = yield* decide(idOf(yield* call(submit(), headers)), "approve")
      for (const _ of ["the decision", "the idempotency key"]) {
        const again = yield* call(submit(), headers)
        assert.deepStrictEqual([again.status, again.headers.get("idempotency-replayed")], [200, "true"])
        assert.deepStrictEqual(again.json, body(approved).response)
        assert.strictEqual(again.callId, body(approved).call_id)
      }
      assertError(yield* call({ ...submit(), connection_id: "con_x" }, headers), 422, "idempotency_key_reused", {
        call_id: body(approved).call_id
      })
      assert.strictEqual(sent.length, 1)
    }))

  it.effect("is never asked about a preview or a read", () =>
    Effect.gen(function*() {
      const { call } = yield* start
      assert.isTrue(body(yield* call({ ...submit(), dry_run: true })).data.dry_run)
      assert.strictEqual((yield* call({ provider: "sitesearch", endpoint: "GetUserSites" })).status, 200)
    }))

  it.effect("is sent to webhooks, without what is written", () =>
    Effect.gen(function*() {
      const { asks, call, decide, server } = yield* start
      const upstream = yield* LoopbackUpstream
      const received: Array<string> = []
      upstream.handle(({ body, url }) => {
        if (url === "/hook") received.push(body)
        return { status: 200, body: { d: null } }
      })
      const events = ["approval.requested", "approval.decided"] as const
      const { id: hook } = yield* server.admin.webhooks.create({
        payload: { url: `${upstream.url}/hook`, events: [...events] }
      })
      const id = idOf(yield* call(submit("https://example.com/secret-page")))
      yield* decide(id, "deny")
      yield* eventually(Effect.sync(() => received.length), (count) => count === 2)
      yield* server.admin.webhooks.delete({ params: { id: hook } })
      const told = received.map((text) => JSON.parse(text))
      assert.sameMembers(told.map(({ type }) => type), [...events])
      for (const { data: { approval } } of told) {
        assert.deepInclude(approval, { id, target: "raw:SubmitUrl" })
        assert.strictEqual(approval.asked_by.key_id, asks.id)
      }
      assert.notInclude(received.join(), "secret-page")
    }))
})

layer(TestServer.make({ RATE_LIMIT: "1000/second" }), { excludeTestServices: true })(
  "A key that asks too often",
  (it) => {
    it.effect("has at most 100 questions that wait, whatever others ask", () =>
      Effect.gen(function*() {
        const { call, decide, member, server } = yield* start
        const asked = yield* Effect.forEach(
          Array.from({ length: 100 }, (_, index) => page(index)),
          (each) => call(each),
          { concurrency: 4 }
        )
        const refused = yield* call(page(100))
        assertError(refused, 429, "rate_limited", { limited_by: "member_share", retry_after_seconds: 60 })
        assert.strictEqual(refused.headers.get("retry-after"), "60")
        const key = yield* keyFor(member, { access: "read_write", writes: "ask" })
        assert.strictEqual((yield* server.call(key, page(100))).status, 409)
        yield* decide(idOf(asked[0] ?? assert.fail("none")), "deny")
        assert.strictEqual((yield* call(page(100))).status, 409)
      }))
  }
)
