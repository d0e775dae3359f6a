import { Effect } from "effect"
import { HttpServerResponse } from "effect/unstable/http"
import { HttpApiBuilder } from "effect/unstable/httpapi"
import { Api } from "../Api/Api.ts"
import { CurrentCallId } from "../Api/ApiError.ts"
import { Calls } from "../Calls/Calls.ts"
import { bearerToken } from "./Authentication.ts"
import { maxRequestBytes, readBody } from "./RequestBody.ts"

export const CallHandlers = HttpApiBuilder.group(
  Api,
  "call",
  Effect.fn(function*(handlers) {
    const calls = yield* Calls
    const limit = yield* maxRequestBytes

    // Raw: the pipeline checks the key before it reads the body, and its answer is JSON text already.
    return handlers.handleRaw("call", ({ request }) =>
      Effect.flatMap(CurrentCallId, (id) =>
        Effect.map(
          calls.call({ id, key: bearerToken(request.headers), body: readBody(request, limit) }),
          (text) => HttpServerResponse.text(text, { contentType: "application/json" })
        )))
  })
)
