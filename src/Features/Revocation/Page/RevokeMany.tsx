import { useState } from "react"
import { Confirm } from "../../../Dashboard/Parts/Confirm.tsx"
import { Id } from "../../../Dashboard/Parts/Id.tsx"
import { SelectField } from "../../../Dashboard/Parts/Select.tsx"
import { useUrlState } from "../../../Dashboard/Parts/UrlState.ts"
import { useClientName } from "../../../Dashboard/Service/ClientName.ts"
import { useClients, useConnections, useKeys, useMembers, useProviders } from "../../../Dashboard/Service/Lists.ts"
import { useServiceMutation } from "../../../Dashboard/Service/Queries.ts"
import { counted } from "../../../Domain/Calls/MissingWords.ts"
import type { NewRevocation } from "../Revocation.ts"
import { affectedConnections, affectedKeys } from "./Affected.ts"
import { Names } from "./Names.tsx"
import { RevocationProgress } from "./RevocationProgress.tsx"

/** The selection is `provider:<id>`, `client:<id>`, or `all`. */
const selectorOf = (selection: string): NewRevocation => {
  const [kind, id = ""] = selection.split(":")
  return kind === "provider" ? { provider: id } : kind === "client" ? { client_id: id } : { all: true }
}

const useStart = () =>
  useServiceMutation(
    ({ revocations }, payload: NewRevocation) => revocations.start({ payload }),
    ["connections", "keys", "connect_links", "audit"]
  )

const useOptions = () => [
  { value: "all", name: "All connections", title: "All connections" },
  ...useClients().data?.map(({ id, name }) => ({
    value: `client:${id}`,
    name,
    title: `Those of the client ${name}`
  })) ??
    [],
  ...useProviders().data?.map(({ id, name }) => ({ value: `provider:${id}`, name, title: `Those of ${name}` })) ?? []
]

export const RevokeMany = () => {
  const [selection, setSelection] = useState("")
  const [left, setLeft] = useState<ReadonlyArray<string>>([])
  const [shown, setShown] = useUrlState("revocation")
  const options = useOptions()
  const start = useStart()
  return (
    <div className="stack">
      <p className="muted narrow">
        After a breach, revoke many connections at once. Calls stop immediately. Then each token is revoked at its
        provider and tried, and the provider must refuse it.
      </p>
      <div className="narrow">
        <SelectField
          label="Connections"
          emptyTitle="Choose what to revoke"
          help="Nothing happens yet. You see first what it would hit."
          options={options}
          value={selection}
          onChange={setSelection}
        />
      </div>
      {selection !== "" && (
        <Affected
          key={selection}
          name={options.find(({ value }) => value === selection)?.name ?? ""}
          selector={selectorOf(selection)}
          onStarted={(id) => {
            setSelection("")
            setShown(id)
          }}
        />
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
      {shown !== "" && <RevocationProgress id={shown} onRevoke={setLeft} />}
    </div>
  )
}

/** What would be revoked, by name, and below it the button. */
const Affected = ({ name, onStarted, selector }: {
  readonly name: string
  readonly selector: NewRevocation
  readonly onStarted: (id: string) => void
}) => {
  const [withKeys, setWithKeys] = useState(false)
  const [withShared, setWithShared] = useState(false)
  const [asks, setAsks] = useState(false)
  const start = useStart()
  const clientName = useClientName()
  const all = useConnections().data
  const connections = affectedConnections(selector, all ?? [])
  const keys = affectedKeys(selector, useKeys().data ?? [], useMembers().data ?? [])
  const clientCount = new Set(connections.map(({ client_id }) => client_id).filter((id) => id !== null)).size
  const hasKeys = withKeys && selector.provider === undefined
  if (all === undefined) return <span className="placeholder" />
  if (connections.length === 0 && keys.length === 0) {
    return <p className="muted">None of these is connected. There is nothing to revoke.</p>
  }
  const action = hasKeys && keys.length > 0
    ? `Revoke ${counted(connections.length, "connection")} and ${counted(keys.length, "key")}`
    : `Revoke ${counted(connections.length, "connection")}`
  return (
    <section className="panel" aria-label="What it would hit">
      <div className="panel-head">
        <h2>
          {counted(connections.length, "connection")}
          {clientCount > 1 && ` of ${counted(clientCount, "client")}`}
        </h2>
      </div>
      <div className="panel-body stack">
        <Names
          label="Connections that would be revoked"
          names={connections.map(({ client_id, label }) => {
            const client = clientName(client_id)
            return client === undefined || label.includes(client) ? label : `${label} · ${client}`
          })}
        />
        {selector.provider === undefined && keys.length > 0 && (
          <>
            <label className="row-of tick">
              <input type="checkbox" checked={withKeys} onChange={({ target }) => setWithKeys(target.checked)} />
              <span>
                {selector.all ? "Also every API key" : "Also the API keys of members who see it alone"}{" "}
                ({keys.length.toLocaleString()})
              </span>
            </label>
            {hasKeys && <Names label="Keys that would be revoked" names={keys.map((key) => key.name)} />}
          </>
        )}
        {!selector.all && (
          <label className="row-of tick">
            <input type="checkbox" checked={withShared} onChange={({ target }) => setWithShared(target.checked)} />
            <span>Also others that have the same token</span>
          </label>
        )}
        <div className="row-of">
          <button type="button" className="danger" onClick={() => setAsks(true)}>{action}</button>
        </div>
      </div>
      {asks && (
        <Confirm
          title="Revoke these connections?"
          action={action}
          keep="Keep them"
          typed={name}
          busy={start.isPending}
          error={start.error}
          onClose={() => setAsks(false)}
          onConfirm={() =>
            start.mutate({ ...selector, keys: hasKeys, with_shared: withShared }, {
              onSuccess: ({ id }) => onStarted(id)
            })}
        >
          <p>
            Calls that use them fail until they are connected again.
            {hasKeys && " The API keys are revoked for good."}
          </p>
        </Confirm>
      )}
    </section>
  )
}
