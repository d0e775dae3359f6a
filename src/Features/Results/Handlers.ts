import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { asCaller, CurrentPrincipal } from "../../Api/Authentication.ts"
import type { Format } from "../../Api/Calls/CallApi.ts"
import { maxAnswerBytes } from "../../Api/Middleware.ts"
import { contentTypes } from "../../Http/Handlers/ContentTypes.ts"
import { ResultsApi } from "./Contract.ts"
import { KeptResults } from "./Kept/KeptResults.ts"
import { readPage } from "./Kept/ReadPage.ts"
import { ResultAccess } from "./Kept/ResultAccess.ts"
import { ResultQueries } from "./Query/ResultQueries.ts"
import type { WrittenTable } from "./TableWriter.ts"

export const ResultsHandlers = HttpApiBuilder.group(
  ResultsApi,
  "results",
  Effect.fn(function*(handlers) {
    const access = yield* ResultAccess
    const results = yield* KeptResults
    const queries = yield* ResultQueries

    return handlers
      .handle("list", ({ query }) => asCaller((principal) => access.list(principal, query)))
      .handleRaw(
        "get",
        ({ params, query: { format = "json", limit: rows = 100, offset = 0 } }) =>
          Effect.gen(function*() {
            const principal = yield* CurrentPrincipal
            const result = yield* access.find(principal, params.id)
            const page = { offset, limit: rows, form: { format, limit: maxAnswerBytes } }
            const answer = yield* readPage(results, principal.memberId, result, page)
            return toResponse(answer, answer.part !== null, format)
          })
      )
      .handle("query", ({ params, payload: { format = "json", ...query } }) =>
        Effect.gen(function*() {
          const answer = yield* queries.query(yield* CurrentPrincipal, params.id, query, {
            format,
            limit: maxAnswerBytes
          })
          return toResponse(answer, Object.keys(answer.parts).length > 0, format)
        }))
      .handle("remove", ({ params }) =>
        Effect.gen(function*() {
          const { id } = yield* access.find(yield* CurrentPrincipal, params.id)
          yield* results.remove(id)
        }))
  })
)

const toResponse = (
  { body, truncated }: WrittenTable & { readonly truncated: boolean },
  isPart: boolean,
  format: Format
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(body, {
    contentType: contentTypes[format],
    headers: format === "json" ? {} : {
      ...truncated ? { "openaccounts-truncated": "true" } : {},
      ...isPart ? { "openaccounts-part": "true" } : {}
    }
  })
