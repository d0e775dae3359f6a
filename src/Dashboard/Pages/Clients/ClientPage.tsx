import { useState } from "react"
import { Link, useLocation } from "wouter"
import type { Client } from "../../../Domain/Client.ts"
import type { Connection } from "../../../Domain/Connection.ts"
import { Actions } from "../../Parts/Actions.tsx"
import { Empty } from "../../Parts/Empty.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Fact } from "../../Parts/Fact.tsx"
import { SelectFilter } from "../../Parts/Filters.tsx"
import { Id } from "../../Parts/Id.tsx"
import { Page } from "../../Parts/Page.tsx"
import { ProviderTitle } from "../../Parts/Provider.tsx"
import { ConnectionState } from "../../Parts/Status.tsx"
import { type Column, Table } from "../../Parts/Table.tsx"
import { Time, timeColumn } from "../../Parts/Time.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { useById } from "../../Service/ById.ts"
import { useClients, useConnections, useConnectLinks, useMembers } from "../../Service/Lists.ts"
import { useSession } from "../../Session/Session.tsx"
import { periodNameOf, periodNames, periodOf } from "../../Usage/Periods.ts"
import { useStats } from "../../Usage/Stats.ts"
import { Usage } from "../../Usage/Usage.tsx"
import { ClientForm } from "./ClientForm.tsx"
import { DeleteClient } from "./DeleteClient.tsx"

export const ClientPage = ({ id }: { readonly id: string }) => {
  const clients = useClients()
  const client = useById(clients.data)(id)
  if (client) return <ClientDetail client={client} />
  return (
    <Page title="Client" about="A customer, a team or a project. It owns connections.">
      {clients.error && <ErrorNotice error={clients.error} isRead />}
      {clients.data && (
        <Empty action={<Link href="/clients">All clients</Link>}>
          This client is deleted, or not one of yours. Logs keep its id, {id}.
        </Empty>
      )}
    </Page>
  )
}

const columns: ReadonlyArray<Column<Connection>> = [
  {
    title: "Name",
    sortBy: ({ label }) => label,
    cell: ({ external_account, id, label, provider }) => (
      <ProviderTitle provider={provider} about={external_account}>
        <Link className="name" href={`/connections/${id}`} title={label}>{label}</Link>
      </ProviderTitle>
    )
  },
  {
    title: "Status",
    sortBy: ({ status }) => status,
    cell: (connection) => <ConnectionState connection={connection} />
  },
  timeColumn("Last used", ({ last_used_at }) => last_used_at, { never: "never used" })
]

const ClientDetail = ({ client }: { readonly client: Client }) => {
  const { id, name } = client
  const { isAdmin } = useSession()
  const [, navigate] = useLocation()
  const [text, setText] = useUrlState("period")
  const [open, setOpen] = useState<"rename" | "delete">()
  const periodName = periodNameOf(text)
  const now = Date.now()
  const period = periodOf(periodName, now)
  const stats = useStats(periodName, { group_by: "client" })
  const connections = useConnections()
  const links = useConnectLinks().data?.filter(({ client_id, status }) => client_id === id && status === "open")
  const members = useMembers(isAdmin).data?.filter(({ client_ids }) => client_ids === null || client_ids.includes(id))
  const addLink = <Link className="button primary" href={`/connections/connect?client=${id}`}>Connect an account</Link>
  return (
    <Page
      title={name}
      about="Its accounts, and how they are used."
      actions={
        <>
          {addLink}
          <Actions
            of={name}
            shown={1}
            actions={[
              { title: "Make a connect link", href: `/connections/links?make=link&client=${id}` },
              ...isAdmin
                ? [
                  { title: "Rename", onSelect: () => setOpen("rename") },
                  { title: "Delete", onSelect: () => setOpen("delete") }
                ]
                : []
            ]}
          />
        </>
      }
    >
      <div className="stack-wide">
        <dl className="facts wide">
          {isAdmin && <Fact name="Members who see it">{members?.map(({ email }) => email).join(", ")}</Fact>}
          <Fact name="Open connect links">
            {links && links.length > 0
              ? <Link href="/connections/links?status=open">{links.length.toLocaleString()}</Link>
              : links && "none"}
          </Fact>
          <Fact name="Added">
            <Time at={client.created_at} />
          </Fact>
          <Fact name="Id">
            <Id id={id} />
          </Fact>
        </dl>
        <section className="stack" aria-label="Connections">
          <h2>Connections</h2>
          <Table
            label="Connections"
            columns={columns}
            rows={connections.data?.filter(({ client_id, status }) => client_id === id && status !== "revoked")}
            rowKey={({ id }) => id}
            error={connections.error}
            expected={2}
            empty={<Empty>{name} has no connections yet.</Empty>}
          />
        </section>
        <section className="stack" aria-label="Use">
          <div className="row-of spread">
            <h2>Use</h2>
            <span>
              <SelectFilter
                label="Period"
                all={periodOf("", now).title}
                options={periodNames.filter(Boolean).map((value) => ({ value, title: periodOf(value, now).title }))}
                value={periodName}
                onChange={setText}
              />
            </span>
          </div>
          {stats.error && <ErrorNotice error={stats.error} isRead />}
          <Usage
            key={periodName}
            buckets={stats.data?.buckets.filter(({ group }) => group === id)}
            isReloading={stats.isPlaceholderData}
            period={period}
            logs={`client=${id}`}
          />
          {stats.data?.truncated && (
            <p className="meta">There are too many clients for this time, so its later part is missing.</p>
          )}
        </section>
      </div>
      {open === "rename" && <ClientForm client={client} onClose={() => setOpen(undefined)} />}
      {open === "delete" && (
        <DeleteClient
          client={client}
          onClose={() => setOpen(undefined)}
          onDeleted={() => navigate("/clients")}
        />
      )}
    </Page>
  )
}
