import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../../Api/Api.ts"
import { Revocations } from "../../../Management/Revocations/Revocations.ts"

export const RevocationsHandlers = HttpApiBuilder.group(
  Api,
  "revocations",
  Effect.fn(function*(handlers) {
    const revocations = yield* Revocations

    return handlers
      .handle("start", ({ payload }) => revocations.start(payload))
      .handle("get", ({ params }) => revocations.find(params.id))
  })
)
