import { useState } from "react"
import type { Resources } from "../../../Domain/Access/Resource.ts"
import type { ManagedConnection } from "../../../Domain/Connection.ts"
import { fieldErrors } from "../../Parts/FieldErrors.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { ResourceLimit } from "../../Rights/ResourceLimit.tsx"
import { useServiceMutation } from "../../Service/Queries.ts"

export const everythingOfAccount = "All that the account reaches, also what is added to it later."

export const ChangeReach = ({ connection, onClose }: {
  readonly connection: ManagedConnection
  readonly onClose: () => void
}) => {
  const [resources, setResources] = useState(connection.resources)
  const change = useServiceMutation(
    (service, resources: Resources) =>
      service.managedConnections.change({ params: { id: connection.id }, payload: { resources } }),
    ["connections", "resources"]
  )
  const errors = fieldErrors(change.error, ["resources"])
  return (
    <FormDialog
      title={`What ${connection.label} may reach`}
      action="Change what it may reach"
      busy={change.isPending}
      error={errors.unplaced}
      onSubmit={() => change.mutate(resources, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="muted">It applies to every key and agent within a second.</p>
      <ResourceLimit
        connections={[connection]}
        everything={everythingOfAccount}
        error={errors.of("resources")}
        value={resources}
        onChange={setResources}
      />
    </FormDialog>
  )
}
