import { assert, layer } from "@effect/vitest"
import { Effect, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { Webhook as Verifier } from "standardwebhooks"
import { eventTypes } from "../../../src/Declared/EventType.ts"
import type { ManagedConnection } from "../../../src/Domain/Connection.ts"
import { Hosted, manage as manageApi, sitesList } from "../../Http/Fixture.ts"
import { type Answer, assertError, issuePaths, issuesIn } from "../../support/Answer.ts"
import { eventually } from "../../support/Eventually.ts"
import { LoopbackUpstream, type Recorded } from "../../support/LoopbackUpstream.ts"
import { newGrant } from "../../support/NewGrant.ts"
import { expiredGrant, freshGrant, seed, TestServer } from "../../support/TestServer.ts"

const manage = (method: string, path: string, body?: unknown) => manageApi(method, `/webhooks${path}`, body)
const read = (path: string) => Effect.map(manage("GET", path), bodyOf)

const bodyOf = ({ json }: Answer) => Object(json)
const toJson = (value: unknown) => JSON.parse(JSON.stringify(value))

const idOf = ({ headers }: Recorded) => String(headers["webhook-id"])

const receiver = Effect.fnUntraced(function*(events: ReadonlyArray<string> = eventTypes) {
  const upstream = yield* LoopbackUpstream.make
  upstream.handle(() => ({ status: 204 }))
  const created = yield* manage("POST", "", { url: `${upstream.url}/hook`, events })
  assert.strictEqual(created.status, 201, created.text)
  const { id, secret }: Record<"id" | "secret", string> = bodyOf(created)
  yield* Effect.addFinalizer(() => manage("DELETE", `/${id}`))
  const verifier = new Verifier(secret)
  const verified = ({ body, headers }: Recorded) =>
    verifier.verify(body, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])))
  const arrived = (count: number) =>
    Effect.map(
      eventually(Effect.sync(() => upstream.requests), ({ length }) => length >= count),
      (requests) => requests.map((each) => toJson(verified(each)))
    )
  return { ...upstream, id, arrived }
})

/** Only the management API shows parents. */
const shown = (connection: ManagedConnection) => Struct.omit(connection, ["parent_id"])

const events = ["key.created"]

layer(Hosted, { excludeTestServices: true })("Webhooks", (it) => {
  it.effect("send every change of connections, keys and grants as the API shows them", () =>
    Effect.gen(function*() {
      const { admin, call } = yield* TestServer
      const { arrived } = yield* receiver()
      ;(yield* LoopbackUpstream).handle(({ url }) =>
        url.startsWith("/googleToken") ? { status: 400, body: { error: "invalid_grant" } } : { body: {} }
      )
      const { connection, member, name, readOnly } = yield* seed({ credentials: freshGrant("hooked") })
      const params = { id: connection.id }
      const credentials = expiredGrant("hooked")
      const reconnected = yield* admin.managedConnections.reconnect({ params, payload: { credentials } })
      assertError(yield* call(readOnly, sitesList), 401, "credentials_expired")
      const [expired = assert.fail("no connection")] = (yield* admin.managedConnections.list({ query: {} })).connections
      const revoked = yield* admin.managedConnections.revoke({ params })
      const { grant } = yield* newGrant({ memberId: member.id })
      const ended = yield* admin.grants.revoke({ params: { id: grant.id } })
      yield* admin.members.delete({ params: { id: member.id } })
      const { keys } = yield* admin.keys.list({ query: {} })

      const messages = yield* arrived(10)
      const of = (type: string) => messages.filter((message) => message.type === type).map(({ data }) => data)
      const sent = { created: connection, reconnected, revoked }
      for (const [change, connection] of Object.entries(sent)) {
        assert.deepStrictEqual(of(`connection.${change}`), toJson([{ connection: shown(connection) }]))
      }
      const [{ connect_url, ...lost }] = of("connection.expired")
      const { last_error } = lost.connection
      assert.strictEqual(last_error.code, "credentials_expired")
      assert.deepStrictEqual(lost, toJson({ connection: { ...shown(expired), last_error }, reason: "refresh_refused" }))
      assert.match(connect_url, /\/connect\/[\w-]{20,}$/)
      const { connect_links: [link] } = yield* admin.connectLinks.list({ query: {} })
      assert.deepInclude(link, { connection_id: connection.id, client_id: connection.client_id, status: "ended" })
      assert.deepStrictEqual(of("key.created").map(({ key }) => key.name), [name, name])
      assert.sameDeepMembers(of("key.revoked"), toJson(keys.slice(0, 2).map((key) => ({ key }))))
      assert.deepStrictEqual(of("grant.created").map(({ grant }) => grant.id), [grant.id])
      assert.deepStrictEqual(of("grant.revoked"), toJson([{ grant: ended }]))
    }))

  it.effect("are made with a secret that is shown once, listed, changed, switched off and deleted", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const url = "https://hooks.invalid/a?b=c"
      const created = yield* manage("POST", "", { url, events: ["key.created", "grant.revoked", "key.created"] })
      assert.strictEqual(created.status, 201)
      const { secret, ...webhook } = bodyOf(created)
      assert.match(secret, /^whsec_[\w+/]{43}=$/)
      assert.deepStrictEqual(webhook, {
        id: webhook.id,
        url,
        format: "standard",
        events: ["key.created", "grant.revoked"],
        enabled: true,
        created_at: webhook.created_at,
        last_delivery_at: null,
        failing_since: null
      })
      assert.match(webhook.id, /^whk_/)
      const listed = yield* manage("GET", "?limit=1")
      assert.deepStrictEqual(bodyOf(listed).webhooks, [webhook])
      assert.notInclude(listed.text, secret)
      const path = `/${webhook.id}`
      assert.deepStrictEqual(yield* read(path), webhook)

      const changed = yield* manage("PATCH", path, { events: ["key.revoked"], enabled: false })
      assert.deepStrictEqual([changed.status, changed.json], [
        200,
        { ...webhook, events: ["key.revoked"], enabled: false }
      ])
      assert.deepStrictEqual((yield* manage("PATCH", path, {})).json, changed.json)
      yield* manage("PATCH", path, { url: "https://hooks.invalid/secret-path" })
      const replaced = yield* manage("POST", `${path}/secret`)
      assert.deepStrictEqual([replaced.status, Object.keys(bodyOf(replaced))], [200, ["secret"]])
      assert.match(bodyOf(replaced).secret, /^whsec_[\w+/]{43}=$/)
      const deleted = yield* manage("DELETE", path)
      assert.deepStrictEqual([deleted.status, deleted.text], [204, ""])

      const { entries } = yield* admin.audit.list({ query: { subject: webhook.id } })
      const [origin, format] = ["https://hooks.invalid", "standard"]
      assert.deepStrictEqual(entries.map(({ action, details }) => [action, details]), [
        ["webhook.deleted", { origin, format, events: ["key.revoked"], enabled: false }],
        ["webhook.secret_replaced", {}],
        ["webhook.changed", {}],
        ["webhook.changed", {
          events: { from: ["key.created", "grant.revoked"], to: ["key.revoked"] },
          enabled: { from: true, to: false }
        }],
        ["webhook.created", { origin, format, events: ["key.created", "grant.revoked"], enabled: true }]
      ])
      for (const hidden of ["whsec_", "secret-path"]) assert.notInclude(JSON.stringify(entries), hidden)
    }))

  it.effect("refuse invalid fields, and are not found under an unknown id", () =>
    Effect.gen(function*() {
      const url = "https://hooks.invalid/"
      const invalid: ReadonlyArray<readonly [path: string, body: object]> = [
        ["url", { events }],
        ["url", { url: "https://user:password@hooks.invalid/", events }],
        ["url", { url: `${url}${"a".repeat(2048)}`, events }],
        ["events", { url }],
        ["events.0", { url, events: ["test"] }],
        ["secret", { url, events, secret: "whsec_x" }]
      ]
      for (const [path, body] of invalid) assert.deepStrictEqual(issuePaths(yield* manage("POST", "", body)), [path])
      const both = { url: "https://user:password@hooks.invalid/", events: [] }
      assert.deepStrictEqual(issuePaths(yield* manage("POST", "", both)), ["events", "url"])
      const unknown: ReadonlyArray<readonly [method: string, path: string, body?: object]> = [
        ["PATCH", "", { enabled: true }],
        ["POST", "/secret"],
        ["GET", "/deliveries"],
        ["POST", "/deliveries/evt_x/redeliver"],
        ["POST", "/redeliver", { since: "2026-01-01T00:00:00Z" }]
      ]
      for (const [method, path, body] of unknown) {
        assertError(yield* manage(method, `/whk_x${path}`, body), 404, "webhook_not_found")
      }
      const { id } = yield* receiver()
      assertError(yield* manage("POST", `/${id}/deliveries/evt_x/redeliver`), 404, "delivery_not_found")
    }))

  it.effect("send a test, list it among the deliveries and send it again as it was", () =>
    Effect.gen(function*() {
      const { arrived, id, requests } = yield* receiver(events)
      const sent = yield* Effect.replicateEffect(manage("POST", `/${id}/test`), 3)
      assert.deepStrictEqual(sent.map(({ status }) => status), [202, 202, 202])
      const ids: ReadonlyArray<string> = sent.map((answer) => bodyOf(answer).id)
      const [message] = yield* arrived(3)
      assert.sameMembers(requests.map(idOf), [...ids])
      assert.deepStrictEqual([message.type, message.data.webhook.id], ["test", id])

      const page = (query: string) => read(`/${id}/deliveries${query}`)
      yield* eventually(page(""), ({ deliveries }) =>
        deliveries.every(({ status }: { readonly status: string }) => status === "delivered"))
      const first = yield* page("?limit=2")
      const second = yield* page(`?limit=2&cursor=${first.cursor}`)
      const deliveries: ReadonlyArray<{ readonly [field: string]: unknown }> = [
        ...first.deliveries,
        ...second.deliveries
      ]
      assert.deepStrictEqual(
        deliveries.map(({ id }) =>
          id
        ),
        ids.toReversed()
      )
      assert.isNull(second.cursor)
      const { at, payload, ...rest } = deliveries[2] ?? assert.fail("no delivery")
      assert.deepStrictEqual(rest, {
        id: ids[0],
        type: "test",
        status: "delivered",
        attempts: 1,
        http_status: 204,
        error: null,
        next_attempt_at: null
      })
      const body = requests.find((each) => idOf(each) === ids[0])?.body ?? ""
      assert.deepStrictEqual(payload, JSON.parse(body))
      assert.strictEqual(at, requests.map(({ body }) => JSON.parse(body).timestamp).toSorted()[0])

      const again = yield* manage("POST", `/${id}/deliveries/${ids[0]}/redeliver`)
      assert.strictEqual(again.status, 202)
      assert.deepInclude(bodyOf(again), { id: ids[0], status: "pending" })
      yield* arrived(4)
      assert.strictEqual(requests[3]?.body, body)

      const since = new Date(0).toISOString()
      const all = yield* manage("POST", `/${id}/redeliver`, { since })
      assert.deepStrictEqual([all.status, all.json], [202, { deliveries: 3 }])
      yield* arrived(7)
      assert.sameMembers(requests.slice(4).map(idOf), [...ids])
      const none = yield* manage("POST", `/${id}/redeliver`, { since, until: at })
      assert.deepStrictEqual(none.json, { deliveries: 0 })
      assert.deepStrictEqual(issuePaths(yield* manage("POST", `/${id}/redeliver`, { until: at })), ["since"])
    }))

  it.effect("say why a delivery failed: the connection, TLS or the status", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream.make
      const failureAt = Effect.fnUntraced(function*(url: string) {
        const { id } = bodyOf(yield* manage("POST", "", { url, events }))
        yield* manage("POST", `/${id}/test`)
        const deliveries = read(`/${id}/deliveries`)
        const { deliveries: [{ error, http_status }] } = yield* eventually(
          deliveries,
          ({ deliveries: [first] }) => first.error !== null
        )
        yield* manage("DELETE", `/${id}`)
        return [http_status, error]
      })
      const { host } = new URL(upstream.url)
      assert.deepStrictEqual(
        yield* Effect.forEach(["http://127.0.0.1:1/", `https://${host}/`, `http://${host}/`], failureAt),
        [
          [null, "127.0.0.1:1 could not be connected to (ECONNREFUSED)."],
          [null, `${host} could not be trusted: TLS failed (ERR_SSL_WRONG_VERSION_NUMBER).`],
          [501, "It answered with status 501."]
        ]
      )
    }))

  it.effect("get the same link in every attempt to tell of an expired connection", () =>
    Effect.gen(function*() {
      const { call } = yield* TestServer
      const sql = yield* SqlClient.SqlClient
      const { arrived, id, requests } = yield* receiver(["connection.expired"])
      ;(yield* LoopbackUpstream).handle(() => ({ status: 400, body: { error: "invalid_grant" } }))
      const { readOnly } = yield* seed({ credentials: expiredGrant("same") })
      assertError(yield* call(readOnly, sitesList), 401, "credentials_expired")
      const [message] = yield* arrived(1)
      yield* manage("POST", `/${id}/deliveries/${requests.map(idOf)[0]}/redeliver`)
      yield* arrived(2)
      assert.strictEqual(requests[1]?.body, requests[0]?.body)
      const stored = JSON.stringify(yield* sql`SELECT events::text AS row FROM events`)
      assert.include(stored, "refresh_refused")
      assert.notInclude(stored, message.data.connect_url.split("/").at(-1))
      const { deliveries: [{ payload }] } = yield* read(`/${id}/deliveries`)
      assert.deepStrictEqual(payload, { ...message, data: { ...message.data, connect_url: "[redacted]" } })
    }))
})

layer(TestServer.layer, { excludeTestServices: true })("Webhooks without WEBHOOK_ALLOW_PRIVATE", (it) => {
  it.effect("have https URLs without a private address or a port of another protocol", () =>
    Effect.gen(function*() {
      const { id } = bodyOf(yield* manage("POST", "", { url: "https://hooks.invalid", events }))
      const hosts = ["localhost:8443", "2130706433:8443", "[::ffff:127.0.0.1]:8443", "10.0.0.1", "hooks.invalid:22"]
      for (const url of ["http://hooks.invalid/", ...hosts.map((host) => `https://${host}/`)]) {
        const answers = [yield* manage("POST", "", { url, events }), yield* manage("PATCH", `/${id}`, { url })]
        for (const answer of answers) {
          const [issue] = issuesIn(answer)
          assert.deepStrictEqual(issue?.path, ["url"], url)
          assert.include(issue?.message, "WEBHOOK_ALLOW_PRIVATE=true allows")
        }
      }
    }))
})
