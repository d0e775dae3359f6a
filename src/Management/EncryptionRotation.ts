import { Context, Effect, Layer } from "effect"
import { Approvals } from "../Calls/Approvals/Approvals.ts"
import { Cache } from "../Calls/Cache/Cache.ts"
import { Idempotency } from "../Calls/Idempotency/Idempotency.ts"
import { KeptResults } from "../Calls/Results/Kept/KeptResults.ts"
import { LogBodies, plainCursor } from "../Calls/Storage/LogBodies.ts"
import { UndoRecords } from "../Calls/Undo/UndoRecords.ts"
import { ConnectFlow } from "../Connections/Connect/ConnectFlow.ts"
import { PendingConnections } from "../Connections/Connect/PendingConnections.ts"
import { ConnectionRepo } from "../Connections/ConnectionRepo.ts"
import type { PageRequest } from "../Domain/Page.ts"
import type { ReEncryptedPage, RotatedBatch } from "../Domain/ReEncryption.ts"
import { Vault } from "../Secrets/Vault.ts"
import { DeliveryQueue } from "../Webhooks/DeliveryQueue.ts"
import { Webhooks } from "../Webhooks/Webhooks.ts"
import { RevocationQueue } from "./Revocations/RevocationQueue.ts"

/** Asks every service that stores encrypted data, one after the other. */
export class EncryptionRotation extends Context.Service<EncryptionRotation, {
  readonly rotate: (page: PageRequest) => Effect.Effect<RotatedBatch>
}>()("openaccounts/Management/EncryptionRotation") {
  static readonly layerNoDeps = Layer.effect(
    EncryptionRotation,
    Effect.gen(function*() {
      const { keyId } = yield* Vault
      const cache = yield* Cache
      const owners = [
        { cursor: undefined, ...(yield* ConnectFlow).reEncryption },
        { cursor: "pen_", ...(yield* PendingConnections).reEncryption },
        { cursor: "con_", ...(yield* ConnectionRepo).reEncryption },
        { cursor: "call_", ...(yield* Idempotency).reEncryption },
        { cursor: "chk_", ...(yield* KeptResults).reEncryption },
        { cursor: "whk_", ...(yield* Webhooks).reEncryption },
        { cursor: "evt_", ...(yield* DeliveryQueue).reEncryption },
        { cursor: "und_", ...(yield* UndoRecords).reEncryption },
        { cursor: "apr_", ...(yield* Approvals).reEncryption },
        { cursor: "apc_", ...(yield* Approvals).partsReEncryption },
        { cursor: "rvc_", ...(yield* RevocationQueue).reEncryption },
        { cursor: "lgk_", ...(yield* LogBodies).keysReEncryption },
        { cursor: plainCursor, ...(yield* LogBodies).plainReEncryption }
      ]

      const remaining = Effect.map(
        Effect.forEach(owners, (owner) => owner.remaining),
        (counts) => counts.flatMap((byKey) => [...byKey.values()]).reduce((sum, count) => sum + count, 0)
      )

      return EncryptionRotation.of({
        rotate: Effect.fn("EncryptionRotation.rotate")(function*({ cursor, limit }) {
          const page = limit === undefined ? {} : { limit }
          const isLeftAt = ({ cursor: prefix }: typeof owners[number]) =>
            prefix !== undefined && cursor?.startsWith(prefix) === true
          const start = Math.max(0, owners.findIndex(isLeftAt))
          const pages: Array<ReEncryptedPage> = []
          if (cursor === undefined) yield* cache.dropOutdated
          for (const owner of owners.slice(start)) {
            const done = yield* owner.reEncrypt(isLeftAt(owner) && cursor !== undefined ? { ...page, cursor } : page)
            pages.push(done)
            if (done.cursor !== null) break
          }
          return {
            key_id: keyId,
            rotated: pages.reduce((sum, { rotated }) => sum + rotated, 0),
            remaining: yield* remaining,
            failed: pages.flatMap(({ failed }) => failed),
            cursor: pages.at(-1)?.cursor ?? null
          }
        })
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      Approvals.layer,
      ConnectFlow.layer,
      DeliveryQueue.layer,
      Idempotency.layer,
      KeptResults.layer,
      LogBodies.layer,
      UndoRecords.layer,
      RevocationQueue.layer,
      PendingConnections.layer,
      Webhooks.layer
    ])
  )
}
