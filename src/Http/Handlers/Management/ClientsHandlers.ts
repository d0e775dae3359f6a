import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../../Api/CoreApi.ts"
import { ClientDeletion } from "../../../Management/ClientDeletion.ts"
import { Clients } from "../../../Management/Clients.ts"

export const ClientsHandlers = HttpApiBuilder.group(
  CoreApi,
  "clients",
  Effect.fn(function*(handlers) {
    const clients = yield* Clients
    const deletion = yield* ClientDeletion

    return handlers.handleAll({
      create: ({ payload }) => clients.create(payload.name),
      list: ({ query }) => Effect.map(clients.list(query), ({ cursor, items }) => ({ clients: items, cursor })),
      change: ({ params, payload }) => clients.change(params.id, payload),
      delete: ({ params, query }) => deletion.delete(params.id, { revoke: query.revoke === "true" })
    })
  })
)
