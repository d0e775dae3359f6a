import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../Api/Api.ts"
import { CurrentPrincipal } from "../../Api/Authentication.ts"
import { ConnectionRepo } from "../../Connections/ConnectionRepo.ts"
import { grantedOf } from "../../Domain/Access/Principal.ts"
import { toConnection } from "../../Domain/Connection.ts"

export const ConnectionsHandlers = HttpApiBuilder.group(
  Api,
  "connections",
  Effect.fn(function*(handlers) {
    const connections = yield* ConnectionRepo

    return handlers.handle("list", ({ query }) =>
      Effect.gen(function*() {
        const principal = yield* CurrentPrincipal
        const found = grantedOf(principal, yield* connections.list(principal.clientIds, query))
        return { connections: found.map(toConnection) }
      }))
  })
)
