import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { parseResources, withReadResources } from "../../Connections/Bounds/ReadResources.ts"
import { GrantChange } from "../../Domain/Access/Grant.ts"
import { issuesIn } from "../../Domain/Validation/Issue.ts"
import { bodyReader } from "../../Http/Handlers/ReadBody.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { AgentAccessApi } from "./Contract.ts"
import { Grants } from "./Grants.ts"

export const GrantsHandlers = HttpApiBuilder.group(
  AgentAccessApi,
  "grants",
  Effect.fn(function*(handlers) {
    const grants = yield* Grants
    const catalog = yield* Catalog

    const readChange = bodyReader(
      GrantChange,
      GrantChange,
      ({ resources = null }) => Effect.succeed(issuesIn(parseResources(catalog, resources)))
    )

    return handlers
      .handleRaw("change", ({ params, request }) =>
        readChange(request).pipe(
          Effect.flatMap((change) => withReadResources(catalog, change)),
          Effect.flatMap((change) => grants.change(params.id, change))
        ))
      .handleAll({
        list: ({ query }) => Effect.map(grants.list(query), ({ cursor, items }) => ({ grants: items, cursor })),
        get: ({ params }) => grants.find(params.id),
        revoke: ({ params }) => grants.revoke(params.id)
      })
  })
)
