import { assert, layer } from "@effect/vitest"
import { Effect, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { Webhook as Verifier } from "standardwebhooks"
import type { ManagedConnection } from "../../src/Domain/Connection.ts"
import { eventTypes } from "../../src/Domain/Events/EventType.ts"
import { assertError } from "../support/Answer.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream, type Recorded } from "../support/LoopbackUpstream.ts"
import { newGrant } from "../support/NewGrant.ts"
import { expiredGrant, freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { sitesList } from "./Fixture.ts"

const manage = (method: string, path: string, body?: unknown) =>
  Effect.flatMap(
    TestServer,
    ({ adminToken, request }) => request(method, `/admin/v1/webhooks${path}`, { key: adminToken, body })
  )

interface Delivery {
  readonly id: string
  readonly at: string
  readonly status: string
  readonly [field: string]: unknown
}

const json = (value: unknown) => JSON.parse(JSON.stringify(value))

const idOf = ({ headers }: Recorded) => String(headers["webhook-id"])

const receiver = Effect.fnUntraced(function*(events: ReadonlyArray<string> = eventTypes) {
  const upstream = yield* LoopbackUpstream.make
  upstream.handle(() => ({ status: 204 }))
  const { text } = yield* manage("POST", "", { url: `${upstream.url}/hook`, events })
  const { id, secret }: Record<string, string> = JSON.parse(text)
  yield* Effect.addFinalizer(() => manage("DELETE", `/${id}`))
  const verifier = new Verifier(secret ?? assert.fail(text))
  const verified = ({ body, headers }: Recorded) =>
    verifier.verify(body, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])))
  const arrived = (count: number) =>
    Effect.map(
      eventually(Effect.sync(() => upstream.requests), ({ length }) => length >= count),
      (requests) => requests.map((each) => json(verified(each)))
    )
  return { ...upstream, id: id ?? assert.fail(text), arrived }
})

/** Only the management API shows parents. */
const shown = (connection: ManagedConnection) => Struct.omit(connection, ["parent_id"])

layer(TestServer.make({ WEBHOOK_ALLOW_PRIVATE: "true" }), { excludeTestServices: true })("Webhooks", (it) => {
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
      assert.deepStrictEqual(of("connection.created"), json([{ connection: shown(connection) }]))
      assert.deepStrictEqual(of("connection.reconnected"), json([{ connection: shown(reconnected) }]))
      assert.deepStrictEqual(of("connection.revoked"), json([{ connection: shown(revoked) }]))
      const [{ connect_url, ...lost }] = of("connection.expired")
      const { last_error } = lost.connection
      assert.strictEqual(last_error.code, "credentials_expired")
      assert.deepStrictEqual(lost, json({ connection: { ...shown(expired), last_error }, reason: "refresh_refused" }))
      assert.match(connect_url, /\/connect\/[\w-]{20,}$/)
      const { connect_links: [link] } = yield* admin.connectLinks.list({ query: {} })
      assert.deepInclude(link, { connection_id: connection.id, client_id: connection.client_id, status: "ended" })
      assert.deepStrictEqual(of("key.created").map(({ key }) => key.name), [name, name])
      assert.sameDeepMembers(of("key.revoked"), json(keys.slice(0, 2).map((key) => ({ key }))))
      assert.deepStrictEqual(of("grant.created").map(({ grant }) => grant.id), [grant.id])
      assert.deepStrictEqual(of("grant.revoked"), json([{ grant: ended }]))
    }))
  it.effect("are made with a secret that is shown once, listed, changed, switched off and deleted", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const created = yield* manage("POST", "", {
        url: "https://hooks.invalid/a?b=c",
        events: ["key.created", "grant.revoked", "key.created"]
      })
      assert.strictEqual(created.status, 201)
      const { secret, ...webhook } = JSON.parse(created.text)
      assert.match(secret, /^whsec_[\w+/]{43}=$/)
      assert.deepStrictEqual(webhook, {
        id: webhook.id,
        url: "https://hooks.invalid/a?b=c",
        events: ["key.created", "grant.revoked"],
        enabled: true,
        created_at: webhook.created_at,
        last_delivery_at: null,
        failing_since: null
      })
      assert.match(webhook.id, /^whk_/)
      const listed = yield* manage("GET", "?limit=1")
      assert.deepStrictEqual(JSON.parse(listed.text).webhooks, [webhook])
      assert.notInclude(listed.text, secret)
      assert.deepStrictEqual((yield* manage("GET", `/${webhook.id}`)).json, webhook)

      const changed = yield* manage("PATCH", `/${webhook.id}`, { events: ["key.revoked"], enabled: false })
      assert.strictEqual(changed.status, 200)
      assert.deepStrictEqual(changed.json, { ...webhook, events: ["key.revoked"], enabled: false })
      assert.deepStrictEqual((yield* manage("PATCH", `/${webhook.id}`, {})).json, changed.json)
      const moved = yield* manage("PATCH", `/${webhook.id}`, { url: "https://hooks.invalid/secret-path" })
      assert.strictEqual(moved.status, 200)
      const replaced = yield* manage("POST", `/${webhook.id}/secret`)
      assert.strictEqual(replaced.status, 200)
      assert.deepStrictEqual(Object.keys(JSON.parse(replaced.text)), ["secret"])
      assert.match(JSON.parse(replaced.text).secret, /^whsec_[\w+/]{43}=$/)
      const deleted = yield* manage("DELETE", `/${webhook.id}`)
      assert.deepStrictEqual([deleted.status, deleted.text], [204, ""])

      const { entries } = yield* admin.audit.list({ query: { subject: webhook.id } })
      const origin = "https://hooks.invalid"
      assert.deepStrictEqual(entries.map(({ action, details }) => [action, details]), [
        ["webhook.deleted", { origin, events: ["key.revoked"], enabled: false }],
        ["webhook.secret_replaced", {}],
        ["webhook.changed", {}],
        ["webhook.changed", {
          events: { from: ["key.created", "grant.revoked"], to: ["key.revoked"] },
          enabled: { from: true, to: false }
        }],
        ["webhook.created", { origin, events: ["key.created", "grant.revoked"], enabled: true }]
      ])
      assert.notInclude(JSON.stringify(entries), "whsec_")
      assert.notInclude(JSON.stringify(entries), "secret-path")
    }))

  it.effect("refuse invalid fields, and are not found under an unknown id", () =>
    Effect.gen(function*() {
      const events = ["key.created"]
      for (
        const [field, body] of [
          ["url", { events }],
          ["url", { url: "hook", events }],
          ["url", { url: "https://user:password@hooks.invalid/", events }],
          ["url", { url: `https://hooks.invalid/${"a".repeat(2048)}`, events }],
          ["events", { url: "https://hooks.invalid/" }],
          ["events", { url: "https://hooks.invalid/", events: [] }],
          ["events", { url: "https://hooks.invalid/", events: ["test"] }],
          ["secret", { url: "https://hooks.invalid/", events, secret: "whsec_x" }]
        ] as const
      ) {
        const answer = yield* manage("POST", "", body)
        assert.strictEqual(answer.status, 400, answer.text)
        assert.strictEqual(JSON.parse(answer.text).error.details[0].path[0], field)
      }
      const { id } = yield* receiver()
      for (
        const [method, path, body] of [
          ["GET", "/whk_x", undefined],
          ["PATCH", "/whk_x", { enabled: true }],
          ["DELETE", "/whk_x", undefined],
          ["POST", "/whk_x/test", undefined],
          ["POST", "/whk_x/secret", undefined],
          ["GET", "/whk_x/deliveries", undefined],
          ["POST", "/whk_x/deliveries/evt_x/redeliver", undefined],
          ["POST", "/whk_x/redeliver", { since: "2026-01-01T00:00:00Z" }]
        ] as const
      ) {
        assertError(yield* manage(method, path, body), 404, "webhook_not_found")
      }
      assertError(yield* manage("POST", `/${id}/deliveries/evt_x/redeliver`), 404, "delivery_not_found")
    }))

  it.effect("send a test, list it among the deliveries and send it again as it was", () =>
    Effect.gen(function*() {
      const { arrived, id, requests } = yield* receiver(["key.created"])
      const sent = yield* Effect.replicateEffect(manage("POST", `/${id}/test`), 3)
      assert.deepStrictEqual(sent.map(({ status }) => status), [202, 202, 202])
      const ids: ReadonlyArray<string> = sent.map(({ text }) => JSON.parse(text).id)
      const [message] = yield* arrived(3)
      assert.sameMembers(requests.map(idOf), [...ids])
      assert.deepStrictEqual([message.type, message.data.webhook.id], ["test", id])

      const page = (query: string) =>
        Effect.map(manage("GET", `/${id}/deliveries${query}`), ({ text }) => JSON.parse(text))
      yield* eventually(
        page(""),
        ({ deliveries }) => deliveries.every(({ status }: Delivery) => status === "delivered")
      )
      const first = yield* page("?limit=2")
      const second = yield* page(`?limit=2&cursor=${first.cursor}`)
      const deliveries: ReadonlyArray<Delivery> = [...first.deliveries, ...second.deliveries]
      assert.deepStrictEqual(deliveries.map((each) => each.id), ids.toReversed())
      assert.isNull(second.cursor)
      const { at, payload, ...rest } = deliveries[2] ?? assert.fail("no delivery")
      assert.deepStrictEqual(rest, {
        id: ids[0] ?? "",
        type: "test",
        status: "delivered",
        attempts: 1,
        http_status: 204,
        error: null,
        next_attempt_at: null
      })
      assert.deepStrictEqual(payload, JSON.parse(requests.find((each) => idOf(each) === ids[0])?.body ?? ""))
      assert.strictEqual(at, requests.map(({ body }) => JSON.parse(body).timestamp).toSorted()[0])

      const again = yield* manage("POST", `/${id}/deliveries/${ids[0]}/redeliver`)
      assert.strictEqual(again.status, 202)
      assert.deepInclude(JSON.parse(again.text), { id: ids[0], status: "pending" })
      yield* arrived(4)
      assert.strictEqual(requests[3]?.body, requests.find((each) => idOf(each) === ids[0])?.body)

      const all = yield* manage("POST", `/${id}/redeliver`, { since: new Date(0).toISOString() })
      assert.deepStrictEqual([all.status, JSON.parse(all.text)], [202, { deliveries: 3 }])
      yield* arrived(7)
      assert.sameMembers(requests.slice(4).map(idOf), [...ids])
      const none = yield* manage("POST", `/${id}/redeliver`, { since: new Date(0).toISOString(), until: at })
      assert.deepStrictEqual(JSON.parse(none.text), { deliveries: 0 })
      const refused = yield* manage("POST", `/${id}/redeliver`, { until: at })
      assert.deepStrictEqual([refused.status, JSON.parse(refused.text).error.details[0].path], [400, ["since"]])
    }))

  it.effect("say why a delivery failed: the connection, TLS or the status", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream.make
      const failureAt = Effect.fnUntraced(function*(url: string) {
        const { id } = JSON.parse((yield* manage("POST", "", { url, events: ["key.created"] })).text)
        yield* manage("POST", `/${id}/test`)
        const { error, http_status } = yield* eventually(
          Effect.map(manage("GET", `/${id}/deliveries`), ({ text }) => JSON.parse(text).deliveries[0]),
          ({ error }) => error !== null
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
      const { arrived, id, requests } = yield* receiver(["connection.expired"])
      ;(yield* LoopbackUpstream).handle(() => ({ status: 400, body: { error: "invalid_grant" } }))
      const { readOnly } = yield* seed({ credentials: expiredGrant("same") })
      assertError(yield* call(readOnly, sitesList), 401, "credentials_expired")
      const [message] = yield* arrived(1)
      yield* manage("POST", `/${id}/deliveries/${requests.map(idOf)[0]}/redeliver`)
      yield* arrived(2)
      assert.strictEqual(requests[1]?.body, requests[0]?.body)
      const token = message.data.connect_url.split("/").at(-1)
      const sql = yield* SqlClient.SqlClient
      const stored = yield* sql`SELECT events::text AS row FROM events`
      assert.include(JSON.stringify(stored), "refresh_refused")
      assert.notInclude(JSON.stringify(stored), token)
      const { deliveries } = JSON.parse((yield* manage("GET", `/${id}/deliveries`)).text)
      assert.deepStrictEqual(deliveries[0].payload, {
        ...message,
        data: { ...message.data, connect_url: "[redacted]" }
      })
    }))
})

layer(TestServer.layer, { excludeTestServices: true })("Webhooks without WEBHOOK_ALLOW_PRIVATE", (it) => {
  it.effect("have https URLs without a private address or a port of another protocol", () =>
    Effect.gen(function*() {
      const { id } = JSON.parse(
        (yield* manage("POST", "", { url: "https://hooks.invalid", events: ["key.created"] })).text
      )
      for (
        const url of [
          "http://hooks.invalid/",
          "https://localhost:8443/",
          "https://127.0.0.1:8443/",
          "https://2130706433:8443/",
          "https://0177.0.0.1:8443/",
          "https://[::ffff:127.0.0.1]:8443/",
          "https://10.0.0.1/",
          "https://169.254.169.254/",
          "https://hooks.invalid:22/",
          "https://hooks.invalid:5432/"
        ]
      ) {
        for (
          const answer of [
            yield* manage("POST", "", { url, events: ["key.created"] }),
            yield* manage("PATCH", `/${id}`, { url })
          ]
        ) {
          assert.strictEqual(answer.status, 400, url)
          const [issue] = JSON.parse(answer.text).error.details
          assert.deepStrictEqual(issue.path, ["url"])
          assert.include(issue.message, "WEBHOOK_ALLOW_PRIVATE=true allows")
        }
      }
    }))
})
