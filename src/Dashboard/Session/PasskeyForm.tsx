import { type FormEvent, useState } from "react"
import { ErrorNotice } from "../Parts/ErrorNotice.tsx"
import { TextField } from "../Parts/Field.tsx"
import { fieldErrors } from "../Parts/FieldErrors.ts"
import { useServiceMutation } from "../Service/Queries.ts"
import { addPasskey, type NewPasskey } from "./PasskeyCeremony.ts"

export const PasskeyForm = ({ needsCurrent, onDone }: {
  readonly needsCurrent: boolean
  readonly onDone: () => void
}) => {
  const [name, setName] = useState("")
  const [currentPassword, setCurrentPassword] = useState("")
  const add = useServiceMutation((service, passkey: NewPasskey) => addPasskey(service, passkey), [
    "passkeys",
    "session"
  ])
  const errors = fieldErrors(add.error, ["name", "current_password"])
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
      <TextField
        label="Name of the passkey"
        help="To tell your devices apart, such as “Work laptop”."
        error={errors.of("name")}
        required
        maxLength={200}
        value={name}
        onChange={setName}
      />
      {(needsCurrent || errors.of("current_password") !== undefined) && (
        <TextField
          label="Password, to confirm"
          error={errors.of("current_password")}
          type="password"
          autoComplete="current-password"
          value={currentPassword}
          onChange={setCurrentPassword}
        />
      )}
      {errors.unplaced && <ErrorNotice error={errors.unplaced} />}
      <div className="row-of">
        <button disabled={add.isPending}>Add a passkey</button>
        {add.isSuccess && <span role="status">The passkey is added.</span>}
      </div>
    </form>
  )
}
