import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../../Api/CoreApi.ts"
import { AccountResources } from "../../../Connections/Bounds/AccountResources.ts"
import { toManagedConnection } from "../../../Domain/Connection.ts"
import { ManagedConnections } from "../../../Management/ManagedConnections.ts"

export const ManagedConnectionsHandlers = HttpApiBuilder.group(
  CoreApi,
  "managedConnections",
  Effect.fn(function*(handlers) {
    const connections = yield* ManagedConnections
    const accountResources = yield* AccountResources

    return handlers.handleAll({
      create: ({ payload }) => Effect.map(connections.create(payload), toManagedConnection),
      list: ({ query: { cursor, limit, ...filter } }) =>
        Effect.map(
          connections.list(filter, { ...(cursor && { cursor }), ...(limit && { limit }) }),
          ({ cursor, items }) => ({ connections: items.map(toManagedConnection), cursor })
        ),
      change: ({ params, payload }) => Effect.map(connections.change(params.id, payload), toManagedConnection),
      reconnect: ({ params, payload }) => Effect.map(connections.reconnect(params.id, payload), toManagedConnection),
      revoke: ({ params }) => Effect.map(connections.revoke(params.id), toManagedConnection),
      resources: ({ params }) => Effect.map(accountResources.of(params.id), (resources) => ({ resources })),
      test: ({ params }) => Effect.map(connections.test(params.id), (latency_ms) => ({ ok: true, latency_ms }) as const)
    })
  })
)
