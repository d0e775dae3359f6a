import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../Api/Api.ts"
import { ReEncryption } from "../../Connections/ReEncryption.ts"

export const EncryptionHandlers = HttpApiBuilder.group(
  Api,
  "encryption",
  Effect.fn(function*(handlers) {
    const reEncryption = yield* ReEncryption

    return handlers.handle("rotate", ({ query }) => reEncryption.rotate(query))
  })
)
