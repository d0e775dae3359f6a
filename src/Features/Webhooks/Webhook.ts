import { Schema } from "effect"
import { EventType } from "../../Declared/EventType.ts"
import { WebhookFormat, webhookFormats } from "../../Declared/WebhookFormat.ts"
import { EventId, WebhookId } from "../../Domain/Ids.ts"
import { Instant, storable, Timestamp } from "../../Domain/Validation/Fields.ts"

const WebhookUrl = Schema.String.check(Schema.isMaxLength(2048), storable).annotate({
  description: "An `https` URL with a public address. Events are posted there, without following redirects."
})

const WebhookEvents = Schema.Array(EventType).check(Schema.isNonEmpty()).annotate({
  description: "The types of events that are sent."
})

const Format = WebhookFormat.annotate({
  description: "`standard`: signed JSON for programs. The others are texts for people, in the service of that name.",
  default: "standard"
})

export const Webhook = Schema.Struct({
  id: WebhookId,
  url: Schema.String.annotate({
    description: "In formats other than `standard` only its host and last four characters, because it is a secret."
  }),
  format: Schema.String.annotate({ description: `One of ${webhookFormats.join(", ")}.` }),
  // Not literals: a newer version may have stored them.
  events: Schema.Array(Schema.String),
  enabled: Schema.Boolean.annotate({
    description:
      "While this is false, nothing is sent. The service sets it to false after five days without a delivery."
  }),
  created_at: Timestamp,
  last_delivery_at: Schema.NullOr(Timestamp).annotate({ description: "When an event was delivered last." }),
  failing_since: Schema.NullOr(Timestamp).annotate({
    description: "The first failed attempt since the last delivery; null while deliveries succeed."
  })
}).annotate({ identifier: "Webhook" })
export type Webhook = typeof Webhook.Type

export const NewWebhook = Schema.Struct({
  url: WebhookUrl,
  format: Format.pipe(Schema.optionalKey),
  events: WebhookEvents
})
export type NewWebhook = typeof NewWebhook.Type

export const CreatedWebhook = Schema.Struct({
  ...Webhook.fields,
  secret: Schema.String.annotate({
    description: "The secret of the signatures, `whsec_…`. It is returned only once."
  })
}).annotate({ identifier: "CreatedWebhook" })
export type CreatedWebhook = typeof CreatedWebhook.Type

export const NewWebhookSecret = Schema.Struct({
  secret: Schema.String.annotate({
    description: "The new secret of the signatures, `whsec_…`. It is returned only once."
  })
}).annotate({ identifier: "NewWebhookSecret" })
export type NewWebhookSecret = typeof NewWebhookSecret.Type

export const WebhookChange = Schema.Struct({
  url: WebhookUrl.pipe(Schema.optionalKey),
  format: WebhookFormat.pipe(Schema.optionalKey),
  events: WebhookEvents.pipe(Schema.optionalKey),
  enabled: Schema.Boolean.pipe(Schema.optionalKey)
})
export type WebhookChange = typeof WebhookChange.Type

export const DeliveryPeriod = Schema.Struct({
  since: Instant.pipe(Schema.annotateEncoded({ description: "Only what happened from this time on." })),
  until: Instant.pipe(
    Schema.annotateEncoded({ description: "Only what happened before this time; by default now." }),
    Schema.optionalKey
  )
})
export type DeliveryPeriod = typeof DeliveryPeriod.Type

export const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed"])
export type DeliveryStatus = typeof DeliveryStatus.Type

export const EventPayload = Schema.Struct({
  type: Schema.String,
  timestamp: Schema.String,
  data: Schema.Record(Schema.String, Schema.Json)
})

export const Delivery = Schema.Struct({
  id: EventId.annotate({ description: "The header `webhook-id`, the same in every attempt." }),
  type: Schema.String,
  at: Timestamp.annotate({ description: "When it happened." }),
  status: DeliveryStatus,
  attempts: Schema.Int,
  http_status: Schema.NullOr(Schema.Int).annotate({
    description: "The status of the last answer; null when there was none."
  }),
  error: Schema.NullOr(Schema.String).annotate({
    description: "Why the last attempt failed: the name is not found, TLS failed, the status, no answer in time. " +
      "Null when it succeeded."
  }),
  next_attempt_at: Schema.NullOr(Timestamp).annotate({
    description: "Null unless `pending`."
  }),
  payload: EventPayload.annotate({
    description:
      "What is sent; in formats other than `standard`, what its text is about. A `connect_url` is `[redacted]`, because it is a secret."
  })
}).annotate({ identifier: "Delivery" })
export type Delivery = typeof Delivery.Type
