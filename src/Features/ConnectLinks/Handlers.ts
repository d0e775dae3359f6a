import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { NewConnectLink } from "../../Domain/ConnectLink.ts"
import { bodyReader } from "../../Http/Handlers/ReadBody.ts"
import { ConnectLinksApi } from "./Contract.ts"
import { ManagedConnectLinks } from "./ManagedConnectLinks.ts"

export const ConnectLinksHandlers = HttpApiBuilder.group(
  ConnectLinksApi,
  "connectLinks",
  Effect.fn(function*(handlers) {
    const links = yield* ManagedConnectLinks

    const readNew = bodyReader(
      NewConnectLink,
      NewConnectLink,
      (fields, sent) => Effect.sync(() => links.issues(fields, sent))
    )

    return handlers.handleRaw("create", ({ request }) => Effect.flatMap(readNew(request), links.create)).handleAll({
      list: ({ query }) => Effect.map(links.list(query), ({ cursor, items }) => ({ connect_links: items, cursor })),
      end: ({ params }) => links.end(params.id)
    })
  })
)
