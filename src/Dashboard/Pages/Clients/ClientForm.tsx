import { useState } from "react"
import { useLocation } from "wouter"
import type { Client } from "../../../Domain/Client.ts"
import { TextField } from "../../Parts/Field.tsx"
import { fieldErrors } from "../../Parts/FieldErrors.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { useServiceMutation } from "../../Service/Queries.ts"

export const ClientForm = (
  { client, onClose }: { readonly client: Client | undefined; readonly onClose: () => void }
) => {
  const [, navigate] = useLocation()
  const [name, setName] = useState(client?.name ?? "")
  const save = useServiceMutation(
    (service, payload: { name: string }) =>
      client ? service.clients.change({ params: { id: client.id }, payload }) : service.clients.create({ payload }),
    ["clients"]
  )
  const errors = fieldErrors(save.error, ["name"])
  return (
    <FormDialog
      title={client ? `Rename ${client.name}` : "Add a client"}
      action={client ? "Rename the client" : "Add the client"}
      busy={save.isPending}
      error={errors.unplaced}
      onSubmit={() => save.mutate({ name }, { onSuccess: ({ id }) => client ? onClose() : navigate(`/clients/${id}`) })}
      onClose={onClose}
    >
      <TextField label="Name" error={errors.of("name")} required autoFocus value={name} onChange={setName} />
    </FormDialog>
  )
}
