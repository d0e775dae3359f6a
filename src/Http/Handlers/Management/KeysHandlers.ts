import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../../Api/CoreApi.ts"
import { withReadResources } from "../../../Connections/Bounds/ReadResources.ts"
import { Keys } from "../../../Management/Keys.ts"
import { Catalog } from "../../../Providers/Catalog/Catalog.ts"

export const KeysHandlers = HttpApiBuilder.group(
  CoreApi,
  "keys",
  Effect.fn(function*(handlers) {
    const keys = yield* Keys
    const catalog = yield* Catalog

    return handlers.handleAll({
      create: ({ payload }) => Effect.flatMap(withReadResources(catalog, payload), keys.create),
      list: ({ query }) => Effect.map(keys.list(query), ({ cursor, items }) => ({ keys: items, cursor })),
      change: ({ params, payload }) =>
        Effect.flatMap(withReadResources(catalog, payload), (change) => keys.change(params.id, change)),
      revoke: ({ params }) => keys.revoke(params.id)
    })
  })
)
