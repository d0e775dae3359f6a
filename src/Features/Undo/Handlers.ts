import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { makeCallHandler } from "../../Http/Handlers/CallHandlers.ts"
import { UndoApi } from "./Contract.ts"
import { undoBody } from "./Undo.ts"

export const UndoHandlers = HttpApiBuilder.group(
  UndoApi,
  "undo",
  Effect.fn(function*(handlers) {
    const call = yield* makeCallHandler

    return handlers.handleRaw(
      "undo",
      ({ params: { call_id }, query, request }) =>
        call(request, {
          origin: { undo: { callId: call_id, isPreview: query.dry_run === true } },
          body: () => Effect.succeed(undoBody(call_id))
        }),
      { uninterruptible: true }
    )
  })
)
