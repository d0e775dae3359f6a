import { type FormEvent, useState } from "react"
import type { KeyAccess } from "../../../Domain/ApiKey.ts"
import { accessOptions } from "../../Parts/Access.ts"
import { Choice } from "../../Parts/Choice.tsx"
import { Dialog } from "../../Parts/Dialog.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Field } from "../../Parts/Field.tsx"
import { fieldErrors } from "../../Parts/FieldErrors.ts"
import { SecretDialog } from "../../Parts/SecretDialog.tsx"
import { Select } from "../../Parts/Select.tsx"
import { useMembers } from "../../Service/Lists.ts"
import { useServiceMutation } from "../../Service/Queries.ts"
import { serviceUrl } from "../../Service/ServedPage.ts"
import { useSession } from "../../Session/Session.tsx"

const curlOf = (secret: string) => `curl -s ${serviceUrl}/v1/connections -H "Authorization: Bearer ${secret}"`

export const MakeKey = ({ onClose }: { readonly onClose: () => void }) => {
  const { isAdmin, member } = useSession()
  const [name, setName] = useState("")
  const [access, setAccess] = useState<KeyAccess>("read_only")
  const [memberId, setMemberId] = useState<string>(member.id)
  const members = useMembers(isAdmin)
  const create = useServiceMutation(
    (service, payload: { name: string; access: KeyAccess; member_id: string }) => service.keys.create({ payload }),
    ["keys"]
  )
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
  const errors = fieldErrors(create.error, ["name", "member_id"])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ name, access, member_id: memberId })
  }
  return (
    <Dialog title="Make a key" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Name" help="The script or server that will use it." error={errors.of("name")}>
          {(attributes) => (
            <input
              {...attributes}
              required
              autoFocus
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        {isAdmin && (
          <Field
            label="Member"
            help="The key sees the connections of this member's clients."
            error={errors.of("member_id")}
          >
            {(attributes) => (
              <Select
                attributes={attributes}
                options={(members.data ?? [member]).map(({ email, id }) => ({ value: id, title: email }))}
                value={memberId}
                onChange={setMemberId}
              />
            )}
          </Field>
        )}
        <Choice label="What it may do" name="access" options={accessOptions} value={access} onChange={setAccess} />
        {errors.unplaced && <ErrorNotice error={errors.unplaced} />}
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>Cancel</button>
          <button className="primary" disabled={create.isPending}>Make the key</button>
        </div>
      </form>
    </Dialog>
  )
}
