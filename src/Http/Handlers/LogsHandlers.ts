import { Effect, Option, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../Api/Api.ts"
import { CurrentPrincipal } from "../../Api/Authentication.ts"
import { CallNotFound } from "../../Api/Errors.ts"
import { CallLog } from "../../Calls/Log/CallLog.ts"
import { LoggedCall, type StoredCall } from "../../Domain/Call.ts"

export const LogsHandlers = HttpApiBuilder.group(
  Api,
  "logs",
  Effect.fn(function*(handlers) {
    const callLog = yield* CallLog

    return handlers
      .handle("list", ({ query }) =>
        Effect.gen(function*() {
          const { cursor, items } = yield* callLog.list(yield* CurrentPrincipal, query, query)
          return { calls: items, cursor }
        }))
      // Raw, because the stored bodies are JSON text.
      .handleRaw("get", ({ params }) =>
        Effect.gen(function*() {
          const call = yield* callLog.find(yield* CurrentPrincipal, params.call_id)
          if (Option.isNone(call)) return yield* new CallNotFound()
          return HttpServerResponse.text(toDetailJson(call.value), { contentType: "application/json" })
        }))
  })
)

const encode = Schema.encodeSync(Schema.toCodecJson(LoggedCall))

const toDetailJson = ({ request, response, ...call }: StoredCall): string =>
  `${JSON.stringify(encode(call)).slice(0, -1)},"request":${request?.text ?? "null"},"response":${
    response?.text ?? "null"
  }}`
