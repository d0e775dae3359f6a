import { type FormEvent, useState } from "react"
import { Link } from "wouter"
import type { Client } from "../../../Domain/Client.ts"
import { Dialog } from "../../Parts/Dialog.tsx"
import { Empty } from "../../Parts/Empty.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Field } from "../../Parts/Field.tsx"
import { fieldErrors } from "../../Parts/FieldErrors.ts"
import { Filters, SearchField } from "../../Parts/Filters.tsx"
import { Id } from "../../Parts/Id.tsx"
import { matches } from "../../Parts/Matches.ts"
import { Page } from "../../Parts/Page.tsx"
import { type Column, Table } from "../../Parts/Table.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { useClients, useConnections } from "../../Service/Lists.ts"
import { useServiceMutation } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"

export const Clients = () => {
  const { isAdmin } = useSession()
  const [search, setSearch] = useUrlState("search")
  const [adding, setAdding] = useState(false)
  const clients = useClients()
  const connections = useConnections()
  const counts = Map.groupBy(
    connections.data?.filter(({ status }) => status !== "revoked") ?? [],
    ({ client_id }): string | null => client_id
  )
  const countOf = (id: string) => connections.data && (counts.get(id)?.length ?? 0)
  const shown = clients.data?.filter(({ id, name }) => matches(search, [name, id]))
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
    <Page title="Clients" about="A client is a customer, a team or a project. It owns connections." actions={addButton}>
      <Filters of={clients.data} shown={shown}>
        <SearchField label="Search clients" value={search} onChange={setSearch} />
      </Filters>
      <Table
        label="Clients"
        columns={columns}
        rows={shown}
        rowKey={({ id }) =>
          id}
        error={clients.error}
        reloading={clients.isFetching}
        empty={clients.data?.length === 0
          ? <Empty action={addButton}>No clients yet. Connections are sorted by the client that owns them.</Empty>
          : <Empty>No client matches this search.</Empty>}
      />
      {adding && (
        <AddClient onClose={() => setAdding(false)} />
      )}
    </Page>
  )
}

const AddClient = ({ onClose }: { readonly onClose: () => void }) => {
  const [name, setName] = useState("")
  const create = useServiceMutation((service, payload: { name: string }) => service.clients.create({ payload }), [
    "clients"
  ])
  const errors = fieldErrors(create.error, ["name"])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ name }, { onSuccess: onClose })
  }
  return (
    <Dialog title="Add a client" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Name" error={errors.of("name")}>
          {(attributes) => (
            <input
              {...attributes}
              required
              autoFocus
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        {errors.unplaced && <ErrorNotice error={errors.unplaced} />}
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>Cancel</button>
          <button className="primary" disabled={create.isPending}>Add the client</button>
        </div>
      </form>
    </Dialog>
  )
}
