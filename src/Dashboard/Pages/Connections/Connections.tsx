import { Link } from "wouter"
import type { ManagedConnection } from "../../../Domain/Connection.ts"
import { actionsColumn } from "../../Parts/Actions.tsx"
import { Empty } from "../../Parts/Empty.tsx"
import { SelectFilter } from "../../Parts/Filters.tsx"
import { ListPage } from "../../Parts/ListPage.tsx"
import { Middle } from "../../Parts/Middle.tsx"
import { ProviderTitle } from "../../Parts/Provider.tsx"
import { namedOptions } from "../../Parts/Select.tsx"
import { ConnectionState, needsAttention } from "../../Parts/Status.tsx"
import type { Column } from "../../Parts/Table.tsx"
import { timeColumn } from "../../Parts/Time.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { useClientName } from "../../Service/ClientName.ts"
import { useClients, useConnections, useProviders } from "../../Service/Lists.ts"
import { hasConnectLinks } from "../../Service/ServedPage.ts"
import { useSession } from "../../Session/Session.tsx"

const statuses = [
  { value: "attention", title: "Needs attention" },
  { value: "active", title: "Active" },
  { value: "expired", title: "Token expired" },
  { value: "revoked", title: "Revoked" }
]

export const Connections = () => {
  const [provider, setProvider] = useUrlState("provider")
  const [client, setClient] = useUrlState("client")
  const [status, setStatus] = useUrlState("status")
  const connections = useConnections()
  const { isAdmin } = useSession()
  const clients = useClients()
  const providers = useProviders()
  // Together with the names of clients and providers, which would move the columns.
  const listed = clients.isPending || providers.isPending
    ? undefined
    : connections.data?.toSorted((one, other) => Number(needsAttention(other)) - Number(needsAttention(one)))
  const clientName = useClientName()
  const columns: ReadonlyArray<Column<ManagedConnection>> = [
    {
      title: "Name",
      sortBy: ({ label }) => label,
      cell: ({ external_account, id, label, provider }) => (
        <ProviderTitle provider={provider} about={external_account}>
          <Link className="name" href={`/connections/${id}`}>
            <Middle text={label} />
          </Link>
        </ProviderTitle>
      )
    },
    {
      title: "Status",
      sortBy: ({ status }) => status,
      cell: (connection) => <ConnectionState connection={connection} />
    },
    {
      title: "Client",
      sortBy: ({ client_id }) => clientName(client_id),
      cell: ({ client_id }) => {
        const name = clientName(client_id)
        return name === undefined
          ? <span className="muted">none</span>
          : (
            <span className="owner">
              <Middle text={name} />
            </span>
          )
      }
    },
    timeColumn("Last used", ({ last_used_at }) => last_used_at, { minor: true, never: "never used" }),
    actionsColumn(({ id, label, parent_id, status }) => ({
      id,
      name: label,
      actions: status === "active" || parent_id !== null ? [] : [
        { title: "Reconnect", label: `Reconnect ${label}`, href: `/connections/${id}/reconnect` }
      ]
    }))
  ]
  const connectLink = <Link className="button primary" href="/connections/connect">Connect an account</Link>
  return (
    <ListPage
      title="Connections"
      about="Accounts that calls can use."
      actions={
        <>
          {hasConnectLinks && <Link className="button" href="/connections/links">Connect links</Link>}
          {connectLink}
        </>
      }
      what="connection"
      list={{ ...connections, data: listed }}
      columns={columns}
      searchedTexts={(each) => [each.label, each.external_account, each.id, clientName(each.client_id)]}
      filters={
        <>
          <SelectFilter
            label="Provider"
            all="All providers"
            options={namedOptions(providers.data)}
            value={provider}
            onChange={setProvider}
          />
          <SelectFilter
            label="Client"
            all="All clients"
            options={namedOptions(clients.data)}
            value={client}
            onChange={setClient}
          />
          <SelectFilter label="Status" all="Not revoked" options={statuses} value={status} onChange={setStatus} />
        </>
      }
      keep={(each) =>
        (provider === "" || each.provider === provider) &&
        (client === "" || each.client_id === client) &&
        (status === "attention"
          ? needsAttention(each)
          : status === ""
          ? each.status !== "revoked"
          : each.status === status)}
      none={
        <Empty
          action={
            <span className="row-of">
              {connectLink}
              {hasConnectLinks && (
                <Link className="button" href="/connections/links?make=link">Send a connect link</Link>
              )}
            </span>
          }
        >
          {!isAdmin && clients.data?.length === 0
            ? "You have no client yet, so you see no connections: ask an admin to give you a client."
            : "No connections yet. A call needs the account it should use."}
        </Empty>
      }
    />
  )
}
