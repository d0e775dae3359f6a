import type { Connection } from "../../../Domain/Connection.ts"
import { TextField } from "../../Parts/Field.tsx"
import { useForm } from "../../Parts/Form.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { namedOptions, SelectField } from "../../Parts/Select.tsx"
import { useChangeConnection, useClients } from "../../Service/Lists.ts"

export const ChangeConnection = ({ connection: { client_id: before, id, label }, onClose }: {
  readonly connection: Connection
  readonly onClose: () => void
}) => {
  const clients = useClients()
  const change = useChangeConnection()
  const form = useForm({ label, client_id: String(before ?? "") }, [change], ({ client_id, label }) =>
    change.mutate({
      id,
      label,
      ...client_id !== (before ?? "") && { client_id: client_id === "" ? null : client_id }
    }, { onSuccess: onClose }))
  return (
    <FormDialog title={`Change ${label}`} action="Change the connection" {...form.dialog} onClose={onClose}>
      <TextField label="Name" required {...form.field("label")} />
      <SelectField
        label="Client"
        help="Keys of members who see the client use the connection. With another client, links that reconnect it end."
        emptyTitle="No client"
        options={namedOptions(clients.data)}
        {...form.field("client_id")}
      />
    </FormDialog>
  )
}
