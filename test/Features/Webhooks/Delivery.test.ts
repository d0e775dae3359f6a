import { assert, it, layer, type Vitest } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber, type Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import { Audit } from "../../../src/Audit/Audit.ts"
import { Events } from "../../../src/Audit/Events.ts"
import { messageText } from "../../../src/Declared/Event.ts"
import { firstIdAt, newId } from "../../../src/Domain/NewId.ts"
import { alertFormats } from "../../../src/Features/Alerts/Declared.ts"
import { DeliveryQueue } from "../../../src/Features/Webhooks/DeliveryQueue.ts"
import { sweepDeliveries } from "../../../src/Features/Webhooks/DeliverySweep.ts"
import { Outbox } from "../../../src/Features/Webhooks/Outbox.ts"
import { pauseAfter } from "../../../src/Features/Webhooks/RetryPause.ts"
import type { CreatedWebhook } from "../../../src/Features/Webhooks/Webhook.ts"
import { Webhooks } from "../../../src/Features/Webhooks/Webhooks.ts"
import { at } from "../../Sql/At.ts"
import { closingListener } from "../../support/ClosingListener.ts"
import { eventually } from "../../support/Eventually.ts"
import { type Handler, holdReplies, LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import {
  change,
  deliveriesOf,
  Embedded,
  httpLayer,
  madeWebhook,
  newKey,
  received,
  Server,
  settled,
  startInstance,
  webhookOf
} from "./Fixture.ts"

const minutes = (count: number) => Duration.toMillis(Duration.minutes(count))

const accept: Handler = () => ({ status: 204 })

const live = <A, E, R>(effect: Effect.Effect<A, E, R>, until: (value: A) => boolean) =>
  TestClock.withLive(eventually(effect, until))

const receiver = Effect.gen(function*() {
  const upstream = yield* LoopbackUpstream.make
  upstream.handle(accept)
  const webhook = yield* madeWebhook(`${upstream.url}/hook`)
  return { ...upstream, webhook, events: () => upstream.requests.map(received(webhook)) }
})

const found = Effect.fnUntraced(function*({ id }: CreatedWebhook) {
  return yield* (yield* Webhooks).find(id)
})

const onlyDelivery = Effect.fnUntraced(function*(webhook: CreatedWebhook) {
  const [delivery, ...rest] = yield* deliveriesOf(webhook)
  assert.lengthOf(rest, 0)
  return delivery ?? assert.fail("no delivery")
})

const tests = (it: Vitest.MethodsNonLive<Layer.Success<typeof Server>>) => {
  it.effect("an event reaches each webhook that wants it once, signed, though two instances deliver", () =>
    Effect.gen(function*() {
      yield* startInstance
      yield* startInstance
      const one = yield* receiver
      const two = yield* receiver
      const other = yield* LoopbackUpstream.make
      yield* madeWebhook(other.url, "connection.created")
      const read = yield* Effect.forEach(alertFormats, (format) =>
        Effect.gen(function*() {
          const { handle, requests, url } = yield* LoopbackUpstream.make
          handle(accept)
          return { requests, webhook: yield* webhookOf({ url, format, events: ["key.created"] }) }
        }))
      const keys = yield* Effect.replicateEffect(newKey, 25)
      yield* Effect.forEach(keys, (key) => change("key.created", key), { concurrency: 10 })
      yield* settled(one.webhook)
      yield* settled(two.webhook)
      for (const { requests, webhook } of read) {
        yield* settled(webhook)
        assert.lengthOf(requests, keys.length, webhook.format)
      }
      const expected = keys.map(({ id }) => ["key.created", id] as const)
      assert.sameDeepMembers(one.events(), expected)
      assert.sameDeepMembers(two.events(), expected)
      assert.lengthOf(other.requests, 0)
      const [{ body = "", headers = {} } = {}] = one.requests
      const { data, timestamp, type } = JSON.parse(body)
      assert.strictEqual(type, "key.created")
      assert.strictEqual(headers["content-type"], "application/json")
      const { at } = (yield* deliveriesOf(one.webhook)).find(({ id }) => id === headers["webhook-id"]) ??
        assert.fail("not listed")
      assert.strictEqual(at.toISOString(), timestamp)
      assert.deepStrictEqual(data, JSON.parse(JSON.stringify({ key: keys.find(({ id }) => id === data.key.id) })))
      assert.isNotNull((yield* found(one.webhook)).last_delivery_at)
    }))

  it.effect("an event exists only with its change, and only for a webhook that is on", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const events = yield* Events
      const { webhook } = yield* receiver
      const key = yield* newKey
      const event = { type: "key.created", data: { key } } as const
      yield* Effect.exit(sql.withTransaction(Effect.andThen(events.record(event), Effect.fail("no"))))
      assert.lengthOf(yield* deliveriesOf(webhook), 0)
      yield* (yield* Webhooks).change(webhook.id, { enabled: false })
      const before = (yield* sql`SELECT id FROM events`).length
      yield* change("key.created", key)
      assert.lengthOf(yield* deliveriesOf(webhook), 0)
      assert.lengthOf(yield* sql`SELECT id FROM events`, before)
    }))

  it.effect("events that are committed before an instance dies are delivered by the next one", () =>
    Effect.gen(function*() {
      const { events, webhook } = yield* receiver
      const key = yield* newKey
      yield* change("key.created", key)
      const claimed = yield* (yield* DeliveryQueue).claim(webhook.id, 10)
      assert.lengthOf(claimed, 1)
      yield* startInstance
      yield* TestClock.adjust("25 seconds")
      assert.lengthOf(events(), 0)
      yield* TestClock.adjust("10 seconds")
      yield* settled(webhook)
      assert.deepStrictEqual(events(), [["key.created", key.id]])
      const { attempts, status } = yield* onlyDelivery(webhook)
      assert.deepStrictEqual([status, attempts], ["delivered", 2])
    }))

  it.effect("after 24 hours an event is failed, and can be sent again with the same id and text", () =>
    Effect.gen(function*() {
      yield* startInstance
      const sql = yield* SqlClient.SqlClient
      const { handle, requests, webhook } = yield* receiver
      handle(() => ({ status: 302, headers: { location: "/elsewhere" } }))
      yield* change("key.created", yield* newKey)
      yield* settled(webhook)
      const retried = yield* onlyDelivery(webhook)
      assert.deepStrictEqual([retried.status, retried.http_status, retried.attempts], ["pending", 302, 1])
      assert.isNotNull((yield* found(webhook)).failing_since)
      const [before] = requests

      yield* sql`UPDATE deliveries SET first_attempt_at = first_attempt_at - interval '24 hours'
        WHERE webhook_id = ${webhook.id}`
      yield* TestClock.adjust("6 seconds")
      yield* settled(webhook)
      const failed = yield* onlyDelivery(webhook)
      assert.deepStrictEqual([failed.status, failed.attempts, failed.next_attempt_at], ["failed", 2, null])

      handle(accept)
      const again = yield* (yield* Webhooks).redeliver(webhook.id, failed.id)
      assert.deepStrictEqual([again.id, again.status], [failed.id, "pending"])
      yield* settled(webhook)
      assert.strictEqual((yield* onlyDelivery(webhook)).status, "delivered")
      assert.isNull((yield* found(webhook)).failing_since)
      const [after] = requests
      assert.strictEqual(after?.body, before?.body)
      assert.strictEqual(after?.headers["webhook-id"], before?.headers["webhook-id"])
    }))

  it.effect("after its secret is replaced, an event is signed with both secrets for 24 hours", () =>
    Effect.gen(function*() {
      yield* startInstance
      const webhooks = yield* Webhooks
      const sql = yield* SqlClient.SqlClient
      const now = yield* Clock.currentTimeMillis
      const replacedBefore = Effect.fnUntraced(function*(hours: number) {
        const { requests, webhook } = yield* receiver
        const { secret } = yield* webhooks.replaceSecret(webhook.id).pipe(at(now - minutes(hours * 60)))
        const stored = yield* sql`SELECT secret FROM webhooks WHERE id = ${webhook.id}`
        assert.notInclude(JSON.stringify(stored), secret)
        yield* webhooks.test(webhook.id)
        yield* settled(webhook)
        const request = requests.at(-1) ?? assert.fail("nothing was sent")
        const id = String(request.headers["webhook-id"])
        const sentAt = new Date(Number(request.headers["webhook-timestamp"]) * 1000)
        const signatures = String(request.headers["webhook-signature"]).split(" ")
        const fits = (secret: string) => signatures.includes(new Webhook(secret).sign(id, sentAt, request.body))
        return { signatures: signatures.length, before: fits(webhook.secret), after: fits(secret) }
      })
      assert.deepStrictEqual(yield* replacedBefore(0), { signatures: 2, before: true, after: true })
      assert.deepStrictEqual(yield* replacedBefore(23), { signatures: 2, before: true, after: true })
      assert.deepStrictEqual(yield* replacedBefore(24), { signatures: 1, before: false, after: true })
    }))

  it.effect("a webhook that accepts nothing for five days is switched off, and says so", () =>
    Effect.gen(function*() {
      yield* startInstance
      const webhooks = yield* Webhooks
      const { handle, requests, webhook } = yield* receiver
      handle(() => ({ status: 500 }))
      yield* change("key.created", yield* newKey)
      yield* settled(webhook)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE webhooks SET failing_since = failing_since - interval '5 days' WHERE id = ${webhook.id}`
      const since = (yield* found(webhook)).failing_since
      yield* TestClock.adjust("6 seconds")
      yield* settled(webhook)
      const { failing_since } = yield* live(found(webhook), ({ enabled }) => !enabled)
      assert.deepStrictEqual(failing_since, since)
      assert.strictEqual((yield* onlyDelivery(webhook)).status, "failed")
      const { items: [entry] } = yield* (yield* Audit).list({ subject: webhook.id }, {})
      assert.deepStrictEqual([entry?.action, entry?.actor, entry?.details], [
        "webhook.switched_off",
        { type: "system", member_id: null },
        { origin: new URL(webhook.url).origin, failing_since: since?.toISOString() }
      ])
      yield* change("key.created", yield* newKey)
      yield* settled(webhook)
      assert.lengthOf(requests, 2)

      handle(accept)
      const id = yield* webhooks.test(webhook.id)
      yield* settled(webhook)
      assert.strictEqual(requests[0]?.headers["webhook-id"], id)
      const on = yield* webhooks.change(webhook.id, { enabled: true })
      assert.deepStrictEqual([on.enabled, on.failing_since], [true, null])
      yield* change("key.created", yield* newKey)
      yield* settled(webhook)
      assert.lengthOf(requests, 2)
    }))

  it.effect("an event that is refused for ever holds up those of its subject for minutes, and no others", () =>
    Effect.gen(function*() {
      yield* startInstance
      const { events, handle, webhook } = yield* receiver
      const [other, refused] = [yield* newKey, yield* newKey]
      handle(({ body }) => ({ status: body.includes("key.created") && body.includes(refused.id) ? 422 : 200 }))
      yield* change("key.created", refused)
      // Ids of one millisecond are in order while nobody in the process uses another clock.
      yield* TestClock.adjust("1 millis")
      yield* change("key.revoked", refused)
      yield* change("key.created", other)
      yield* live(deliveriesOf(webhook), (all) => all.some(({ status }) => status === "delivered"))
      const { wake } = yield* Outbox
      for (let attempts = 1; attempts < 8; attempts++) {
        const now = yield* Clock.currentTimeMillis
        const failed = Effect.map(
          deliveriesOf(webhook),
          (all) => all.find((each) => each.attempts === attempts && (each.next_attempt_at?.getTime() ?? 0) > now)
        )
        const { next_attempt_at } = (yield* live(Effect.andThen(wake, failed), (each) => each !== undefined)) ??
          assert.fail(`no failed attempt ${attempts}`)
        yield* TestClock.setTime(next_attempt_at?.getTime() ?? 0)
      }
      yield* settled(webhook)
      const arrived = events()
      assert.deepStrictEqual(
        arrived.filter(([, id]) => id === refused.id).map(([type]) => type),
        [...Array.from({ length: 8 }, () => "key.created"), "key.revoked"]
      )
      assert.isBelow(arrived.findIndex(([, id]) => id === other.id), 2)
    }))

  it.effect("a slow receiver does not hold up another, and an attempt under way at the end of an instance counts", () =>
    Effect.gen(function*() {
      const slow = yield* receiver
      const fast = yield* receiver
      const { arrived, holding, release } = yield* holdReplies(accept)
      slow.handle(holding)
      const keys = yield* Effect.replicateEffect(newKey, 30)
      yield* Effect.forEach(keys, (key) => change("key.created", key))
      const { end } = yield* startInstance
      yield* arrived
      yield* settled(fast.webhook)
      assert.lengthOf(fast.events(), 30)
      yield* live(Effect.sync(() => slow.requests.length), (count) => count === 8)
      const ended = yield* Effect.forkChild(end, { startImmediately: true })
      yield* release
      yield* Fiber.join(ended)
      const states = (yield* deliveriesOf(slow.webhook)).map(({ status }) => status)
      assert.lengthOf(states.filter((status) => status === "delivered"), slow.requests.length)
      assert.isBelow(slow.requests.length, 30)
      yield* startInstance
      yield* settled(slow.webhook)
      assert.sameDeepMembers(slow.events(), keys.map(({ id }) => ["key.created", id] as const))
    }))

  it.effect("makes no connection to a private address, whatever name resolves to it", () =>
    Effect.gen(function*() {
      const { connections, port } = yield* closingListener
      // Stored while private addresses were allowed.
      const webhooks = yield* Effect.forEach(
        ["https://127.0.0.1", "http://hooks.example.com", "https://hooks.example.com"],
        (url) => madeWebhook(`${url}:${port}/hook`, "key.revoked")
      )
      yield* Effect.provide(startInstance, httpLayer(false))
      yield* change("key.revoked", yield* newKey)
      for (const webhook of webhooks) {
        yield* settled(webhook)
        const { attempts, http_status, status } = yield* onlyDelivery(webhook)
        assert.deepStrictEqual([status, attempts, http_status], ["pending", 1, null])
      }
      assert.strictEqual(connections(), 0)
    }))

  it.effect("deliveries are deleted after 30 days, unless they are pending", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { webhook } = yield* receiver
      const now = yield* Clock.currentTimeMillis
      const insert = Effect.fnUntraced(function*(status: string, days: number) {
        const id = `${firstIdAt("evt", now - minutes(days * 24 * 60))}${(yield* newId("evt")).slice(-16)}`
        yield* sql`INSERT INTO events ${
          sql.insert({ id, type: "test", body: messageText(id, { type: "test", data: {} }) })
        }`
        yield* sql`INSERT INTO deliveries ${
          sql.insert({ webhook_id: webhook.id, event_id: id, subject_id: id, status, attempts: 1 })
        }`
        return id
      })
      yield* Effect.forEach(["delivered", "failed"], (status) => insert(status, 31))
      const kept = [yield* insert("pending", 31), yield* insert("delivered", 29)]
      yield* sweepDeliveries
      const left = yield* live(deliveriesOf(webhook), ({ length }) => length === 2)
      assert.sameMembers(left.map(({ id }): string => id), kept)
    }))
}

layer(Embedded)("Delivery of events on the embedded database", tests)

layer(Server)("Delivery of events on a Postgres server", tests)

it.effect("the pause after a failure is doubled, up to an hour, give or take a fifth", () =>
  Effect.gen(function*() {
    for (let attempts = 1; attempts < 60; attempts++) {
      const nominal = Math.min(5000 * 2 ** (attempts - 1), minutes(60))
      const pause = yield* pauseAfter(attempts)
      assert.isAtLeast(pause, nominal * 0.8 - 1)
      assert.isAtMost(pause, Math.min(nominal * 1.2, minutes(60)) + 1)
    }
  }))
