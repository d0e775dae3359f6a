import { Context, Effect, Layer } from "effect"
import { AnswerReEncryption } from "../Calls/AnswerReEncryption.ts"
import { ReEncryption } from "../Connections/ReEncryption.ts"
import { Vault } from "../Connections/Vault.ts"
import type { PageRequest } from "../Domain/Page.ts"
import type { RotatedBatch } from "../Domain/ReEncryption.ts"
import { WebhookReEncryption } from "../Webhooks/WebhookReEncryption.ts"

export class EncryptionRotation extends Context.Service<EncryptionRotation, {
  readonly rotate: (page: PageRequest) => Effect.Effect<RotatedBatch>
}>()("openaccounts/Management/EncryptionRotation") {
  static readonly layer = Layer.effect(
    EncryptionRotation,
    Effect.gen(function*() {
      const { keyId } = yield* Vault
      const stages = [
        { cursor: /^con_/u, ...yield* ReEncryption },
        { cursor: /^call_/u, ...yield* AnswerReEncryption },
        { cursor: /^(?:whk|evt)_/u, ...yield* WebhookReEncryption }
      ]

      return EncryptionRotation.of({
        rotate: Effect.fn("EncryptionRotation.rotate")(function*({ cursor, limit }) {
          const page = limit === undefined ? {} : { limit }
          const start = cursor === undefined ? 0 : Math.max(0, stages.findIndex((stage) => stage.cursor.test(cursor)))
          const batches: Array<Pick<RotatedBatch, "rotated" | "failed" | "cursor">> = []
          for (const [index, stage] of stages.slice(start).entries()) {
            const batch = yield* stage.rotate(index === 0 && cursor !== undefined ? { ...page, cursor } : page)
            batches.push(batch)
            if (batch.cursor !== null) break
          }
          return {
            key_id: keyId,
            rotated: batches.reduce((sum, { rotated }) => sum + rotated, 0),
            remaining: (yield* Effect.forEach(stages, ({ remaining }) => remaining)).reduce((sum, each) => sum + each),
            failed: batches.flatMap(({ failed }) => failed),
            cursor: batches.at(-1)?.cursor ?? null
          }
        })
      })
    })
  )
}
