import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../../Api/Api.ts"
import { ManagedConnections } from "../../../Management/ManagedConnections.ts"

export const ManagedConnectionsHandlers = HttpApiBuilder.group(
  Api,
  "managedConnections",
  Effect.fn(function*(handlers) {
    const connections = yield* ManagedConnections

    return handlers.handleAll({
      create: ({ payload }) => connections.create(payload),
      list: ({ query: { cursor, limit, ...filter } }) =>
        Effect.map(
          connections.list(filter, { ...(cursor && { cursor }), ...(limit && { limit }) }),
          ({ cursor, items }) => ({ connections: items, cursor })
        ),
      change: ({ params, payload }) => connections.change(params.id, payload),
      reconnect: ({ params, payload }) => connections.reconnect(params.id, payload),
      revoke: ({ params }) => connections.revoke(params.id),
      test: ({ params }) => Effect.map(connections.test(params.id), (latency_ms) => ({ ok: true, latency_ms }) as const)
    })
  })
)
