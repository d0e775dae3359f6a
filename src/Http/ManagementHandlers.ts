import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../Api/Api.ts"
import { Clients } from "../Management/Clients.ts"
import { Keys } from "../Management/Keys.ts"
import { ManagedConnections } from "../Management/ManagedConnections.ts"
import { Members } from "../Management/Members.ts"

export const ClientsHandlers = HttpApiBuilder.group(
  Api,
  "clients",
  Effect.fn(function*(handlers) {
    const clients = yield* Clients

    return handlers.handleAll({
      create: ({ payload }) => clients.create(payload.name),
      list: ({ query }) => Effect.map(clients.list(query), ({ cursor, items }) => ({ clients: items, cursor }))
    })
  })
)

export const MembersHandlers = HttpApiBuilder.group(
  Api,
  "members",
  Effect.fn(function*(handlers) {
    const members = yield* Members

    return handlers.handleAll({
      create: ({ payload }) => members.create(payload),
      list: ({ query }) => Effect.map(members.list(query), ({ cursor, items }) => ({ members: items, cursor })),
      change: ({ params, payload }) => members.change(params.id, payload),
      delete: ({ params }) => members.delete(params.id)
    })
  })
)

export const KeysHandlers = HttpApiBuilder.group(
  Api,
  "keys",
  Effect.fn(function*(handlers) {
    const keys = yield* Keys

    return handlers.handleAll({
      create: ({ payload }) => keys.create(payload),
      list: ({ query }) => Effect.map(keys.list(query), ({ cursor, items }) => ({ keys: items, cursor })),
      revoke: ({ params }) => keys.revoke(params.id)
    })
  })
)

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
      reconnect: ({ params, payload }) => connections.reconnect(params.id, payload),
      revoke: ({ params }) => connections.revoke(params.id),
      test: ({ params }) => Effect.map(connections.test(params.id), (latency_ms) => ({ ok: true, latency_ms }) as const)
    })
  })
)
