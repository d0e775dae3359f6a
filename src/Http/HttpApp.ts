import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { CurrentCallId } from "../Domain/CurrentCallId.ts"
import { CallId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"
import { withErrorBody } from "./ErrorBody.ts"

/** Gives every request its `call_id`, first of all, and every answer the header that tells it. */
export const withCallId = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.flatMap(newId("call"), (id) =>
    app.pipe(
      withErrorBody,
      Effect.map(HttpServerResponse.setHeader("x-call-id", id)),
      Effect.provideService(CurrentCallId, CallId.make(id))
    ))
