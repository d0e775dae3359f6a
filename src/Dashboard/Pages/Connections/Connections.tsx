import { Link } from "wouter"
import type { ManagedConnection } from "../../../Domain/Connection.ts"
import { ListPage } from "../../Parts/ListPage.tsx"
import { Middle } from "../../Parts/Middle.tsx"
import { ProviderTitle } from "../../Parts/Provider.tsx"
import { namedOptions } from "../../Parts/Select.tsx"
import { ConnectionState, needsAttention } from "../../Parts/Status.tsx"
import type { Column } from "../../Parts/Table.tsx"
import { timeColumn } from "../../Parts/Time.tsx"
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
  const connections = useConnections()
  const { isAdmin } = useSession()
  const clients = useClients()
  const providers = useProviders()
  // Waits for the names of clients and providers, which would move the columns.
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
    timeColumn("Last used", ({ last_used_at }) => last_used_at, { minor: true, never: "never used" })
  ]
  return (
    <ListPage
      title="Connections"
      about="Accounts that calls can use."
      actions={hasConnectLinks && <Link className="button" href="/connections/links">Connect links</Link>}
      make={{ title: "Connect an account", href: "/connections/connect" }}
      what="connection"
      list={{ ...connections, data: listed }}
      columns={columns}
      nameOf={({ label }) => label}
      rowActions={({ id, parent_id, status }) =>
        status === "active" || parent_id !== null
          ? []
          : [{ title: "Reconnect", href: `/connections/${id}/reconnect` }]}
      searchedTexts={({ client_id, external_account }) => [external_account, clientName(client_id)]}
      filters={[
        {
          name: "provider",
          label: "Provider",
          all: "All providers",
          options: namedOptions(providers.data),
          keep: (each, provider) => provider === "" || each.provider === provider
        },
        {
          name: "client",
          label: "Client",
          all: "All clients",
          options: namedOptions(clients.data),
          keep: (each, client) => client === "" || each.client_id === client
        },
        {
          name: "status",
          label: "Status",
          all: "Not revoked",
          options: statuses,
          keep: (each, status) =>
            status === "attention"
              ? needsAttention(each)
              : status === ""
              ? each.status !== "revoked"
              : each.status === status
        }
      ]}
      empty={!isAdmin && clients.data?.length === 0
        ? "You have no client yet, so you see no connections: ask an admin to give you a client."
        : (
          <>
            No connections yet. A call needs the account it should use.{" "}
            {hasConnectLinks && <Link href="/connections/links?make=link">Send a connect link</Link>}
          </>
        )}
    />
  )
}
