import { Effect } from "effect"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { Id } from "../../../Dashboard/Parts/Id.tsx"
import { number } from "../../../Dashboard/Parts/Numbers.ts"
import { Status } from "../../../Dashboard/Parts/Status.tsx"
import { type Column, Table } from "../../../Dashboard/Parts/Table.tsx"
import { useServiceMutation, useServiceQuery } from "../../../Dashboard/Service/Queries.ts"
import type { Service } from "../../../Dashboard/Service/Service.ts"
import { counted } from "../../../Domain/Calls/MissingWords.ts"
import { append } from "../../../Domain/Lists.ts"
import type { UndecryptedCredentials } from "../../../Domain/ReEncryption.ts"
import type { OtherKey, RotatedBatch } from "../Contract.ts"

const batchSize = 200

const rotateAll = ({ encryption }: Service) =>
  Effect.gen(function*() {
    const failed: Array<UndecryptedCredentials> = []
    let rotated = 0
    let cursor: string | null = null
    do {
      const batch: RotatedBatch = yield* encryption.rotate({
        query: { limit: batchSize, ...cursor !== null && { cursor } }
      })
      rotated += batch.rotated
      append(failed, batch.failed)
      cursor = batch.cursor
    } while (cursor !== null)
    return { rotated, failed }
  })

const sum = (keys: ReadonlyArray<OtherKey>, field: "connections" | "other_data") =>
  keys.reduce((all, key) => all + key[field], 0)

const isUsed = ({ connections, other_data }: OtherKey) => connections + other_data > 0

const stateOf = (key: OtherKey) =>
  key.key_id === null
    ? <Status state="attention">To be encrypted</Status>
    : !key.configured
    ? <Status state="error">The service does not have this key</Status>
    : isUsed(key)
    ? <Status state="attention">Still in use</Status>
    : <Status state="ok">Not in use. You can remove it</Status>

const columns: ReadonlyArray<Column<OtherKey>> = [
  { title: "Key", cell: ({ key_id }) => key_id === null ? "Not encrypted" : <code>{key_id}</code> },
  { title: "State", cell: stateOf },
  { title: "Connections", kind: "number", cell: ({ connections }) => number.format(connections) },
  { title: "Other entries", kind: "number", cell: ({ other_data }) => number.format(other_data) }
]

export const Encryption = () => {
  const { data, error, isRefetching } = useServiceQuery(["encryption"], ({ encryption }) => encryption.read())
  const rotate = useServiceMutation(rotateAll, ["encryption", "audit"])
  const open = data?.others.filter(({ configured }) => configured) ?? []
  const [connections, other] = [sum(open, "connections"), sum(open, "other_data")]
  return (
    <div className="stack">
      <p className="muted narrow">
        {data === undefined ? "The first key" : (
          <>
            The key <code>{data.key_id}</code>
          </>
        )} of <code>ENCRYPTION_KEYS</code>{" "}
        encrypts all that is stored from now on. What other keys encrypt can be re-encrypted with it. Calls continue
        meanwhile.
      </p>
      {data?.others.length === 0 && error && <ErrorNotice error={error} isRead />}
      {data?.others.length === 0
        ? <p>Everything is encrypted with this key. There is nothing to re-encrypt.</p>
        : (
          <Table
            label="Other keys"
            columns={columns}
            rows={data?.others}
            rowKey={({ key_id }) => key_id ?? ""}
            reloading={isRefetching}
            expected={1}
            error={error}
            empty={null}
          />
        )}
      {rotate.error && <ErrorNotice error={rotate.error} />}
      {rotate.data && <Rotated {...rotate.data} />}
      {(connections + other > 0 || rotate.isPending) && (
        <div className="row-of">
          <button type="button" className="primary" disabled={rotate.isPending} onClick={() => rotate.mutate()}>
            {rotate.isPending ? "Re-encrypting" : `Re-encrypt ${amount(connections, other)}`}
          </button>
        </div>
      )}
    </div>
  )
}

const amount = (connections: number, other: number): string =>
  [
    ...connections > 0 ? [counted(connections, "connection")] : [],
    ...other === 0
      ? []
      : [`${number.format(other)} ${connections > 0 ? "other " : ""}${other === 1 ? "entry" : "entries"}`]
  ].join(" and ")

const Rotated = ({ failed, rotated }: {
  readonly failed: ReadonlyArray<UndecryptedCredentials>
  readonly rotated: number
}) => (
  <div className={failed.length > 0 ? "notice attention" : "notice"} role="status">
    <strong>{number.format(rotated)} re-encrypted.</strong>
    {failed.length > 0 && (
      <span>
        {number.format(failed.length)} could not be opened. Put their keys back, or reconnect these connections.
      </span>
    )}
    {failed.map(({ connection_id, encryption_key_id, reason }, index) => (
      <span key={index} className="row-of">
        {connection_id !== null && <Id id={connection_id} />} <code>{encryption_key_id}</code> {reason}
      </span>
    ))}
  </div>
)
