import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentPrincipal } from "../../Api/Authentication.ts"
import { BulkCalls } from "./BulkCalls.ts"
import { BulkCallsApi } from "./Contract.ts"

export const BulkCallsHandlers = HttpApiBuilder.group(
  BulkCallsApi,
  "bulkCalls",
  Effect.fn(function*(handlers) {
    const bulkCalls = yield* BulkCalls

    return handlers
      .handle(
        "start",
        ({ payload }) => Effect.flatMap(CurrentPrincipal, (principal) => bulkCalls.start(principal, payload))
      )
      .handle("list", ({ query }) => Effect.flatMap(CurrentPrincipal, (principal) => bulkCalls.list(principal, query)))
      .handle(
        "get",
        ({ params, query: { wait = 0 } }) =>
          Effect.flatMap(CurrentPrincipal, (principal) => bulkCalls.get(principal, params.id, wait))
      )
      .handleRaw(
        "events",
        ({ params }) =>
          Effect.flatMap(
            CurrentPrincipal,
            (principal) =>
              Effect.map(bulkCalls.progress(principal, params.id), (progress) =>
                HttpServerResponse.stream(
                  progress.pipe(
                    Stream.map((summary) => `data: ${JSON.stringify(summary)}\n\n`),
                    Stream.encodeText
                  ),
                  { contentType: "text/event-stream", headers: { "cache-control": "no-store" } }
                ))
          )
      )
      .handle(
        "cancel",
        ({ params }) => Effect.flatMap(CurrentPrincipal, (principal) => bulkCalls.cancel(principal, params.id))
      )
  })
)
