import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../../Api/Api.ts"
import { Clients } from "../../../Management/Clients.ts"

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
