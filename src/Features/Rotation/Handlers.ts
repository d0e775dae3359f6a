import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { EncryptionApi } from "./Contract.ts"
import { EncryptionRotation } from "./EncryptionRotation.ts"

export const EncryptionHandlers = HttpApiBuilder.group(
  EncryptionApi,
  "encryption",
  Effect.fn(function*(handlers) {
    const rotation = yield* EncryptionRotation

    return handlers.handleAll({
      read: () => rotation.read,
      rotate: ({ query }) => rotation.rotate(query)
    })
  })
)
