import { Effect } from "effect"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { Id } from "../../../Dashboard/Parts/Id.tsx"
import { useServiceMutation } from "../../../Dashboard/Service/Queries.ts"
import type { Service } from "../../../Dashboard/Service/Service.ts"
import { append } from "../../../Domain/Lists.ts"
import type { UndecryptedCredentials } from "../../../Domain/ReEncryption.ts"
import type { RotatedBatch } from "../Contract.ts"

const batchSize = 200

const rotateAll = ({ encryption }: Service) =>
  Effect.gen(function*() {
    const failed: Array<UndecryptedCredentials> = []
    let rotated = 0
    let keyId = ""
    let cursor: string | null = null
    do {
      const batch: RotatedBatch = yield* encryption.rotate({
        query: { limit: batchSize, ...cursor !== null && { cursor } }
      })
      rotated += batch.rotated
      append(failed, batch.failed)
      keyId = batch.key_id
      cursor = batch.cursor
    } while (cursor !== null)
    return { rotated, failed, keyId }
  })

export const Encryption = () => {
  const rotate = useServiceMutation(rotateAll, ["audit"])
  return (
    <div className="stack narrow">
      <p className="muted">
        Credentials are encrypted with the first key of{" "}
        <code>ENCRYPTION_KEYS</code>. After you put a new key in front of the others, re-encrypt what is stored. Then
        you can remove the old keys. Calls continue meanwhile.
      </p>
      {rotate.error && <ErrorNotice error={rotate.error} />}
      {rotate.data && (
        <div className={rotate.data.failed.length > 0 ? "notice attention" : "notice"} role="status">
          <strong>
            {rotate.data.rotated === 0 && rotate.data.failed.length === 0
              ? "Everything is already encrypted with this key."
              : `${rotate.data.rotated.toLocaleString()} encrypted anew.`}
          </strong>
          <span>
            Key <code>{rotate.data.keyId}</code>
          </span>
          {rotate.data.failed.map(({ connection_id, encryption_key_id, reason }, index) => (
            <span key={index} className="row-of">
              {connection_id !== null && <Id id={connection_id} />} <code>{encryption_key_id}</code> {reason}
            </span>
          ))}
        </div>
      )}
      <div className="row-of">
        <button type="button" disabled={rotate.isPending} onClick={() => rotate.mutate()}>
          {rotate.isPending ? "Encrypting" : "Re-encrypt everything"}
        </button>
      </div>
    </div>
  )
}
