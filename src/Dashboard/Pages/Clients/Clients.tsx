import { type FormEvent, useState } from "react"
import { Link } from "wouter"
import type { Client } from "../../../Domain/Client.ts"
import { Dialog } from "../../Parts/Dialog.tsx"
import { Empty } from "../../Parts/Empty.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Field } from "../../Parts/Field.tsx"
import { Filters, matches, SearchField } from "../../Parts/Filters.tsx"
import { Id } from "../../Parts/Id.tsx"
import { mistakesOf } from "../../Parts/Mistakes.ts"
import { Page } from "../../Parts/Page.tsx"
import { type Column, Table } from "../../Parts/Table.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { useClients, useConnections } from "../../Service/Lists.ts"
import { useChange } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"

export const Clients = () => {
  const { isAdmin } = useSession()
  const [search, setSearch] = useUrlState("search")
  const [adding, setAdding] = useState(false)
  const clients = useClients()
  const connections = useConnections()
  const countOf = (id: string) =>
    connections.data?.filter(({ client_id, status }) => client_id === id && status !== "revoked").length
  const shown = clients.data?.filter(({ id, name }) => matches(search, [name, id]))
  const columns: ReadonlyArray<Column<Client>> = [
    {
      title: "Name",
      cell: ({ id, name }) => <Link className="name" href={`/connections?client=${id}`} title={name}>{name}</Link>
    },
    { title: "Connections", kind: "number", cell: ({ id }) => countOf(id)?.toLocaleString() },
    { title: "Added", minor: true, cell: ({ created_at }) => <Time at={created_at} /> },
    { title: "Id", kind: "actions", cell: ({ id }) => <Id id={id} /> }
  ]
  const addButton = isAdmin &&
    <button type="button" className="primary" onClick={() => setAdding(true)}>Add a client</button>
  return (
    <Page title="Clients" about="A client is a customer, a team or a project. It owns connections." actions={addButton}>
      <Filters count={shown?.length}>
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
  const create = useChange((service, payload: { name: string }) => service.clients.create({ payload }), ["clients"])
  const mistakes = mistakesOf(create.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ name }, { onSuccess: onClose })
  }
  return (
    <Dialog title="Add a client" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Name" mistake={mistakes.get("name")}>
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
        {create.error && mistakes.size === 0 && <ErrorNotice error={create.error} />}
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>Cancel</button>
          <button className="primary" disabled={create.isPending}>Add the client</button>
        </div>
      </form>
    </Dialog>
  )
}
