import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../Api/CoreApi.ts"
import { makeCallHandler } from "../../Http/Handlers/CallHandlers.ts"
import { undoBody, UndoCalls } from "./UndoCalls.ts"

export const UndoHandlers = HttpApiBuilder.group(
  CoreApi,
  "undo",
  Effect.fn(function*(handlers) {
    const call = yield* makeCallHandler
    const undoCalls = yield* UndoCalls

    return handlers.handleRaw(
      "undo",
      ({ params: { call_id }, query, request }) =>
        call(request, {
          origin: undoCalls.origin(call_id, query.dry_run),
          body: () => Effect.succeed(undoBody(call_id))
        }),
      { uninterruptible: true }
    )
  })
)
