import { useState } from "react"
import { Confirm } from "../../../Dashboard/Parts/Confirm.tsx"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { SelectFilter } from "../../../Dashboard/Parts/Filters.tsx"
import { Id } from "../../../Dashboard/Parts/Id.tsx"
import { Table } from "../../../Dashboard/Parts/Table.tsx"
import { useUrlState } from "../../../Dashboard/Parts/UrlState.ts"
import { useClients, useProviders } from "../../../Dashboard/Service/Lists.ts"
import { useServiceMutation, useServiceQuery } from "../../../Dashboard/Service/Queries.ts"
import { needsCare, type NewRevocation, notRevokedToo, type RevokedLine } from "../Revocation.ts"

/** The selection is `provider:<id>`, `client:<id>`, or empty for all. */
const selectorOf = (selection: string): NewRevocation => {
  const [kind, id = ""] = selection.split(":")
  return kind === "provider" ? { provider: id } : kind === "client" ? { client_id: id } : { all: true }
}

export const RevokeMany = () => {
  const [selection, setSelection] = useState("")
  const [keys, setKeys] = useState(false)
  const [withShared, setWithShared] = useState(false)
  const [asks, setAsks] = useState(false)
  const [left, setLeft] = useState<ReadonlyArray<string>>([])
  const [shown, setShown] = useUrlState("revocation")
  const providers = useProviders().data ?? []
  const clients = useClients().data ?? []
  const options = [
    ...providers.map(({ id, name }) => ({ value: `provider:${id}`, name, title: `Those of ${name}` })),
    ...clients.map(({ id, name }) => ({ value: `client:${id}`, name, title: `Those of the client ${name}` }))
  ]
  const start = useServiceMutation(
    ({ revocations }, payload: NewRevocation) => revocations.start({ payload }),
    ["connections", "keys", "connect_links", "audit"]
  )
  const what = options.find(({ value }) => value === selection)?.name ?? "All connections"
  const hasKeys = keys && !selection.startsWith("provider:")
  return (
    <div className="stack">
      <p className="muted">
        After a breach, revoke many connections at once. Calls stop at once. Then each token is revoked at its provider
        and tried, and the provider must refuse it.
      </p>
      <div className="filters">
        <SelectFilter
          label="Connections"
          all="All connections"
          options={options}
          value={selection}
          onChange={setSelection}
        />
        {!selection.startsWith("provider:") && (
          <label className="row-of tick">
            <input type="checkbox" checked={keys} onChange={({ target }) => setKeys(target.checked)} />
            <span>{selection === "" ? "Also every API key" : "Also the API keys of members who see it alone"}</span>
          </label>
        )}
        {selection !== "" && (
          <label className="row-of tick">
            <input type="checkbox" checked={withShared} onChange={({ target }) => setWithShared(target.checked)} />
            <span>Also others that have the same token</span>
          </label>
        )}
        <button type="button" className="danger" onClick={() => setAsks(true)}>Revoke them</button>
      </div>
      {asks && (
        <Confirm
          title="Revoke these connections?"
          action="Revoke them"
          keep="Keep them"
          typed={what}
          busy={start.isPending}
          error={start.error}
          onClose={() => setAsks(false)}
          onConfirm={() =>
            start.mutate({ ...selectorOf(selection), keys: hasKeys, with_shared: withShared }, {
              onSuccess: ({ id }) => {
                setAsks(false)
                setShown(id)
              }
            })}
        >
          <p>
            Calls that use them fail until they are connected again.
            {hasKeys && " The API keys are revoked for good."}
          </p>
        </Confirm>
      )}
      {left.length > 0 && (
        <Confirm
          title="Revoke the connections with the same token?"
          action="Revoke them"
          keep="Keep them"
          busy={start.isPending}
          error={start.error}
          onClose={() => setLeft([])}
          onConfirm={() =>
            start.mutate({ connection_ids: left }, {
              onSuccess: ({ id }) => {
                setLeft([])
                setShown(id)
              }
            })}
        >
          <p>They can belong to other clients. Calls that use them fail until they are connected again.</p>
          {left.map((id) => <Id key={id} id={id} />)}
        </Confirm>
      )}
      {shown !== "" && (
        <Progress
          id={shown}
          onRevoke={setLeft}
        />
      )}
    </div>
  )
}

interface ProgressProps {
  readonly id: string
  readonly onRevoke: (connectionIds: ReadonlyArray<string>) => void
}

const Progress = ({ id, onRevoke }: ProgressProps) => {
  const { data, error } = useServiceQuery(
    ["revocations", id],
    ({ revocations }) => revocations.get({ params: { id } }),
    { live: true }
  )
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
          {data.keys_revoked !== null && `, ${data.keys_revoked.toLocaleString()} keys revoked`}
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
          { title: "Connection", cell: ({ id }: RevokedLine) => <Id id={id} /> },
          { title: "At the provider", cell: ({ at_provider }) => at_provider ?? "not asked" },
          {
            title: "Old token",
            cell: ({ verified }) => verified === null ? "not tried" : verified ? "refused" : "accepted"
          },
          {
            title: "Same token",
            cell: ({ token_shared_with }) => token_shared_with.map((id) => <Id key={id} id={id} />)
          },
          { title: "Error", cell: ({ error }) => error?.message }
        ]}
        rows={connections}
        rowKey={({ id }) => id}
        empty="No connection was active."
      />
    </section>
  )
}
