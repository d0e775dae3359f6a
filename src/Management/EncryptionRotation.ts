import { Context, Effect, Layer } from "effect"
import { AnswerReEncryption } from "../Calls/AnswerReEncryption.ts"
import { ReEncryption } from "../Connections/ReEncryption.ts"
import { Vault } from "../Connections/Vault.ts"
import type { PageRequest } from "../Domain/Page.ts"
import type { RotatedBatch } from "../Domain/ReEncryption.ts"

export class EncryptionRotation extends Context.Service<EncryptionRotation, {
  readonly rotate: (page: PageRequest) => Effect.Effect<RotatedBatch>
}>()("openaccounts/Management/EncryptionRotation") {
  static readonly layer = Layer.effect(
    EncryptionRotation,
    Effect.gen(function*() {
      const credentials = yield* ReEncryption
      const answers = yield* AnswerReEncryption
      const { keyId } = yield* Vault

      return EncryptionRotation.of({
        rotate: Effect.fn("EncryptionRotation.rotate")(function*({ cursor, limit }) {
          const page = limit === undefined ? {} : { limit }
          if (cursor?.startsWith("call_")) {
            const batch = yield* answers.rotate({ ...page, cursor })
            return { ...batch, key_id: keyId, remaining: batch.remaining + (yield* credentials.remaining) }
          }
          const first = yield* credentials.rotate(cursor === undefined ? page : { ...page, cursor })
          if (first.cursor !== null) return { ...first, remaining: first.remaining + (yield* answers.remaining) }
          const second = yield* answers.rotate(page)
          return {
            key_id: keyId,
            rotated: first.rotated + second.rotated,
            remaining: first.remaining + second.remaining,
            failed: [...first.failed, ...second.failed],
            cursor: second.cursor
          }
        })
      })
    })
  )
}
