import { useState } from "react"
import { Link } from "wouter"
import type { Client } from "../../../Domain/Client.ts"
import { Empty } from "../../Parts/Empty.tsx"
import { TextField } from "../../Parts/Field.tsx"
import { fieldErrors } from "../../Parts/FieldErrors.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { Id } from "../../Parts/Id.tsx"
import { ListPage } from "../../Parts/ListPage.tsx"
import type { Column } from "../../Parts/Table.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useClients, useConnections } from "../../Service/Lists.ts"
import { useServiceMutation } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"

export const Clients = () => {
  const { isAdmin } = useSession()
  const [adding, setAdding] = useState(false)
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
      cell: ({ id, name }) => <Link className="name" href={`/connections?client=${id}`} title={name}>{name}</Link>
    },
    {
      title: "Connections",
      kind: "number",
      sortBy: ({ id }) => countOf(id),
      cell: ({ id }) => countOf(id)?.toLocaleString()
    },
    {
      title: "Added",
      minor: true,
      sortBy: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Time at={created_at} />
    },
    { title: "Id", kind: "actions", cell: ({ id }) => <Id id={id} /> }
  ]
  const addButton = isAdmin &&
    <button type="button" className="primary" onClick={() => setAdding(true)}>Add a client</button>
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
      {adding && <AddClient onClose={() => setAdding(false)} />}
    </ListPage>
  )
}

const AddClient = ({ onClose }: { readonly onClose: () => void }) => {
  const [name, setName] = useState("")
  const create = useServiceMutation((service, payload: { name: string }) => service.clients.create({ payload }), [
    "clients"
  ])
  const errors = fieldErrors(create.error, ["name"])
  const submit = () => create.mutate({ name }, { onSuccess: onClose })
  return (
    <FormDialog
      title="Add a client"
      action="Add the client"
      busy={create.isPending}
      error={errors.unplaced}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" error={errors.of("name")} required autoFocus value={name} onChange={setName} />
    </FormDialog>
  )
}
