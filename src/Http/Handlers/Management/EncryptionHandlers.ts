import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../../Api/CoreApi.ts"
import { EncryptionRotation } from "../../../Management/EncryptionRotation.ts"

export const EncryptionHandlers = HttpApiBuilder.group(
  CoreApi,
  "encryption",
  Effect.fn(function*(handlers) {
    const rotation = yield* EncryptionRotation

    return handlers.handle("rotate", ({ query }) => rotation.rotate(query))
  })
)
