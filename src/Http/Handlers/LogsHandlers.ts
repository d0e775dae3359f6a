import { Effect, Option, Redacted, Schema, Struct } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { asCaller } from "../../Api/Authentication.ts"
import { CoreApi } from "../../Api/CoreApi.ts"
import { CallNotFound, InvalidInput } from "../../Api/Errors.ts"
import type { Unavailable } from "../../Api/Errors/RequestErrors.ts"
import type { ListFormat } from "../../Api/ListFormat.ts"
import { CallLog } from "../../Calls/Log/CallLog.ts"
import { SecretHashes } from "../../Calls/Log/SecretHashes.ts"
import { readResource } from "../../Connections/Bounds/ReadResources.ts"
import { onlyCallsOf, operator, type Principal, type Viewer } from "../../Domain/Access/Principal.ts"
import {
  type CallFilter,
  type CallSearch,
  LoggedCall,
  loggedFields,
  matchesFilter,
  type StoredCall
} from "../../Domain/Calls/Call.ts"
import type { Page, PageRequest } from "../../Domain/Page.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { minSecretCharacters } from "../../Secrets/Redaction/RemovedSecrets.ts"
import { makeExport } from "./Export.ts"

interface Search {
  readonly payload: CallFilter & PageRequest & { readonly secret: Redacted.Redacted }
}

const makeLogs = Effect.gen(function*() {
  const callLog = yield* CallLog
  const catalog = yield* Catalog
  const hashes = yield* SecretHashes
  const exportResponse = yield* makeExport

  const list = (
    viewer: Viewer,
    { format, resource, ...query }: CallSearch & PageRequest & ListFormat,
    only: CallFilter = {}
  ) => {
    const filter = {
      ...query,
      ...only,
      ...(query.since === undefined || only.since === undefined || query.since < only.since
        ? {}
        : { since: query.since }),
      ...(resource === undefined ? {} : { resource: readResource(catalog, resource) ?? resource })
    }
    const pageOf = (page: PageRequest): Effect.Effect<Page<LoggedCall>, Unavailable> =>
      contradicts(query, only)
        ? Effect.succeed({ items: [], cursor: null })
        : callLog.list(viewer, filter, page)
    return format === undefined || format === "json"
      ? Effect.map(
        pageOf(query),
        ({ cursor, items }) => jsonResponse(JSON.stringify({ calls: items.map(toJson), cursor }))
      )
      : exportResponse({ file: "calls", format, request: query, list: pageOf, toJson, columns, toCells })
  }

  return {
    list,
    search: Effect.fnUntraced(function*(viewer: Viewer, { payload: { secret, ...query } }: Search, only?: CallFilter) {
      const secret_hashes = yield* hashes.ofSearched(Redacted.value(secret))
      if (secret_hashes.length === 0) return yield* new InvalidInput({ details: [tooShort] })
      return yield* list(viewer, { ...query, secret_hashes }, only)
    }),
    get: Effect.fnUntraced(function*(viewer: Viewer, id: string, only: CallFilter = {}) {
      const call = yield* callLog.find(viewer, id)
      if (Option.isNone(call) || !matchesFilter(call.value, only)) return yield* new CallNotFound()
      return jsonResponse(toDetailJson(call.value))
    })
  }
})

const tooShort = {
  path: ["secret"],
  message: `Has fewer than ${minSecretCharacters} characters: the log can find longer secrets only`
}

export const LogsHandlers = HttpApiBuilder.group(
  CoreApi,
  "logs",
  Effect.fn(function*(handlers) {
    const { get, list, search } = yield* makeLogs

    return handlers
      .handle("search", (sent) => asCaller((principal) => search(principal, sent, shownTo(principal))))
      .handleRaw("list", ({ query }) => asCaller((principal) => list(principal, query, shownTo(principal))))
      .handleRaw("get", ({ params }) => asCaller((principal) => get(principal, params.call_id, shownTo(principal))))
  })
)

export const AdminLogsHandlers = HttpApiBuilder.group(
  CoreApi,
  "adminLogs",
  Effect.fn(function*(handlers) {
    const { get, list, search } = yield* makeLogs

    return handlers
      .handle("search", (sent) => search(operator, sent))
      .handleRaw("list", ({ query }) => list(operator, query))
      .handleRaw("get", ({ params }) => get(operator, params.call_id))
  })
)

/** What a key or grant called before its bound was narrowed can be outside of it. */
const shownTo = (principal: Principal): CallFilter => {
  const only = onlyCallsOf(principal)
  const { boundedAt = null } = principal
  return only === undefined || boundedAt === null ? only ?? {} : { ...only, since: boundedAt }
}

const contradicts = ({ grant_id, key_id }: CallFilter, only: CallFilter): boolean =>
  only.key_id !== undefined && key_id !== undefined && key_id !== only.key_id ||
  only.grant_id !== undefined && grant_id !== undefined && grant_id !== only.grant_id

const jsonResponse = (json: string) => HttpServerResponse.text(json, { contentType: "application/json" })

/**
 * Calls from the database already have the types of the schema. `JSON.stringify` takes twice as long when it formats
 * dates itself.
 */
const toJson = (call: LoggedCall) => ({ ...loggedFields(call), created_at: call.created_at.toISOString() })

const columns = Struct.keys(LoggedCall.fields)

const toCells = (call: LoggedCall) =>
  columns.map((column) => {
    const value = call[column]
    return value instanceof Date ? value.toISOString() : value
  })

const encode = Schema.encodeSync(Schema.toCodecJson(LoggedCall))

const toDetailJson = ({ request, response, ...call }: StoredCall): string =>
  `${JSON.stringify(encode(call)).slice(0, -1)},"request":${request?.text ?? "null"},"response":${
    response?.text ?? "null"
  }}`
