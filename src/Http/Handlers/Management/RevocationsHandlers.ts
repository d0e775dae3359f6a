import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../../Api/CoreApi.ts"
import { Revocations } from "../../../Management/Revocations/Revocations.ts"

export const RevocationsHandlers = HttpApiBuilder.group(
  CoreApi,
  "revocations",
  Effect.fn(function*(handlers) {
    const revocations = yield* Revocations

    return handlers
      .handle("start", ({ payload }) => revocations.start(payload))
      .handle("get", ({ params }) => revocations.find(params.id))
  })
)
