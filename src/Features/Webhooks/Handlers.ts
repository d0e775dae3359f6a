import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { WebhooksApi } from "./Contract.ts"
import { Webhooks } from "./Webhooks.ts"

export const WebhooksHandlers = HttpApiBuilder.group(
  WebhooksApi,
  "webhooks",
  Effect.fn(function*(handlers) {
    const webhooks = yield* Webhooks

    return handlers.handleAll({
      create: ({ payload }) => webhooks.create(payload),
      list: ({ query }) => Effect.map(webhooks.list(query), ({ cursor, items }) => ({ webhooks: items, cursor })),
      get: ({ params }) => webhooks.find(params.id),
      change: ({ params, payload }) => webhooks.change(params.id, payload),
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
