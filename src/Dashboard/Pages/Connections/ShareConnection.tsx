import { useState } from "react"
import { useLocation } from "wouter"
import type { Resources } from "../../../Domain/Access/Resource.ts"
import type { CreateConnection, ManagedConnection } from "../../../Domain/Connection.ts"
import { ClientField } from "../../Parts/ClientField.tsx"
import { TextField } from "../../Parts/Field.tsx"
import { fieldErrors } from "../../Parts/FieldErrors.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { useProviderName } from "../../Parts/Provider.tsx"
import { ResourceLimit } from "../../Rights/ResourceLimit.tsx"
import { useById } from "../../Service/ById.ts"
import { useClients } from "../../Service/Lists.ts"
import { useServiceMutation } from "../../Service/Queries.ts"

/** Makes a derived connection: first for whom, then what of the account. */
export const ShareConnection = ({ connection, onClose }: {
  readonly connection: ManagedConnection
  readonly onClose: () => void
}) => {
  const [, navigate] = useLocation()
  const [step, setStep] = useState<1 | 2>(1)
  const [clientId, setClientId] = useState("")
  const [label, setLabel] = useState<string>()
  const [resources, setResources] = useState<Resources>([])
  const clients = useClients()
  const client = useById(clients.data)(clientId)
  const providerName = useProviderName()(connection.provider)
  const name = label ?? (client === undefined ? "" : `${client.name}: ${providerName}`)
  const share = useServiceMutation(
    (service, payload: CreateConnection) => service.managedConnections.create({ payload }),
    ["connections"]
  )
  const errors = fieldErrors(share.error, step === 1 ? ["label", "client_id"] : ["resources"])
  const submit = () => {
    if (step === 1) return setStep(2)
    share.mutate({ parent_id: connection.id, client_id: clientId, label: name, resources }, {
      onSuccess: ({ id }) => {
        onClose()
        navigate(`/connections/${id}`)
      }
    })
  }
  return (
    <FormDialog
      title={step === 1 ? `Share ${connection.label} with a client` : `What ${client?.name ?? "the client"} may reach`}
      action={step === 1 ? "Next" : "Share it"}
      busy={share.isPending}
      error={errors.unplaced}
      {...step === 2 && { onBack: () => setStep(1) }}
      onSubmit={submit}
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
            <ClientField
              error={errors.of("client_id")}
              clients={clients.data}
              value={clientId}
              onChange={setClientId}
            />
            <TextField label="Name" error={errors.of("label")} required value={name} onChange={setLabel} />
          </>
        )
        : (
          <ResourceLimit
            connections={[connection]}
            everything="All that this connection reaches, also what is added to the account later."
            error={errors.of("resources")}
            value={resources}
            onChange={setResources}
          />
        )}
    </FormDialog>
  )
}
