import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentPrincipal } from "../../Api/Authentication.ts"
import { ConnectionRepo } from "../../Connections/ConnectionRepo.ts"
import { boundsOf } from "../../Domain/Access/Bounds.ts"
import { grantedOf } from "../../Domain/Access/Principal.ts"
import { wholeList } from "../../Http/Handlers/WholeList.ts"
import { QuotasApi } from "./Contract.ts"
import { Quotas, type QuotaUse } from "./Quotas.ts"

export const QuotasHandlers = HttpApiBuilder.group(
  QuotasApi,
  "quotas",
  Effect.fn(function*(handlers) {
    const connections = yield* ConnectionRepo
    const quotas = yield* Quotas

    return handlers.handleRaw("list", ({ query: { connection_id, provider } }) =>
      Effect.gen(function*() {
        const principal = yield* CurrentPrincipal
        const found = grantedOf(
          principal,
          yield* connections.list(principal.clientIds, provider === undefined ? {} : { provider })
        )
        const seen = new Map(
          found.flatMap((connection) =>
            connection_id === undefined || connection.id === connection_id
              ? [[connection.id, boundsOf(principal, connection)] as const]
              : []
          )
        )
        const used = yield* quotas.list([...seen.keys()])
        // The names of resources outside of a bound stay unknown.
        const isInside = ({ connectionId, resource }: QuotaUse) =>
          connectionId === null || resource === null ||
          (seen.get(connectionId) ?? []).every(({ resources }) => resources.has(resource))
        const items = used.filter(isInside)
        return yield* wholeList("quotas", () => Effect.succeed({ items, cursor: null }), toQuota)
      }))
  })
)

const toQuota = (
  { connectionId, isReported, limit, name, provider, remaining, resetsAt, resource, used, windowSeconds }: QuotaUse
) => ({
  name,
  provider,
  connection_id: connectionId,
  resource,
  window_seconds: windowSeconds,
  limit,
  used,
  remaining,
  resets_at: new Date(resetsAt),
  source: isReported ? "reported" as const : "declared" as const
})
