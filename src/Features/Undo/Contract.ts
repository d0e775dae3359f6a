import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as OpenApi from "effect/http-api/OpenApi"
import { CallResponse } from "../../Api/Calls/CallApi.ts"
import { callErrors } from "../../Api/Errors.ts"
import { group, served } from "../../Api/Group.ts"
import { shownFields } from "../../Domain/Calls/Change.ts"
import { UnkeptReason } from "../../Domain/Calls/UndoReason.ts"
import { CallId } from "../../Domain/Ids.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"

export const UndoResponse = Schema.Struct({
  ...CallResponse.fields,
  data: Schema.Union([
    Schema.Struct({ undone: CallId, ...shownFields }),
    Schema.Struct({
      dry_run: Schema.Literal(true),
      ...shownFields,
      undoable: Schema.Boolean,
      undoable_reason: Schema.optionalKey(UnkeptReason)
    })
  ])
}).annotate({ identifier: "UndoResponse" })

export class UndoGroup extends group("undo", { title: "Undo", listener: "both" })
  .add(
    HttpApiEndpoint.post("undo", "/:call_id/undo", {
      params: { call_id: Lookup },
      query: {
        dry_run: Schema.Boolean.annotate({ description: "Shows what comes back, and writes nothing.", default: false })
          .pipe(Schema.optionalKey)
      },
      success: UndoResponse,
      error: callErrors.map(({ schema }) => schema)
    }).annotateMerge(OpenApi.annotations({
      identifier: "undo",
      summary: "Undo a call that wrote cells or texts",
      description: "Writes back what the call has changed, as a call of its own, if it is still as the call left it. " +
        "Otherwise 409 `undo_conflict` has what the call left and what is there now, with `dry_run` too.",
      // The pipeline checks the key, so no middleware documents it.
      override: { security: [{ apiKey: [] }, { session: [] }] }
    }))
  )
  .prefix("/v1/calls")
{}

export class UndoApi extends served([UndoGroup]) {}
