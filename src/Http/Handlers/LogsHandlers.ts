import { Effect, Option, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../Api/Api.ts"
import { CurrentPrincipal } from "../../Api/Authentication.ts"
import { CallNotFound } from "../../Api/Errors.ts"
import { CallLog } from "../../Calls/Log/CallLog.ts"
import { readResource } from "../../Connections/Bounds/ReadResources.ts"
import { type CallFilter, LoggedCall, loggedFields, type StoredCall } from "../../Domain/Call.ts"
import type { PageRequest } from "../../Domain/Page.ts"
import { operator, type Viewer } from "../../Domain/Principal.ts"
import { Catalog } from "../../Providers/Catalog.ts"

const logsOf = Effect.map(Effect.all([CallLog, Catalog]), ([callLog, catalog]) => ({
  list: (viewer: Viewer, { resource, ...query }: CallFilter & PageRequest) => {
    const filter = resource === undefined ? query : { ...query, resource: readResource(catalog, resource) ?? resource }
    return Effect.map(
      callLog.list(viewer, filter, query),
      ({ cursor, items }) => jsonResponse(JSON.stringify({ calls: items.map(toJson), cursor }))
    )
  },
  get: Effect.fnUntraced(function*(viewer: Viewer, id: string) {
    const call = yield* callLog.find(viewer, id)
    if (Option.isNone(call)) return yield* new CallNotFound()
    return jsonResponse(toDetailJson(call.value))
  })
}))

export const LogsHandlers = HttpApiBuilder.group(
  Api,
  "logs",
  Effect.fn(function*(handlers) {
    const { get, list } = yield* logsOf

    return handlers
      .handleRaw("list", ({ query }) => Effect.flatMap(CurrentPrincipal, (viewer) => list(viewer, query)))
      .handleRaw("get", ({ params }) => Effect.flatMap(CurrentPrincipal, (viewer) => get(viewer, params.call_id)))
  })
)

export const AdminLogsHandlers = HttpApiBuilder.group(
  Api,
  "adminLogs",
  Effect.fn(function*(handlers) {
    const { get, list } = yield* logsOf

    return handlers
      .handleRaw("list", ({ query }) => list(operator, query))
      .handleRaw("get", ({ params }) => get(operator, params.call_id))
  })
)

const jsonResponse = (json: string) => HttpServerResponse.text(json, { contentType: "application/json" })

/**
 * Calls from the database already have the types of the schema. `JSON.stringify` takes twice as long when it formats
 * dates itself.
 */
const toJson = (call: LoggedCall) => ({ ...loggedFields(call), created_at: call.created_at.toISOString() })

const encode = Schema.encodeSync(Schema.toCodecJson(LoggedCall))

const toDetailJson = ({ request, response, ...call }: StoredCall): string =>
  `${JSON.stringify(encode(call)).slice(0, -1)},"request":${request?.text ?? "null"},"response":${
    response?.text ?? "null"
  }}`
