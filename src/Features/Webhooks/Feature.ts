import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { Feature } from "../Feature.ts"
import { WebhooksApi, WebhooksGroup } from "./Contract.ts"
import { Deliverer } from "./Deliverer.ts"
import { DeliveryQueue, eventSecrets } from "./DeliveryQueue.ts"
import { WebhooksHandlers } from "./Handlers.ts"
import { addWebhookFormat } from "./Migration.ts"
import { Outbox } from "./Outbox.ts"
import { TextFormats } from "./TextFormats.ts"
import { allowPrivate, WebhookHttp } from "./WebhookHttp.ts"
import { Webhooks, webhookSecrets } from "./Webhooks.ts"

/** Tells systems of operators what happens, and what waits for them. */
export const webhooks: Feature = {
  name: "webhooks",
  layer: Layer.merge(
    HttpApiBuilder.layer(WebhooksApi).pipe(Layer.provide(WebhooksHandlers), Layer.provide(Webhooks.layer)),
    Deliverer
  ).pipe(Layer.provide([DeliveryQueue.layer, Outbox.layer, TextFormats.layer, WebhookHttp.layer])),
  owns: {
    storage: Outbox.layer,
    groups: [WebhooksGroup],
    migrations: { "0017_add_webhook_format": addWebhookFormat },
    secrets: [webhookSecrets, eventSecrets],
    settings: [allowPrivate],
    settingNames: ["WEBHOOK_ALLOW_PRIVATE"]
  }
}
