import { Context, Effect, Layer } from "effect"
import { Cache } from "../../Calls/Cache/Cache.ts"
import type { PageRequest } from "../../Domain/Page.ts"
import type { ReEncryptedPage } from "../../Domain/ReEncryption.ts"
import { EncryptedData } from "../../Secrets/EncryptedData.ts"
import { Vault } from "../../Secrets/Vault.ts"
import type { RotatedBatch } from "./Contract.ts"

/** Re-encrypts what each service stores encrypted, one after the other. */
export class EncryptionRotation extends Context.Service<EncryptionRotation, {
  readonly rotate: (page: PageRequest) => Effect.Effect<RotatedBatch>
}>()("openaccounts/Features/Rotation/EncryptionRotation") {
  static readonly layer = Layer.effect(
    EncryptionRotation,
    Effect.gen(function*() {
      const { keyId } = yield* Vault
      const cache = yield* Cache
      const owners = yield* EncryptedData

      const remaining = Effect.map(
        Effect.forEach(owners, (owner) => owner.remaining),
        (counts) => counts.flatMap((byKey) => [...byKey.values()]).reduce((sum, count) => sum + count, 0)
      )

      return EncryptionRotation.of({
        rotate: Effect.fn("EncryptionRotation.rotate")(function*({ cursor, limit }) {
          const page = limit === undefined ? {} : { limit }
          const isLeftAt = ({ cursor: prefix }: typeof owners[number]) =>
            prefix !== null && cursor?.startsWith(prefix) === true
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
}
