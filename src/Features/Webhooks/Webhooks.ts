import { Clock, Context, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InvalidInput } from "../../Api/Errors.ts"
import { Audit, changesBetween } from "../../Audit/Audit.ts"
import type { AuditEntry } from "../../Declared/Audit.ts"
import { type EventId, WebhookId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import type { Page, PageRequest } from "../../Domain/Page.ts"
import { type Issue, issuesIn } from "../../Domain/Validation/Issue.ts"
import { reEncryptById } from "../../Secrets/ReEncryptRows.ts"
import type { StoredSecrets } from "../../Secrets/StoredSecrets.ts"
import { Encrypted, Vault } from "../../Secrets/Vault.ts"
import { textArray } from "../../Sql/BulkStatement.ts"
import { rowsOf, selectNewest } from "../../Sql/Rows.ts"
import { type DeliveryNotFound, WebhookNotFound } from "./Contract.ts"
import { makeDeliveries } from "./Deliveries.ts"
import { generateSecret, replaceSecret, secretUrl, withSecretUrl } from "./Signature.ts"
import { failPending } from "./SwitchOff.ts"
import { standard, TextFormats } from "./TextFormats.ts"
import {
  type CreatedWebhook,
  type Delivery,
  type DeliveryPeriod,
  type NewWebhook,
  type NewWebhookSecret,
  Webhook,
  type WebhookChange
} from "./Webhook.ts"
import { WebhookHttp } from "./WebhookHttp.ts"
import { originOf, shownUrl } from "./WebhookUrl.ts"

const lostUrl = "Pass it too: the encryption key of the stored one is missing"

export const webhookSecrets: StoredSecrets = {
  cursor: "whk_",
  lost: "other_data",
  reEncryption: reEncryptById({ table: "webhooks", bytes: "secret" })
}

export class Webhooks extends Context.Service<Webhooks, {
  /** What is wrong with a URL, and with a format for it. */
  readonly issues: (webhook: WebhookChange) => ReadonlyArray<Issue>
  readonly create: (webhook: NewWebhook) => Effect.Effect<CreatedWebhook, InvalidInput>
  readonly list: (page: PageRequest) => Effect.Effect<Page<Webhook>>
  readonly find: (id: string) => Effect.Effect<Webhook, WebhookNotFound>
  /** Switching a webhook off ends its pending deliveries. Switching it on or a new URL clears `failing_since`. */
  readonly change: (id: string, change: WebhookChange) => Effect.Effect<Webhook, WebhookNotFound | InvalidInput>
  /** The previous secret also signs for another 24 hours. */
  readonly replaceSecret: (id: string) => Effect.Effect<NewWebhookSecret, WebhookNotFound>
  readonly delete: (id: string) => Effect.Effect<void, WebhookNotFound>
  /** Sends an event of the type `test` even if the webhook is off. Returns the id of the delivery. */
  readonly test: (id: string) => Effect.Effect<EventId, WebhookNotFound>
  readonly deliveries: (id: string, page: PageRequest) => Effect.Effect<Page<Delivery>, WebhookNotFound>
  /** Sends an event again, with the same id and body, even if the webhook is off. */
  readonly redeliver: (id: string, deliveryId: string) => Effect.Effect<Delivery, WebhookNotFound | DeliveryNotFound>
  /** Returns how many events are sent once more. Those that are being sent are left out. */
  readonly redeliverAll: (id: string, period: DeliveryPeriod) => Effect.Effect<number, WebhookNotFound>
}>()("openaccounts/Features/Webhooks/Webhooks") {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const vault = yield* Vault
      const http = yield* WebhookHttp
      const formats = yield* TextFormats
      const deliveries = yield* makeDeliveries
      const columns = sql`id, url, format, events, enabled, created_at, last_delivery_at, failing_since`

      const parseUrl = (text: string) => Result.mapError(http.check(text), (message) => [{ path: ["url"], message }])

      const requireUrl = Effect.fnUntraced(function*(text: string, format: string) {
        const url = yield* InvalidInput.fromResult(parseUrl(text))
        const details = formats.issues(format, url)
        if (details.length > 0) return yield* new InvalidInput({ details })
        return format === standard ? { url: text, secret: undefined } : { url: shownUrl(url), secret: url.href }
      })

      const find = Effect.fnUntraced(function*(id: string, lock = sql``) {
        const found = yield* webhooks.first(sql`SELECT ${columns} FROM webhooks WHERE id = ${id} ${lock}`)
        return Option.isSome(found) ? found.value : yield* new WebhookNotFound()
      })

      /** None if the key of the secrets is missing. Then only the new secret signs. */
      const storedSecrets = Effect.fnUntraced(function*(id: WebhookId) {
        const [row] = yield* encryptedSecrets.all(sql`
          SELECT id, secret AS bytes, encryption_key_id AS "encryptionKeyId" FROM webhooks WHERE id = ${id} FOR UPDATE`)
        if (row === undefined) return yield* new WebhookNotFound()
        return yield* vault.decrypt(id, row).pipe(
          Effect.asSome,
          Effect.catchTag("DecryptionFailed", (error) =>
            Effect.as(
              Effect.logWarning(`The secret of ${id} before cannot sign for another 24 hours`, error),
              Option.none()
            ))
        )
      })

      const seal = (id: WebhookId, { bytes, encryptionKeyId }: Encrypted) =>
        Effect.orDie(
          sql`UPDATE webhooks SET secret = ${bytes}, encryption_key_id = ${encryptionKeyId} WHERE id = ${id}`
        )

      /** The new target after a change of URL or format, and the new text to store encrypted. */
      const moved = Effect.fnUntraced(function*(before: Webhook, { format, url }: WebhookChange) {
        if (url === undefined && (format ?? before.format) === before.format) return undefined
        const stored = before.format === standard && (format ?? standard) === standard
          ? Option.none()
          : yield* storedSecrets(before.id)
        const known = before.format === standard ? before.url : Option.getOrUndefined(Option.map(stored, secretUrl))
        if (url === undefined && known === undefined) return yield* InvalidInput.at("url", lostUrl)
        const to = yield* requireUrl(url ?? known ?? "", format ?? before.format)
        const isElsewhere = (to.secret ?? to.url) !== known
        return {
          url: to.url,
          isElsewhere,
          sealed: Option.map(stored, (text) => vault.encrypt(before.id, withSecretUrl(text, to.secret)))
        }
      })

      return Webhooks.of({
        issues: ({ format = standard, url: text }) => {
          const url = text === undefined ? Result.succeed(undefined) : parseUrl(text)
          return [...issuesIn(url), ...formats.issues(format, Result.getOrUndefined(url))]
        },

        create: Effect.fn("Webhooks.create")(function*({ events, format = standard, url }) {
          const to = yield* requireUrl(url, format)
          const id = WebhookId.make(yield* newId("whk"))
          const secret = generateSecret()
          const encrypted = vault.encrypt(id, withSecretUrl(secret, to.secret))
          const webhook: Webhook = {
            id,
            url: to.url,
            format,
            events: [...new Set(events)],
            enabled: true,
            created_at: new Date(yield* Clock.currentTimeMillis),
            last_delivery_at: null,
            failing_since: null
          }
          yield* Effect.orDie(audit.change(
            sql`INSERT INTO webhooks ${
              sql.insert({
                ...webhook,
                events: textArray(webhook.events),
                secret: encrypted.bytes,
                encryption_key_id: encrypted.encryptionKeyId
              })
            }`,
            () => [{ action: "webhook.created", subject: id, details: detailsOf(webhook) }]
          ))
          return { ...webhook, secret: Redacted.value(secret) }
        }),

        list: (page) =>
          selectNewest(
            sql,
            page,
            (after, end) => webhooks.all(sql`SELECT ${columns} FROM webhooks WHERE ${after} ${end}`)
          ),

        find: (id) => find(id),

        change: Effect.fn("Webhooks.change")(function*(id, change) {
          const { enabled, events, format } = change
          const { after } = yield* audit.change(
            Effect.gen(function*() {
              const before = yield* find(id, sql`FOR UPDATE`)
              const to = yield* moved(before, change)
              const isNew = enabled === true && !before.enabled || to?.isElsewhere === true
              const after = {
                ...before,
                url: to?.url ?? before.url,
                format: format ?? before.format,
                events: events === undefined ? before.events : [...new Set(events)],
                enabled: enabled ?? before.enabled,
                failing_since: isNew ? null : before.failing_since
              }
              yield* Effect.orDie(sql`
                UPDATE webhooks SET url = ${after.url}, format = ${after.format}, events = ${textArray(after.events)},
                  enabled = ${after.enabled}, failing_since = ${after.failing_since}
                WHERE id = ${id}`)
              if (to !== undefined && Option.isSome(to.sealed)) yield* seal(before.id, to.sealed.value)
              if (before.enabled && !after.enabled) yield* failPending(sql, before.id)
              return { before, after, isElsewhere: to?.isElsewhere === true }
            }),
            ({ after, before, isElsewhere }) => {
              const details = changesBetween(detailsOf(before), detailsOf(after))
              return Object.keys(details).length === 0 && !isElsewhere
                ? []
                : [{ action: "webhook.changed", subject: after.id, details }]
            }
          )
          return after
        }),

        replaceSecret: Effect.fn("Webhooks.replaceSecret")(function*(id) {
          const now = yield* Clock.currentTimeMillis
          const secret = generateSecret()
          yield* audit.change(
            Effect.gen(function*() {
              const { id: own } = yield* find(id)
              const stored = yield* storedSecrets(own)
              const encrypted = vault.encrypt(
                own,
                Option.match(stored, { onNone: () => secret, onSome: (text) => replaceSecret(text, secret, now) })
              )
              yield* seal(own, encrypted)
              return own
            }),
            (subject) => [{ action: "webhook.secret_replaced", subject }]
          )
          return { secret: Redacted.value(secret) }
        }),

        delete: Effect.fn("Webhooks.delete")(function*(id) {
          yield* audit.change(
            Effect.gen(function*() {
              const webhook = yield* find(id, sql`FOR UPDATE`)
              yield* Effect.orDie(sql`DELETE FROM deliveries WHERE webhook_id = ${id}`)
              yield* Effect.orDie(sql`DELETE FROM webhooks WHERE id = ${id}`)
              return webhook
            }),
            (webhook) => [{ action: "webhook.deleted", subject: webhook.id, details: detailsOf(webhook) }]
          )
        }),

        test: Effect.fn("Webhooks.test")(function*(id) {
          return yield* deliveries.sendTest(yield* find(id))
        }),

        deliveries: Effect.fn("Webhooks.deliveries")(function*(id, page) {
          const webhook = yield* find(id)
          return yield* deliveries.page(webhook.id, page)
        }),

        redeliver: Effect.fn("Webhooks.redeliver")(function*(id, deliveryId) {
          const webhook = yield* find(id)
          return yield* deliveries.sendAgain(webhook.id, deliveryId)
        }),

        redeliverAll: Effect.fn("Webhooks.redeliverAll")(function*(id, period) {
          const webhook = yield* find(id)
          return yield* deliveries.sendAllAgain(webhook.id, period)
        })
      })
    })
  )
}

/** Leaves out the path, which may be a secret. */
const detailsOf = ({ enabled, events, format, url }: Webhook): AuditEntry["details"] => ({
  origin: originOf(url),
  format,
  events,
  enabled
})

const webhooks = rowsOf(Schema.toType(Webhook))

const encryptedSecrets = rowsOf(Schema.Struct({ ...Encrypted.fields, id: WebhookId }))
