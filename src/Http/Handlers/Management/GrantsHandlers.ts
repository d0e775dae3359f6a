import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../../Api/Api.ts"
import { Grants } from "../../../Management/Grants.ts"

export const GrantsHandlers = HttpApiBuilder.group(
  Api,
  "grants",
  Effect.fn(function*(handlers) {
    const grants = yield* Grants

    return handlers.handleAll({
      list: ({ query }) => Effect.map(grants.list(query), ({ cursor, items }) => ({ grants: items, cursor })),
      get: ({ params }) => grants.find(params.id),
      change: ({ params, payload }) => grants.change(params.id, payload),
      revoke: ({ params }) => grants.revoke(params.id)
    })
  })
)
