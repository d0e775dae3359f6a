import { Link } from "wouter"
import type { Connection } from "../../../Domain/Connection.ts"
import { Empty } from "../../Parts/Empty.tsx"
import { Filters, matches, SearchField, SelectFilter } from "../../Parts/Filters.tsx"
import { Page } from "../../Parts/Page.tsx"
import { ConnectionState } from "../../Parts/Status.tsx"
import { type Column, Table } from "../../Parts/Table.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { useClients, useConnections, useProviders } from "../../Service/Lists.ts"

const statuses = [
  { value: "active", title: "Active" },
  { value: "expired", title: "Token expired" },
  { value: "revoked", title: "Revoked" }
]

export const Connections = () => {
  const [search, setSearch] = useUrlState("search")
  const [provider, setProvider] = useUrlState("provider")
  const [client, setClient] = useUrlState("client")
  const [status, setStatus] = useUrlState("status")
  const connections = useConnections()
  const clients = useClients()
  const providers = useProviders()
  const clientName = (id: string | null) => clients.data?.find((each) => each.id === id)?.name ?? null
  const shown = connections.data?.filter((each) =>
    (provider === "" || each.provider === provider) &&
    (client === "" || each.client_id === client) &&
    (status === "" ? each.status !== "revoked" : each.status === status) &&
    matches(search, [each.label, each.external_account, each.id, clientName(each.client_id)])
  )
  const columns: ReadonlyArray<Column<Connection>> = [
    { title: "Status", cell: (connection) => <ConnectionState connection={connection} /> },
    {
      title: "Name",
      cell: ({ id, label }) => <Link className="name" href={`/connections/${id}`} title={label}>{label}</Link>
    },
    { title: "Provider", cell: ({ provider }) => <code>{provider}</code> },
    {
      title: "Account",
      minor: true,
      cell: ({ external_account }) => <span className="owner" title={external_account ?? ""}>{external_account}</span>
    },
    {
      title: "Client",
      cell: ({ client_id }) => {
        const name = clientName(client_id)
        return name === null ? <span className="muted">none</span> : <span className="owner" title={name}>{name}</span>
      }
    },
    { title: "Last used", minor: true, cell: ({ last_used_at }) => <Time at={last_used_at} /> },
    {
      title: "Actions",
      kind: "actions",
      cell: ({ id, label, status }) =>
        status !== "active" && (
          <Link className="button" href={`/connections/${id}/reconnect`} aria-label={`Reconnect ${label}`}>
            Reconnect
          </Link>
        )
    }
  ]
  const connectLink = <Link className="button primary" href="/connections/connect">Connect an account</Link>
  return (
    <Page title="Connections" about="Accounts that calls can use." actions={connectLink}>
      <Filters count={shown?.length}>
        <SearchField label="Search connections" value={search} onChange={setSearch} />
        <SelectFilter
          label="Provider"
          all="All providers"
          options={(providers.data ?? []).map(({ id, name }) => ({ value: id, title: name }))}
          value={provider}
          onChange={setProvider}
        />
        <SelectFilter
          label="Client"
          all="All clients"
          options={(clients.data ?? []).map(({ id, name }) => ({ value: id, title: name }))}
          value={client}
          onChange={setClient}
        />
        <SelectFilter label="Status" all="Not revoked" options={statuses} value={status} onChange={setStatus} />
      </Filters>
      <Table
        label="Connections"
        columns={columns}
        rows={shown}
        rowKey={({ id }) => id}
        error={connections.error}
        reloading={connections.isFetching}
        empty={connections.data?.length === 0
          ? <Empty action={connectLink}>No connections yet. A call needs the account it should use.</Empty>
          : <Empty>No connection matches these filters.</Empty>}
      />
    </Page>
  )
}
