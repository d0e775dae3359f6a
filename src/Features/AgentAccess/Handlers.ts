import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { withReadResources } from "../../Connections/Bounds/ReadResources.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { AgentAccessApi } from "./Contract.ts"
import { Grants } from "./Grants.ts"

export const GrantsHandlers = HttpApiBuilder.group(
  AgentAccessApi,
  "grants",
  Effect.fn(function*(handlers) {
    const grants = yield* Grants
    const catalog = yield* Catalog

    return handlers.handleAll({
      list: ({ query }) => Effect.map(grants.list(query), ({ cursor, items }) => ({ grants: items, cursor })),
      get: ({ params }) => grants.find(params.id),
      change: ({ params, payload }) =>
        Effect.flatMap(withReadResources(catalog, payload), (change) => grants.change(params.id, change)),
      revoke: ({ params }) => grants.revoke(params.id)
    })
  })
)
