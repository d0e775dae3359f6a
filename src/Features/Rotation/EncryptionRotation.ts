import { Context, Effect, Layer } from "effect"
import { Cache } from "../../Calls/Cache/Cache.ts"
import type { PageRequest } from "../../Domain/Page.ts"
import type { ReEncryptedPage } from "../../Domain/ReEncryption.ts"
import { EncryptedData } from "../../Secrets/EncryptedData.ts"
import { Vault } from "../../Secrets/Vault.ts"
import type { EncryptionKeys, RotatedBatch } from "./Contract.ts"

/** Re-encrypts what each service stores encrypted, one after the other. */
export class EncryptionRotation extends Context.Service<EncryptionRotation, {
  readonly read: Effect.Effect<EncryptionKeys>
  readonly rotate: (page: PageRequest) => Effect.Effect<RotatedBatch>
}>()("openaccounts/Features/Rotation/EncryptionRotation") {
  static readonly layer = Layer.effect(
    EncryptionRotation,
    Effect.gen(function*() {
      const { keyId, keyIds } = yield* Vault
      const cache = yield* Cache
      const owners = yield* EncryptedData

      const counts = Effect.map(
        Effect.forEach(owners, ({ lost, remaining }) =>
          Effect.map(
            remaining,
            (byKey) => [...byKey].map(([key, count]) => ({ key, count, isConnections: lost === "connections" }))
          )),
        (counts) => counts.flat().filter(({ count }) => count > 0)
      )
      const remaining = Effect.map(counts, (counts) => counts.reduce((sum, { count }) => sum + count, 0))

      const read = Effect.map(counts, (counts): EncryptionKeys => {
        const ids = new Set([...keyIds, ...counts.map(({ key }) => key)])
        const countOf = (id: string, ofConnections: boolean) =>
          counts.filter(({ isConnections, key }) => key === id && isConnections === ofConnections)
            .reduce((sum, { count }) => sum + count, 0)
        return {
          key_id: keyId,
          others: [...ids].filter((id) => id !== keyId).toSorted().map((id) => ({
            key_id: id === "" ? null : id,
            configured: id === "" || keyIds.has(id),
            connections: countOf(id, true),
            other_data: countOf(id, false)
          }))
        }
      })

      return EncryptionRotation.of({
        read,

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
