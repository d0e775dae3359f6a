import { Context, Effect, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { overMemberShare } from "../../Capacity/Capacity.ts"
import type { Change } from "../../Domain/Calls/Change.ts"
import { showChanges } from "../../Domain/Calls/ShowChanges.ts"
import type { ApprovalId, MemberId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import { reEncryptById } from "../../Secrets/ReEncryptRows.ts"
import type { StoredSecrets } from "../../Secrets/StoredSecrets.ts"
import { Encrypted, Vault } from "../../Secrets/Vault.ts"
import { lockOfMember } from "../../Sql/AdvisoryLock.ts"
import { countOf, rowsOf } from "../../Sql/Rows.ts"
import {
  type ApprovalContent,
  type ApprovalRow,
  Asked,
  Changes,
  hashChanges,
  Head,
  type StoredApproval,
  WriteResult
} from "./StoredApproval.ts"

/** Pending approvals of one key or grant. */
const maxPending = 100

/** The most bytes of all approvals of one member, as stored. */
export const ApprovalRoom = Context.Reference("openaccounts/Features/Approvals/ApprovalRoom", {
  defaultValue: () => 67_108_864
})

const retryAfterSeconds = 60

type Part = "asked" | "changes" | "answer"

interface SealedPart extends Encrypted {
  readonly id: string
  readonly part: Part
}

export const approvalSecrets: StoredSecrets = {
  cursor: "apr_",
  lost: "other_data",
  reEncryption: reEncryptById({ table: "approvals", bytes: "content" })
}

export const approvalPartSecrets: StoredSecrets = {
  cursor: "apc_",
  lost: "other_data",
  reEncryption: reEncryptById({ table: "approval_parts", bytes: "bytes" })
}

/** What approvals store encrypted: a head, which lists show, and parts that may be large, each in a row of its own. */
export const makeApprovalContents = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const vault = yield* Vault
  const maxBytes = yield* ApprovalRoom

  const open = Effect.fnUntraced(function* open(row: ApprovalRow) {
    const { bytes: _, encryptionKeyId: __, ...fields } = row
    const head = yield* decodeHead(Redacted.value(yield* vault.decrypt(row.id, row)))
    const approval: StoredApproval = { ...fields, ...head }
    return approval
  })

  const sealPart = Effect.fnUntraced(function* sealPart(part: Part, value: object) {
    const id = yield* newId("apc")
    const sealed: SealedPart = { id, part, ...vault.encrypt(id, Redacted.make(JSON.stringify(value))) }
    return sealed
  })

  /** `None` if the part was deleted to make room. */
  const read = Effect.fnUntraced(function*<A, I>(
    approvalId: ApprovalId,
    part: Part,
    schema: Schema.Codec<A, I>
  ): Effect.fn.Return<Option.Option<A>> {
    const row = yield* rows.first(sql`
      SELECT id, bytes, encryption_key_id AS "encryptionKeyId" FROM approval_parts
      WHERE approval_id = ${approvalId} AND part = ${part}`)
    if (Option.isNone(row)) return Option.none<A>()
    const text = yield* Effect.orDie(vault.decrypt(row.value.id, row.value))
    return Option.some(yield* Effect.orDie(Schema.decodeEffect(Schema.fromJsonString(schema))(Redacted.value(text))))
  })

  const asked = ({ call, id }: StoredApproval): Effect.Effect<Option.Option<Asked>> =>
    call === undefined ? read(id, "asked", Asked) : Effect.succeedSome({ call })

  const result = ({ answer, id }: StoredApproval): Effect.Effect<Option.Option<WriteResult>> =>
    answer === undefined || answer === null ? read(id, "answer", WriteResult) : Effect.succeedSome(answer)

  return {
    open,
    asked,
    result,

    content: Effect.fnUntraced(
      function* content(approval: StoredApproval): Effect.fn.Return<Option.Option<ApprovalContent>> {
        const found = yield* asked(approval)
        const changes = approval.changes === undefined
          ? yield* read(approval.id, "changes", Changes)
          : Option.some(approval.changes)
        if (Option.isNone(found) || Option.isNone(changes)) return Option.none()
        const response = Option.getOrNull(yield* result(approval))
        return Option.some({ ...found.value, changes: changes.value, answer: response })
      }
    ),

    sealPart,

    /** The head and the part that show the changes of an approval. */
    sealChanges: Effect.fnUntraced(function* sealChanges(
      id: ApprovalId,
      about: Omit<Head, "notShown" | "truncated" | "changesHash">,
      all: ReadonlyArray<Change>
    ) {
      const { changes, not_shown, truncated = false } = showChanges(all)
      const { changes: _, ...rest } = about
      const head: Head = { ...rest, notShown: not_shown, truncated, changesHash: hashChanges(all) }
      return {
        head,
        sealedHead: vault.encrypt(id, Redacted.make(encodeHead(head))),
        part: yield* sealPart("changes", changes)
      }
    }),

    /** Inserts a part, or replaces it. */
    put: (approvalId: ApprovalId, { bytes, encryptionKeyId, id, part }: SealedPart) =>
      Effect.orDie(sql`
        INSERT INTO approval_parts (id, approval_id, part, bytes, encryption_key_id)
        VALUES (${id}, ${approvalId}, ${part}, ${bytes}, ${encryptionKeyId})
        ON CONFLICT (approval_id, part) DO UPDATE
        SET id = excluded.id, bytes = excluded.bytes, encryption_key_id = excluded.encryption_key_id`),

    /**
     * Fails if the key or grant, or its member, has no room. Deletes decided approvals to make room, the oldest first,
     * unless a caller waits for their result. Runs in the transaction that inserts the approval of these parts.
     */
    makeRoom: Effect.fnUntraced(function* makeRoom(
      { decidedAfter, holder, memberId, now }: {
        readonly memberId: MemberId
        readonly holder: string | null
        readonly now: Date
        /** Results of earlier decisions are no longer waited for. */
        readonly decidedAfter: Date
      },
      sealed: ReadonlyArray<SealedPart>
    ) {
      const room = maxBytes - sealed.reduce((sum, { bytes }) => sum + bytes.length, 0)
      yield* Effect.orDie(lockOfMember(sql, "approvals", memberId))
      const waiting = yield* countOf(sql`
        SELECT count(*)::int FROM approvals
        WHERE member_id = ${memberId} AND holder_id = ${holder} AND status = 'pending' AND expires_at > ${now}`)
      if (waiting > maxPending) {
        return yield* full(`${maxPending} writes of this key or agent wait for approval already.`)
      }
      yield* Effect.orDie(sql`
        WITH stored AS (
          SELECT parts.id, octet_length(bytes) AS bytes, approvals.id AS approval,
            status = 'approved' OR status = 'pending' AND expires_at > ${now}
              OR status = 'done' AND answered_at IS NULL AND decided_at > ${decidedAfter} AS needed
          FROM approvals JOIN approval_parts AS parts ON parts.approval_id = approvals.id
          WHERE member_id = ${memberId}
        ), newest AS (
          SELECT id, needed, sum(bytes) OVER (ORDER BY needed DESC, approval DESC, id) AS total FROM stored
        )
        DELETE FROM approval_parts WHERE id IN (SELECT id FROM newest WHERE NOT needed AND total > ${room})`)
      const stored = yield* countOf(sql`
        SELECT coalesce(sum(octet_length(bytes)), 0)::float8 FROM approvals JOIN approval_parts ON approval_id = approvals.id WHERE member_id = ${memberId}`)
      if (stored > room) {
        return yield* full("The writes of the member that wait for approval would take more than 64 MB.")
      }
    })
  }
})

const full = (message: string) =>
  overMemberShare(`${message} Decide on some of them, or let them expire.`, retryAfterSeconds)

const headJson = Schema.fromJsonString(Head)
const encodeHead = Schema.encodeSync(headJson)
const decodeHead = Schema.decodeEffect(headJson)

const rows = rowsOf(Schema.Struct({ ...Encrypted.fields, id: Schema.String }))
