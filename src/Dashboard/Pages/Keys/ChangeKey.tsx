import { useState } from "react"
import type { ApiKey, KeyChange } from "../../../Domain/Access/ApiKey.ts"
import { rightsOf } from "../../../Domain/Access/Rights.ts"
import { TextField } from "../../Parts/Field.tsx"
import { fieldErrors } from "../../Parts/FieldErrors.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { LimitFields, limitFields } from "../../Rights/LimitFields.tsx"
import { changedRights } from "../../Rights/Rights.ts"
import { WriteFields } from "../../Rights/WriteFields.tsx"
import { useServiceMutation } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"
import { expiryOf, KeyLimits, limitsOf, manageOf } from "./KeyLimits.tsx"

export const ChangeKey = ({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) => {
  const { isAdmin } = useSession()
  const before = limitsOf(apiKey)
  const [name, setName] = useState(apiKey.name)
  const [limits, setLimits] = useState(before)
  const [rights, setRights] = useState(() => rightsOf(apiKey))
  const change = useServiceMutation(
    (service, payload: KeyChange) => service.keys.change({ params: { id: apiKey.id }, payload }),
    ["keys"]
  )
  const errors = fieldErrors(change.error, ["name", "expires_at", ...limitFields])
  const manage = manageOf(limits)
  // An unchanged expiry keeps its time of day.
  const submit = () =>
    change.mutate({
      name,
      ...changedRights(rightsOf(apiKey), rights),
      ...limits.day !== before.day && { expires_at: expiryOf(limits) },
      ...manage.join() !== manageOf(before).join() && { manage }
    }, { onSuccess: onClose })
  return (
    <FormDialog
      title={`Change ${apiKey.name}`}
      action="Change the key"
      busy={change.isPending}
      error={errors.unplaced}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" error={errors.of("name")} required autoFocus value={name} onChange={setName} />
      {apiKey.access === "read_write" && <WriteFields rights={rights} onChange={setRights} />}
      <LimitFields rights={rights} errorOf={errors.of} onChange={setRights} />
      <KeyLimits isAdmin={isAdmin} limits={limits} error={errors.of("expires_at")} onChange={setLimits} />
    </FormDialog>
  )
}
