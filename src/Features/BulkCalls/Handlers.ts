import { Effect, Schema, Stream, Struct } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { asCaller } from "../../Api/Authentication.ts"
import { bodyReader } from "../../Http/Handlers/ReadBody.ts"
import { BulkCalls, issuesOfBulkCall } from "./BulkCalls.ts"
import { BulkCallsApi, NewBulkCall } from "./Contract.ts"

export const BulkCallsHandlers = HttpApiBuilder.group(
  BulkCallsApi,
  "bulkCalls",
  Effect.fn(function*(handlers) {
    const bulkCalls = yield* BulkCalls

    const readNew = bodyReader(NewBulkCall, NewBulkCall.mapFields(Struct.map(Schema.optionalKey)), issuesOfBulkCall)

    return handlers
      .handleRaw(
        "start",
        ({ request }) =>
          Effect.flatMap(readNew(request), (asked) => asCaller((principal) => bulkCalls.start(principal, asked)))
      )
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
