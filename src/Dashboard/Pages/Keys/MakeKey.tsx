import { type FormEvent, useState } from "react"
import type { KeyAccess } from "../../../Domain/ApiKey.ts"
import { accessOptions } from "../../Parts/Access.ts"
import { Choice } from "../../Parts/Choice.tsx"
import { Code } from "../../Parts/Code.tsx"
import { Dialog } from "../../Parts/Dialog.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Field } from "../../Parts/Field.tsx"
import { fieldErrors } from "../../Parts/FieldErrors.ts"
import { Select } from "../../Parts/Select.tsx"
import { useMembers } from "../../Service/Lists.ts"
import { useServiceMutation } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"

const curlOf = (secret: string) => `curl -s ${location.origin}/v1/connections -H "Authorization: Bearer ${secret}"`

/** Asks for a name and the rights, then shows the secret once. */
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
  if (create.data) return <KeySecret name={create.data.name} secret={create.data.key} onClose={onClose} />
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

const KeySecret = ({ name, onClose, secret }: {
  readonly name: string
  readonly secret: string
  readonly onClose: () => void
}) => {
  const [copied, setCopied] = useState(false)
  const [asked, setAsked] = useState(false)
  const close = () => copied || asked ? onClose() : setAsked(true)
  const onCopied = () => setCopied(true)
  return (
    <Dialog title={`The key ${name} is ready`} onClose={close}>
      <p>This is the only time it is shown.</p>
      <div className="secret">
        <Code text={secret} what="the key" onCopied={onCopied} />
      </div>
      <div className="field">
        <span className="label">Try it</span>
        <Code text={curlOf(secret)} what="the command" onCopied={onCopied} />
      </div>
      {asked && !copied && (
        <p className="notice attention" role="alert">The key was not copied. Close again to lose it.</p>
      )}
      <div className="dialog-actions">
        <button type="button" className="primary" onClick={close}>Done</button>
      </div>
    </Dialog>
  )
}
