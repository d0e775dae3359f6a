import { useState } from "react"
import { Link, useLocation } from "wouter"
import type { Client } from "../../../Domain/Client.ts"
import type { Connection } from "../../../Domain/Connection.ts"
import { FeatureParts } from "../../Frame/FeatureParts.tsx"
import { Actions } from "../../Parts/Actions.tsx"
import { Empty } from "../../Parts/Empty.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Fact } from "../../Parts/Fact.tsx"
import { Id } from "../../Parts/Id.tsx"
import { Page } from "../../Parts/Page.tsx"
import { ProviderTitle } from "../../Parts/Provider.tsx"
import { ConnectionState } from "../../Parts/Status.tsx"
import { type Column, Table } from "../../Parts/Table.tsx"
import { Time, timeColumn } from "../../Parts/Time.tsx"
import { useById } from "../../Service/ById.ts"
import { useClients, useConnections, useConnectLinks, useMembers } from "../../Service/Lists.ts"
import { hasConnectLinks } from "../../Service/ServedPage.ts"
import { useSession } from "../../Session/Session.tsx"
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
  const [open, setOpen] = useState<"rename" | "delete">()
  const connections = useConnections()
  const links = useConnectLinks().data?.filter(({ client_id, status }) => client_id === id && status === "open")
  const allMembers = useMembers(isAdmin)
  const members = allMembers.data?.filter(({ client_ids }) => client_ids === null || client_ids.includes(id))
  const ofClient = connections.data?.filter(({ client_id }) => client_id === id)
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
              ...hasConnectLinks
                ? [{ title: "Make a connect link", href: `/connections/links?make=link&client=${id}` }]
                : [],
              ...isAdmin
                ? [
                  { title: "Make a key for it", href: `/keys?make=key&client=${id}` },
                  { title: "Rename", onSelect: () => setOpen("rename") },
                  { title: "Delete", onSelect: () => setOpen("delete") }
                ]
                : []
            ]}
          />
        </>
      }
    >
      <div className="stack-wide in-order">
        <dl className="facts wide in-order">
          {isAdmin && (
            <Fact name="Members who see it">
              {members?.map(({ email }) => email).join(", ") ??
                (allMembers.isFetched ? "not known" : <span className="placeholder" />)}
            </Fact>
          )}
          {hasConnectLinks && (
            <Fact name="Open connect links">
              {links && links.length > 0
                ? <Link href="/connections/links?status=open">{links.length.toLocaleString()}</Link>
                : links && "none"}
            </Fact>
          )}
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
            rows={ofClient?.filter(({ status }) => status !== "revoked")}
            rowKey={({ id }) => id}
            error={connections.error}
            expected={2}
            empty={
              <Empty>
                {name} has no connections yet. Connect an account
                {hasConnectLinks && ", or send its owner a connect link and let them do it"}.
              </Empty>
            }
          />
        </section>
        {ofClient?.length !== 0 && <FeatureParts place="client" id={id} />}
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
