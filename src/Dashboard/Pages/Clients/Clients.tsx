import { useState } from "react"
import { Link } from "wouter"
import type { Client } from "../../../Domain/Client.ts"
import { actionsColumn } from "../../Parts/Actions.tsx"
import { Empty } from "../../Parts/Empty.tsx"
import { ListPage } from "../../Parts/ListPage.tsx"
import type { Column } from "../../Parts/Table.tsx"
import { timeColumn } from "../../Parts/Time.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { useClients, useConnections } from "../../Service/Lists.ts"
import { useSession } from "../../Session/Session.tsx"
import { ClientForm } from "./ClientForm.tsx"
import { DeleteClient } from "./DeleteClient.tsx"

export const Clients = () => {
  const { isAdmin } = useSession()
  const [make, setMake] = useUrlState("make")
  const [renaming, setRenaming] = useState<Client>()
  const [deleting, setDeleting] = useState<Client>()
  const clients = useClients()
  const connections = useConnections()
  const counts = Map.groupBy(
    connections.data?.filter(({ status }) => status !== "revoked") ?? [],
    ({ client_id }): string | null => client_id
  )
  const countOf = (id: string) => connections.data && (counts.get(id)?.length ?? 0)
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
    timeColumn("Added", ({ created_at }) => created_at, { minor: true }),
    actionsColumn((client) => ({
      id: client.id,
      name: client.name,
      actions: !isAdmin ? [] : [
        { title: "Rename", label: `Rename ${client.name}`, onSelect: () => setRenaming(client) },
        { title: "Delete", label: `Delete ${client.name}`, onSelect: () => setDeleting(client) }
      ]
    }))
  ]
  const addButton = isAdmin &&
    <button type="button" className="primary" onClick={() => setMake("client")}>Add a client</button>
  return (
    <ListPage
      title="Clients"
      about="A client is a customer, a team or a project. It owns connections."
      actions={addButton}
      what="client"
      list={clients}
      columns={columns}
      searchedTexts={({ id, name }) => [name, id]}
      none={<Empty action={addButton}>No clients yet. Connections are sorted by the client that owns them.</Empty>}
    >
      {make !== "" && isAdmin && <ClientForm client={undefined} onClose={() => setMake("")} />}
      {renaming && <ClientForm client={renaming} onClose={() => setRenaming(undefined)} />}
      {deleting && <DeleteClient client={deleting} onClose={() => setDeleting(undefined)} />}
    </ListPage>
  )
}
