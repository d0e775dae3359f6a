import { type FormEvent, useState } from "react"
import type { KeyAccess } from "../../../Domain/ApiKey.ts"
import { Choice } from "../../Parts/Choice.tsx"
import { Code } from "../../Parts/Code.tsx"
import { Dialog } from "../../Parts/Dialog.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Field } from "../../Parts/Field.tsx"
import { mistakesOf } from "../../Parts/Mistakes.ts"
import { useMembers } from "../../Service/Lists.ts"
import { useChange } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"

const accessOptions = [
  {
    value: "read_only",
    title: "Read-only",
    help: "Reads reports, spreadsheets and documents. Calls that change data are refused."
  },
  { value: "read_write", title: "Read and write", help: "Also changes spreadsheets and documents, and submits URLs." }
] as const

const curlOf = (secret: string) => `curl -s ${location.origin}/v1/connections -H "Authorization: Bearer ${secret}"`

/** Asks for a name and the rights, then shows the secret once. */
export const MakeKey = ({ onClose }: { readonly onClose: () => void }) => {
  const { isAdmin, member } = useSession()
  const [name, setName] = useState("")
  const [access, setAccess] = useState<KeyAccess>("read_only")
  const [memberId, setMemberId] = useState<string>(member.id)
  const members = useMembers(isAdmin)
  const create = useChange(
    (service, payload: { name: string; access: KeyAccess; member_id: string }) => service.keys.create({ payload }),
    ["keys"]
  )
  if (create.data) return <KeySecret name={create.data.name} secret={create.data.key} onClose={onClose} />
  const mistakes = mistakesOf(create.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ name, access, member_id: memberId })
  }
  return (
    <Dialog title="Make a key" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Name" help="The script or server that will use it." mistake={mistakes.get("name")}>
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
            mistake={mistakes.get("member_id")}
          >
            {(attributes) => (
              <select
                {...attributes}
                value={memberId}
                onChange={(event) => setMemberId(event.target.value)}
              >
                {(members.data ?? [member]).map(({ email, id }) => <option key={id} value={id}>{email}</option>)}
              </select>
            )}
          </Field>
        )}
        <Choice label="What it may do" name="access" options={accessOptions} value={access} onChange={setAccess} />
        {create.error && mistakes.size === 0 && <ErrorNotice error={create.error} />}
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
