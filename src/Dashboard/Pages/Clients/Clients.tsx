import { Link } from "wouter"
import type { Client } from "../../../Domain/Client.ts"
import { ListPage } from "../../Parts/ListPage.tsx"
import type { Column } from "../../Parts/Table.tsx"
import { timeColumn } from "../../Parts/Time.tsx"
import { useClients, useConnections } from "../../Service/Lists.ts"
import { useSession } from "../../Session/Session.tsx"
import { ClientForm } from "./ClientForm.tsx"
import { DeleteClient } from "./DeleteClient.tsx"

export const Clients = () => {
  const { isAdmin } = useSession()
  const connections = useConnections().data?.filter(({ status }) => status !== "revoked")
  const counts = Map.groupBy(connections ?? [], ({ client_id }): string | null => client_id)
  const countOf = (id: string) => connections && (counts.get(id)?.length ?? 0)
  const columns: ReadonlyArray<Column<Client>> = [
    {
      title: "Name",
      sortBy: ({ name }) => name,
      cell: ({ id, name }) => <Link className="name" href={`/clients/${id}`} title={name}>{name}</Link>
    },
    {
      title: "Connections",
      kind: "number",
      sortBy: ({ id }) => countOf(id),
      cell: ({ id }) => countOf(id)?.toLocaleString()
    },
    timeColumn("Added", ({ created_at }) => created_at, { minor: true })
  ]
  return (
    <ListPage
      title="Clients"
      about="A client is a customer, a team or a project. It owns connections."
      make={isAdmin && { title: "Add a client", dialog: (onClose) => <ClientForm onClose={onClose} /> }}
      what="client"
      list={useClients()}
      columns={columns}
      nameOf={({ name }) => name}
      rowActions={(client) =>
        !isAdmin ? [] : [
          { title: "Rename", dialog: (onClose) => <ClientForm client={client} onClose={onClose} /> },
          { title: "Delete", dialog: (onClose) => <DeleteClient client={client} onClose={onClose} /> }
        ]}
      empty="No clients yet. Connections are sorted by the client that owns them."
    />
  )
}
