import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { RevocationsApi } from "./Contract.ts"
import { Revocations } from "./Revocations.ts"

export const RevocationsHandlers = HttpApiBuilder.group(
  RevocationsApi,
  "revocations",
  Effect.fn(function*(handlers) {
    const revocations = yield* Revocations

    return handlers
      .handle("start", ({ payload }) => revocations.start(payload))
      .handle("get", ({ params }) => revocations.find(params.id))
  })
)
