import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { asCaller } from "../../Api/Authentication.ts"
import { BulkCalls } from "./BulkCalls.ts"
import { BulkCallsApi } from "./Contract.ts"

export const BulkCallsHandlers = HttpApiBuilder.group(
  BulkCallsApi,
  "bulkCalls",
  Effect.fn(function*(handlers) {
    const bulkCalls = yield* BulkCalls

    return handlers
      .handle("start", ({ payload }) => asCaller((principal) => bulkCalls.start(principal, payload)))
      .handle("list", ({ query }) => asCaller((principal) => bulkCalls.list(principal, query)))
      .handle(
        "get",
        ({ params, query: { wait = 0 } }) => asCaller((principal) => bulkCalls.get(principal, params.id, wait))
      )
      .handleRaw(
        "events",
        ({ params }) =>
          Effect.map(asCaller((principal) => bulkCalls.progress(principal, params.id)), (progress) => {
            const events = Stream.map(progress, (summary) => `data: ${JSON.stringify(summary)}\n\n`)
            const headers = { "cache-control": "no-store" }
            return HttpServerResponse.stream(Stream.encodeText(events), { contentType: "text/event-stream", headers })
          })
      )
      .handle("cancel", ({ params }) => asCaller((principal) => bulkCalls.cancel(principal, params.id)))
  })
)
