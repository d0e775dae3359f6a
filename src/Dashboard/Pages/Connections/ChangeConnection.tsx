import { useState } from "react"
import type { Connection, ConnectionChange } from "../../../Domain/Connection.ts"
import { TextField } from "../../Parts/Field.tsx"
import { fieldErrors } from "../../Parts/FieldErrors.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { namedOptions, SelectField } from "../../Parts/Select.tsx"
import { useClients } from "../../Service/Lists.ts"
import { useServiceMutation } from "../../Service/Queries.ts"

export const ChangeConnection = ({ connection, onClose }: {
  readonly connection: Connection
  readonly onClose: () => void
}) => {
  const [label, setLabel] = useState(connection.label)
  const [clientId, setClientId] = useState<string>(connection.client_id ?? "")
  const clients = useClients()
  const change = useServiceMutation(
    (service, payload: ConnectionChange) =>
      service.managedConnections.change({ params: { id: connection.id }, payload }),
    ["connections", "connect_links"]
  )
  const errors = fieldErrors(change.error, ["label", "client_id"])
  const submit = () =>
    change.mutate({
      label,
      ...clientId !== (connection.client_id ?? "") && { client_id: clientId === "" ? null : clientId }
    }, { onSuccess: onClose })
  return (
    <FormDialog
      title={`Change ${connection.label}`}
      action="Change the connection"
      busy={change.isPending}
      error={errors.unplaced}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" error={errors.of("label")} required value={label} onChange={setLabel} />
      <SelectField
        label="Client"
        help="Keys of members who see the client use the connection. With another client, links that reconnect it end."
        error={errors.of("client_id")}
        none="No client"
        options={namedOptions(clients.data)}
        value={clientId}
        onChange={setClientId}
      />
    </FormDialog>
  )
}
