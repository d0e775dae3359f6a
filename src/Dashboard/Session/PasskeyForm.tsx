import { type FormEvent, useState } from "react"
import { ErrorNotice } from "../Parts/ErrorNotice.tsx"
import { Field } from "../Parts/Field.tsx"
import { mistakesOf } from "../Parts/Mistakes.ts"
import { useChange } from "../Service/Queries.ts"
import { addPasskey, type NewPasskey } from "./PasskeyCeremony.ts"

/** Adds a passkey of this browser or device. */
export const PasskeyForm = ({ needsCurrent, onDone }: {
  readonly needsCurrent: boolean
  readonly onDone: () => void
}) => {
  const [name, setName] = useState("")
  const [currentPassword, setCurrentPassword] = useState("")
  const add = useChange((service, passkey: NewPasskey) => addPasskey(service, passkey), ["passkeys", "session"])
  const mistakes = mistakesOf(add.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate({ name, currentPassword }, {
      onSuccess: () => {
        setName("")
        setCurrentPassword("")
        onDone()
      }
    })
  }
  return (
    <form className="stack narrow" onSubmit={submit}>
      <Field
        label="Name of the passkey"
        help="To tell your devices apart, such as “Work laptop”."
        mistake={mistakes.get("name")}
      >
        {(attributes) => (
          <input
            {...attributes}
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {(needsCurrent || mistakes.has("current_password")) && (
        <Field label="Password, to confirm" mistake={mistakes.get("current_password")}>
          {(attributes) => (
            <input
              {...attributes}
              type="password"
              autoComplete="current-password"
              value={currentPassword}
              onChange={(event) => setCurrentPassword(event.target.value)}
            />
          )}
        </Field>
      )}
      {add.error && !mistakes.has("current_password") && !mistakes.has("name") && <ErrorNotice error={add.error} />}
      <div className="row-of">
        <button className="primary" disabled={add.isPending}>Add a passkey</button>
        {add.isSuccess && <span role="status">The passkey is added.</span>}
      </div>
    </form>
  )
}
