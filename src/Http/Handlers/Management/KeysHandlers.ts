import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../../Api/Api.ts"
import { Keys } from "../../../Management/Keys.ts"

export const KeysHandlers = HttpApiBuilder.group(
  Api,
  "keys",
  Effect.fn(function*(handlers) {
    const keys = yield* Keys

    return handlers.handleAll({
      create: ({ payload }) => keys.create(payload),
      list: ({ query }) => Effect.map(keys.list(query), ({ cursor, items }) => ({ keys: items, cursor })),
      change: ({ params, payload }) => keys.change(params.id, payload),
      revoke: ({ params }) => keys.revoke(params.id)
    })
  })
)
