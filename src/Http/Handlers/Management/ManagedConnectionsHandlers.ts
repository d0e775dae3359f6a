import { Effect, Option, Schema, Struct } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../../Api/CoreApi.ts"
import { AccountResources } from "../../../Connections/Bounds/AccountResources.ts"
import { parseResources } from "../../../Connections/Bounds/ReadResources.ts"
import { CreateConnection, toManagedConnection } from "../../../Domain/Connection.ts"
import { issuesIn } from "../../../Domain/Validation/Issue.ts"
import { issuesOfOwner } from "../../../Management/DerivedConnections.ts"
import { checkCredentials } from "../../../Management/GivenCredentials.ts"
import { ManagedConnections } from "../../../Management/ManagedConnections.ts"
import { Catalog } from "../../../Providers/Catalog/Catalog.ts"
import { bodyReader } from "../ReadBody.ts"

export const ManagedConnectionsHandlers = HttpApiBuilder.group(
  CoreApi,
  "managedConnections",
  Effect.fn(function*(handlers) {
    const connections = yield* ManagedConnections
    const catalog = yield* Catalog
    const accountResources = yield* AccountResources

    const readNew = bodyReader(
      CreateConnection,
      CreateConnection.mapFields(Struct.map(Schema.optionalKey)),
      Effect.fnUntraced(function*({ auth_type, credentials, provider: id, resources = null }, sent) {
        const provider = "parent_id" in sent || id === undefined
          ? undefined
          : Option.getOrUndefined(yield* Effect.option(catalog.provider(id)))
        return [
          ...issuesOfOwner(sent),
          ...provider === undefined || auth_type === undefined || credentials === undefined
            ? []
            : issuesIn(checkCredentials(provider, auth_type, credentials)),
          ...issuesIn(parseResources(catalog, resources, provider))
        ]
      })
    )

    return handlers
      .handleRaw(
        "create",
        ({ request }) => readNew(request).pipe(Effect.flatMap(connections.create), Effect.map(toManagedConnection))
      )
      .handleAll({
        list: ({ query: { cursor, limit, ...filter } }) =>
          Effect.map(
            connections.list(filter, { ...(cursor && { cursor }), ...(limit && { limit }) }),
            ({ cursor, items }) => ({ connections: items.map(toManagedConnection), cursor })
          ),
        change: ({ params, payload }) => Effect.map(connections.change(params.id, payload), toManagedConnection),
        reconnect: ({ params, payload }) => Effect.map(connections.reconnect(params.id, payload), toManagedConnection),
        revoke: ({ params }) => Effect.map(connections.revoke(params.id), toManagedConnection),
        resources: ({ params }) => Effect.map(accountResources.of(params.id), (resources) => ({ resources })),
        test: ({ params }) =>
          Effect.map(connections.test(params.id), (latency_ms) => ({ ok: true, latency_ms }) as const)
      })
  })
)
