import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/unstable/httpapi"
import { Api } from "../Api/Api.ts"
import { CurrentPrincipal } from "../Api/Authentication.ts"
import { CallNotFound } from "../Api/Errors.ts"
import { CallLog } from "../Calls/CallLog.ts"

export const LogsHandlers = HttpApiBuilder.group(
  Api,
  "logs",
  Effect.fn(function*(handlers) {
    const callLog = yield* CallLog

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function*() {
          const { cursor, items } = yield* callLog.list(yield* CurrentPrincipal, query, query)
          return { calls: items, cursor }
        }),
      get: ({ params }) =>
        Effect.gen(function*() {
          const call = yield* callLog.find(yield* CurrentPrincipal, params.call_id)
          return Option.isSome(call) ? call.value : yield* new CallNotFound()
        })
    })
  })
)
