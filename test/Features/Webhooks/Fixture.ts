import { Clock, ConfigProvider, Effect, Exit, Layer, Scope } from "effect"
import { Dns, NetAddress } from "effect/net"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import { Audit } from "../../../src/Audit/Audit.ts"
import { OpenLinks } from "../../../src/Connections/Connect/OpenLinks.ts"
import type { EventType } from "../../../src/Declared/EventType.ts"
import type { ApiKey } from "../../../src/Domain/Access/ApiKey.ts"
import { KeyId, MemberId } from "../../../src/Domain/Ids.ts"
import { newId } from "../../../src/Domain/NewId.ts"
import { AddFormats } from "../../../src/Features/Alerts/Formats/AddFormats.ts"
import { Notices, ServeNotices } from "../../../src/Features/Alerts/Notices/Notices.ts"
import { ownedData } from "../../../src/Features/OwnedData.ts"
import { Deliverer } from "../../../src/Features/Webhooks/Deliverer.ts"
import { DeliveryQueue } from "../../../src/Features/Webhooks/DeliveryQueue.ts"
import { Outbox } from "../../../src/Features/Webhooks/Outbox.ts"
import { TextFormats } from "../../../src/Features/Webhooks/TextFormats.ts"
import type { CreatedWebhook, NewWebhook } from "../../../src/Features/Webhooks/Webhook.ts"
import { WebhookHttp } from "../../../src/Features/Webhooks/WebhookHttp.ts"
import { Webhooks } from "../../../src/Features/Webhooks/Webhooks.ts"
import { Catalog } from "../../../src/Providers/Catalog/Catalog.ts"
import { registrations } from "../../../src/Registrations.ts"
import * as Storage from "../../Sql/StorageFixture.ts"
import { eventually } from "../../support/Eventually.ts"
import type { Recorded } from "../../support/LoopbackUpstream.ts"

export const namesAt = (address: string) =>
  Layer.succeed(Dns.Dns, Dns.make({ lookup: () => Effect.succeed([NetAddress.ipFromStringUnsafe(address)]) }))

const settings = (allowPrivate: boolean) =>
  ConfigProvider.layerAdd(ConfigProvider.fromUnknown({ WEBHOOK_ALLOW_PRIVATE: `${allowPrivate}` }), { asPrimary: true })

export const httpLayer = (allowPrivate: boolean) =>
  Layer.fresh(WebhookHttp.layerNoDeps).pipe(Layer.provide([namesAt("127.0.0.1"), settings(allowPrivate)]))

const Parts = Layer.mergeAll(Webhooks.layer, DeliveryQueue.layer).pipe(
  Layer.provideMerge([httpLayer(true), TextFormats.layer]),
  Layer.merge([OpenLinks.settled, AddFormats, ServeNotices.pipe(Layer.provide(Notices.layer))]),
  Layer.provide(Catalog.layer(registrations.map(({ provider }) => provider)))
)

export const Embedded = Parts.pipe(Layer.provideMerge(Storage.Embedded), Layer.provide(ownedData()))
export const Server = Parts.pipe(Layer.provideMerge(Storage.Server), Layer.provide(ownedData()))

export const startInstance = Effect.gen(function*() {
  const scope = yield* Scope.fork(yield* Effect.scope)
  yield* Scope.provide(Layer.build(Layer.fresh(Deliverer)), scope)
  return { end: Scope.close(scope, Exit.void) }
})

export const madeWebhook = (url: string, ...events: ReadonlyArray<EventType>) =>
  webhookOf({ url, events: events.length === 0 ? ["key.created", "key.revoked"] : events })

export const webhookOf = (webhook: NewWebhook) =>
  Effect.flatMap(
    Webhooks,
    (webhooks) => Effect.acquireRelease(webhooks.create(webhook), ({ id }) => Effect.orDie(webhooks.delete(id)))
  )

export const newKey = Effect.gen(function*(): Effect.fn.Return<ApiKey> {
  return {
    id: KeyId.make(yield* newId("key")),
    member_id: MemberId.make(yield* newId("mem")),
    client_id: null,
    name: "evented",
    access: "read_only",
    hint: "abcd",
    expires_at: null,
    manage: [],
    resources: null,
    writes: "allow",
    undo: false,
    budget: null,
    last_used_at: null,
    created_at: new Date(0),
    revoked_at: null
  }
})

export const change = Effect.fnUntraced(function*(type: "key.created" | "key.revoked", key: ApiKey) {
  const audit = yield* Audit
  yield* audit.change(Effect.void, () => [{ action: type, subject: key.id, event: { type, data: { key } } }])
})

export const received = ({ secret }: CreatedWebhook) => ({ body, headers }: Recorded): readonly [string, string] => {
  const sentAt = new Date(Number(headers["webhook-timestamp"]) * 1000)
  const signature = new Webhook(secret).sign(String(headers["webhook-id"]), sentAt, body)
  if (signature !== headers["webhook-signature"]) throw new Error("A wrong signature")
  const { data, type } = JSON.parse(body)
  return [type, data.key?.id]
}

/** Also wakes an instance that slept while the clock jumped. */
export const settled = Effect.fnUntraced(function*({ id }: CreatedWebhook) {
  const sql = yield* SqlClient.SqlClient
  const now = new Date(yield* Clock.currentTimeMillis)
  const due = sql`
    SELECT 1 FROM deliveries WHERE webhook_id = ${id} AND status = 'pending' AND next_attempt_at <= ${now}`
  const { wake } = yield* Outbox
  yield* TestClock.withLive(eventually(Effect.andThen(wake, due), ({ length }) => length === 0))
})

export const deliveriesOf = Effect.fnUntraced(function*({ id }: CreatedWebhook) {
  return (yield* (yield* Webhooks).deliveries(id, {})).items
})
