import { useState } from "react"
import { useLocation } from "wouter"
import type { Resources } from "../../../Domain/Access/Resource.ts"
import type { ManagedConnection } from "../../../Domain/Connection.ts"
import { ClientField } from "../../Parts/ClientField.tsx"
import { TextField } from "../../Parts/Field.tsx"
import { useForm } from "../../Parts/Form.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { useProviderName } from "../../Parts/Provider.tsx"
import { ResourceLimit } from "../../Rights/ResourceLimit.tsx"
import { useById } from "../../Service/ById.ts"
import { useClients, useCreateConnection } from "../../Service/Lists.ts"

interface Values {
  readonly client_id: string
  /** By default the names of client and provider. */
  readonly label: string | undefined
  readonly resources: Resources
}

/** Makes a derived connection in two steps: its client, then the resources of the account. */
export const ShareConnection = ({ connection, onClose }: {
  readonly connection: ManagedConnection
  readonly onClose: () => void
}) => {
  const [, navigate] = useLocation()
  const [step, setStep] = useState<1 | 2>(1)
  const clients = useClients()
  const providerName = useProviderName()(connection.provider)
  const share = useCreateConnection()
  const form = useForm<Values>(
    { client_id: "", label: undefined, resources: [] },
    [share],
    ({ client_id, resources }) =>
      step === 1 ? setStep(2) : share.mutate({ parent_id: connection.id, client_id, label, resources }, {
        onSuccess: ({ id }) => {
          onClose()
          navigate(`/connections/${id}`)
        }
      })
  )
  const client = useById(clients.data)(form.values.client_id)
  const label = form.values.label ?? (client === undefined ? "" : `${client.name}: ${providerName}`)
  return (
    <FormDialog
      title={step === 1 ? `Share ${connection.label} with a client` : `What ${client?.name ?? "the client"} may reach`}
      action={step === 1 ? "Next" : "Share it"}
      {...form.dialog}
      error={step === 2 && form.hasError("client_id", "label") ? share.error : form.dialog.error}
      {...step === 2 && { onBack: () => setStep(1) }}
      onClose={onClose}
    >
      <p className="meta">Step {step} of 2</p>
      {step === 1
        ? (
          <>
            <p className="muted">
              The client gets a connection of its own, with limits of its own. It uses the same sign-in, and ends with
              it.
            </p>
            <ClientField clients={clients.data} {...form.field("client_id")} />
            <TextField label="Name" required {...form.field("label")} value={label} />
          </>
        )
        : (
          <ResourceLimit
            connections={[connection]}
            everything="All that this connection reaches, also what is added to the account later."
            {...form.field("resources")}
          />
        )}
    </FormDialog>
  )
}
