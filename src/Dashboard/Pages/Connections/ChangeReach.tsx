import type { ManagedConnection } from "../../../Domain/Connection.ts"
import { useForm } from "../../Parts/Form.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { ResourceLimit } from "../../Rights/ResourceLimit.tsx"
import { useChangeConnection } from "../../Service/Lists.ts"
import { featuresOff } from "../../Service/ServedPage.ts"

const who = featuresOff.includes("agent_access") ? "key" : "key and agent"

export const ChangeReach = ({ connection, onClose }: {
  readonly connection: ManagedConnection
  readonly onClose: () => void
}) => {
  const { id, label, resources } = connection
  const change = useChangeConnection()
  const form = useForm(
    { resources },
    [change],
    ({ resources }) => change.mutate({ id, resources }, { onSuccess: onClose })
  )
  return (
    <FormDialog
      title={`What ${label} may reach`}
      action="Change what it may reach"
      {...form.dialog}
      onClose={onClose}
    >
      <p className="muted">It applies to every {who} within a second.</p>
      <ResourceLimit
        connections={[connection]}
        everything="All that the account reaches, also what is added to it later."
        {...form.field("resources")}
      />
    </FormDialog>
  )
}
