import { useState } from "react"
import type { KeyAccess, NewApiKey } from "../../../Domain/Access/ApiKey.ts"
import { newKeyRights } from "../../../Domain/Access/Rights.ts"
import { accessOptions } from "../../Parts/Access.ts"
import { Choice } from "../../Parts/Choice.tsx"
import { TextField } from "../../Parts/Field.tsx"
import { fieldErrors } from "../../Parts/FieldErrors.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { MoreOptions } from "../../Parts/MoreOptions.tsx"
import { SecretDialog } from "../../Parts/SecretDialog.tsx"
import { SelectField } from "../../Parts/Select.tsx"
import { shellWord } from "../../Parts/ShellText.ts"
import { budgetFieldCount } from "../../Rights/BudgetFields.tsx"
import { LimitFields, limitFields } from "../../Rights/LimitFields.tsx"
import { changedRights } from "../../Rights/Rights.ts"
import { WriteFields } from "../../Rights/WriteFields.tsx"
import { useMembers } from "../../Service/Lists.ts"
import { useServiceMutation } from "../../Service/Queries.ts"
import { serviceUrl } from "../../Service/ServedPage.ts"
import { useSession } from "../../Session/Session.tsx"
import { expiryOf, KeyLimits, type Limits, manageOf } from "./KeyLimits.tsx"

const curlOf = (secret: string) =>
  `curl -s ${shellWord(`${serviceUrl}/v1/connections`)} -H ${shellWord(`Authorization: Bearer ${secret}`)}`

const folded = ["expires_at", ...limitFields] as const

export const MakeKey = ({ onClose }: { readonly onClose: () => void }) => {
  const { isAdmin, member } = useSession()
  const [name, setName] = useState("")
  const [access, setAccess] = useState<KeyAccess>("read_only")
  const [memberId, setMemberId] = useState<string>(member.id)
  const [limits, setLimits] = useState<Limits>({ day: "", manage: [] })
  const [rights, setRights] = useState(newKeyRights)
  const members = useMembers(isAdmin)
  const create = useServiceMutation((service, payload: NewApiKey) => service.keys.create({ payload }), ["keys"])
  if (create.data) {
    const { key, name } = create.data
    return (
      <SecretDialog
        title={`The key ${name} is ready`}
        name="key"
        secret={key}
        example={{ label: "Try it", text: curlOf(key) }}
        onClose={onClose}
      />
    )
  }
  const errors = fieldErrors(create.error, ["name", "member_id", ...folded])
  const submit = () =>
    create.mutate({
      name,
      access,
      member_id: memberId,
      expires_at: expiryOf(limits),
      manage: manageOf(limits),
      ...changedRights(newKeyRights, rights)
    })
  return (
    <FormDialog
      title="Make a key"
      action="Make the key"
      busy={create.isPending}
      error={errors.unplaced}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        help="The script or server that will use it."
        error={errors.of("name")}
        required
        autoFocus
        value={name}
        onChange={setName}
      />
      {isAdmin && (
        <SelectField
          label="Member"
          help="The key sees the connections of this member's clients."
          error={errors.of("member_id")}
          options={(members.data ?? [member]).map(({ email, id }) => ({ value: id, title: email }))}
          value={memberId}
          onChange={setMemberId}
        />
      )}
      <Choice label="What it may do" name="access" options={accessOptions} value={access} onChange={setAccess} />
      {access === "read_write" && <WriteFields rights={rights} onChange={setRights} />}
      <MoreOptions count={3 + budgetFieldCount} isOpen={folded.some((field) => errors.of(field) !== undefined)}>
        <LimitFields rights={rights} errorOf={errors.of} onChange={setRights} />
        <KeyLimits isAdmin={isAdmin} limits={limits} error={errors.of("expires_at")} onChange={setLimits} />
      </MoreOptions>
    </FormDialog>
  )
}
