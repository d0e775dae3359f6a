import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../Api/Api.ts"
import { CurrentPrincipal } from "../../Api/Authentication.ts"
import type { Format } from "../../Api/Calls/CallApi.ts"
import { KeptResults } from "../../Calls/Results/Kept/KeptResults.ts"
import { readPage } from "../../Calls/Results/Kept/ReadPage.ts"
import { ResultAccess } from "../../Calls/Results/Kept/ResultAccess.ts"
import { ResultQueries } from "../../Calls/Results/Query/ResultQueries.ts"
import type { Table } from "../../Domain/Table/Table.ts"
import { tableText } from "../../Domain/Table/TableText.ts"

export const ResultsHandlers = HttpApiBuilder.group(
  Api,
  "results",
  Effect.fn(function*(handlers) {
    const access = yield* ResultAccess
    const results = yield* KeptResults
    const queries = yield* ResultQueries

    return handlers
      .handle("list", ({ query }) => Effect.flatMap(CurrentPrincipal, (principal) => access.list(principal, query)))
      .handleRaw("get", ({ params, query: { format = "json", limit = 100, offset = 0 } }) =>
        Effect.gen(function*() {
          const result = yield* access.find(yield* CurrentPrincipal, params.id)
          const table = yield* readPage(results, result, { limit, offset })
          return tableResponse(table, format, { total: result.rows })
        }))
      .handle("query", ({ params, payload }) =>
        Effect.gen(function*() {
          const { truncated, ...table } = yield* queries.query(yield* CurrentPrincipal, params.id, payload)
          return tableResponse(table, payload.format ?? "json", { truncated })
        }))
      .handle("remove", ({ params }) =>
        Effect.gen(function*() {
          const { id } = yield* access.find(yield* CurrentPrincipal, params.id)
          yield* results.remove(id)
        }))
  })
)

/** `JSON.stringify` keeps the digits of numbers, which a schema would not. */
const tableResponse = (
  table: Table,
  format: Format,
  more: Readonly<Record<string, number | boolean>>
): HttpServerResponse.HttpServerResponse =>
  format === "json"
    ? HttpServerResponse.text(JSON.stringify({ ...table, ...more }), { contentType: "application/json" })
    : HttpServerResponse.text(tableText(table, format), { contentType: `text/${format}; charset=utf-8` })
