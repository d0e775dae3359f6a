import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentPrincipal } from "../../Api/Authentication.ts"
import { ConnectionRepo } from "../../Connections/ConnectionRepo.ts"
import { boundsOf } from "../../Domain/Access/Bounds.ts"
import { grantedOf } from "../../Domain/Access/Principal.ts"
import { wholeList } from "../../Http/Handlers/WholeList.ts"
import { QuotasApi, type QuotaUse } from "./Contract.ts"
import { Quotas } from "./Quotas.ts"

export const QuotasHandlers = HttpApiBuilder.group(
  QuotasApi,
  "quotas",
  Effect.fn(function*(handlers) {
    const connections = yield* ConnectionRepo
    const quotas = yield* Quotas

    return handlers.handleRaw("list", ({ query: { connection_id, provider } }) =>
      Effect.gen(function*() {
        const principal = yield* CurrentPrincipal
        const found = yield* connections.list(principal.clientIds, provider === undefined ? {} : { provider })
        const chosen = grantedOf(principal, found).filter(({ id }) =>
          connection_id === undefined || id === connection_id
        )
        const seen = new Map(chosen.map((connection) => [connection.id, boundsOf(principal, connection)]))
        const used = yield* quotas.list([...seen.keys()])
        // The names of resources outside of a bound stay unknown.
        const isInside = ({ connection_id, resource }: QuotaUse) =>
          connection_id === null || resource === null ||
          (seen.get(connection_id) ?? []).every(({ resources }) => resources.has(resource))
        const items = used.filter(isInside)
        return yield* wholeList("quotas", () => Effect.succeed({ items, cursor: null }), (quota) => quota)
      }))
  })
)
