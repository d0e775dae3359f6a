import { useLocation } from "wouter"
import type { Client } from "../../../Domain/Client.ts"
import { TextField } from "../../Parts/Field.tsx"
import { useForm } from "../../Parts/Form.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { useChangeClient, useCreateClient } from "../../Service/Lists.ts"

export const ClientForm = ({ client, onClose }: { readonly client?: Client; readonly onClose: () => void }) => {
  const [, navigate] = useLocation()
  const create = useCreateClient()
  const change = useChangeClient()
  const form = useForm({ name: client?.name ?? "" }, [create, change], ({ name }) => {
    if (client) change.mutate({ id: client.id, name }, { onSuccess: onClose })
    else create.mutate({ name }, { onSuccess: ({ id }) => navigate(`/clients/${id}`) })
  })
  return (
    <FormDialog
      title={client ? `Rename ${client.name}` : "Add a client"}
      action={client ? "Rename the client" : "Add the client"}
      {...form.dialog}
      onClose={onClose}
    >
      <TextField label="Name" required {...form.field("name")} />
    </FormDialog>
  )
}
