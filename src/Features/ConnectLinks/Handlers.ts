import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { ConnectLinksApi } from "./Contract.ts"
import { ManagedConnectLinks } from "./ManagedConnectLinks.ts"

export const ConnectLinksHandlers = HttpApiBuilder.group(
  ConnectLinksApi,
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
