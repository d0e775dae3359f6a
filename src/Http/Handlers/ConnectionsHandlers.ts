import { Effect, Schema } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { asCaller } from "../../Api/Authentication.ts"
import { CoreApi } from "../../Api/CoreApi.ts"
import { ConnectionRepo } from "../../Connections/ConnectionRepo.ts"
import { grantedOf } from "../../Domain/Access/Principal.ts"
import { Connection, toConnection } from "../../Domain/Connection.ts"
import { wholeList } from "./WholeList.ts"

export const ConnectionsHandlers = HttpApiBuilder.group(
  CoreApi,
  "connections",
  Effect.fn(function*(handlers) {
    const connections = yield* ConnectionRepo

    return handlers.handleRaw("list", ({ query }) =>
      asCaller((principal) =>
        wholeList(
          "connections",
          (cursor) =>
            Effect.map(
              connections.page(principal.clientIds, query, { limit, ...cursor === undefined ? {} : { cursor } }),
              ({ items, ...page }) => ({ ...page, items: grantedOf(principal, items) })
            ),
          (connection) => encode(toConnection(connection))
        )
      ))
  })
)

const limit = 10_000

const encode = Schema.encodeSync(Schema.toCodecJson(Connection))
