import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { bodyReader } from "../../Http/Handlers/ReadBody.ts"
import { WebhooksApi } from "./Contract.ts"
import { NewWebhook, WebhookChange } from "./Webhook.ts"
import { Webhooks } from "./Webhooks.ts"

export const WebhooksHandlers = HttpApiBuilder.group(
  WebhooksApi,
  "webhooks",
  Effect.fn(function*(handlers) {
    const webhooks = yield* Webhooks

    const issues = (fields: WebhookChange) => Effect.sync(() => webhooks.issues(fields))
    const readNew = bodyReader(NewWebhook, WebhookChange, issues)
    const readChange = bodyReader(WebhookChange, WebhookChange, issues)

    return handlers
      .handleRaw("create", ({ request }) => Effect.flatMap(readNew(request), webhooks.create))
      .handleRaw(
        "change",
        ({ params, request }) => Effect.flatMap(readChange(request), (change) => webhooks.change(params.id, change))
      )
      .handleAll({
        list: ({ query }) => Effect.map(webhooks.list(query), ({ cursor, items }) => ({ webhooks: items, cursor })),
        get: ({ params }) => webhooks.find(params.id),
        replaceSecret: ({ params }) => webhooks.replaceSecret(params.id),
        delete: ({ params }) => webhooks.delete(params.id),
        test: ({ params }) => Effect.map(webhooks.test(params.id), (id) => ({ id })),
        deliveries: ({ params, query }) =>
          Effect.map(webhooks.deliveries(params.id, query), ({ cursor, items }) => ({ deliveries: items, cursor })),
        redeliver: ({ params }) => webhooks.redeliver(params.id, params.delivery_id),
        redeliverAll: ({ params, payload }) =>
          Effect.map(webhooks.redeliverAll(params.id, payload), (deliveries) => ({ deliveries }))
      })
  })
)
