import { Link } from "wouter"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { Id } from "../../../Dashboard/Parts/Id.tsx"
import { counted } from "../../../Dashboard/Parts/Numbers.ts"
import { Table } from "../../../Dashboard/Parts/Table.tsx"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useConnections } from "../../../Dashboard/Service/Lists.ts"
import { useServiceQuery } from "../../../Dashboard/Service/Queries.ts"
import { needsCare, notRevokedToo, type RevokedLine } from "../Revocation.ts"

interface ProgressProps {
  readonly id: string
  readonly onRevoke: (connectionIds: ReadonlyArray<string>) => void
}

/** What became of each connection. */
export const RevocationProgress = ({ id, onRevoke }: ProgressProps) => {
  const { data, error } = useServiceQuery(
    ["revocations", id],
    ({ revocations }) => revocations.get({ params: { id } }),
    { live: true }
  )
  const labelOf = useById(useConnections().data)
  if (data === undefined) return error && <ErrorNotice error={error} isRead />
  const { connections, counts } = data
  const careCount = connections.filter(needsCare).length
  const left = notRevokedToo(connections)
  return (
    <section className="stack" aria-label="Progress">
      <div className={careCount > 0 ? "notice attention" : "notice"} role="status">
        <strong>
          {data.status === "done"
            ? "Done."
            : `${(counts.connections - counts.pending).toLocaleString()} of ${counts.connections.toLocaleString()}`}
        </strong>
        <span>
          {counts.revoked.toLocaleString()} revoked, {counts.verified.toLocaleString()} proven dead,{" "}
          {counts.failed.toLocaleString()} failed, {counts.unsupported.toLocaleString()} unsupported,{" "}
          {careCount.toLocaleString()} need care
          {data.keys_revoked !== null && `, ${counted(data.keys_revoked, "key")} revoked`}
        </span>
      </div>
      {left.length > 0 && (
        <div className="notice attention">
          <span>Tokens of these live on in other connections.</span>
          <button type="button" className="danger" onClick={() => onRevoke(left)}>
            Revoke those {left.length.toLocaleString()} too
          </button>
        </div>
      )}
      <Table
        label="Connections"
        columns={[
          {
            title: "Connection",
            cell: ({ id }: RevokedLine) => <Link href={`/connections/${id}`}>{labelOf(id)?.label ?? id}</Link>
          },
          { title: "At the provider", cell: ({ at_provider }) => at_provider ?? "not asked" },
          {
            title: "Old token",
            cell: ({ verified }) => verified === null ? "not tried" : verified ? "refused" : "accepted"
          },
          {
            title: "Same token",
            cell: ({ token_shared_with }) =>
              token_shared_with.length === 0 ? "no other" : token_shared_with.map((id) => <Id key={id} id={id} />)
          },
          { title: "Error", cell: ({ error }) => error?.message ?? "none" }
        ]}
        rows={connections}
        rowKey={({ id }) => id}
        empty="No connection was active."
      />
    </section>
  )
}
