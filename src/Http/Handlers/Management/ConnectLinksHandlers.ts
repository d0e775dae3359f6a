import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../../Api/CoreApi.ts"
import { ManagedConnectLinks } from "../../../Management/ManagedConnectLinks.ts"

export const ConnectLinksHandlers = HttpApiBuilder.group(
  CoreApi,
  "connectLinks",
  Effect.fn(function*(handlers) {
    const links = yield* ManagedConnectLinks

    return handlers.handleAll({
      create: ({ payload }) => links.create(payload),
      list: ({ query }) => Effect.map(links.list(query), ({ cursor, items }) => ({ connect_links: items, cursor })),
      end: ({ params }) => links.end(params.id)
    })
  })
)
