import { ErrorNotice } from "../Parts/ErrorNotice.tsx"
import { TextField } from "../Parts/Field.tsx"
import { submitting, useForm } from "../Parts/Form.ts"
import { useServiceMutation } from "../Service/Queries.ts"
import { addPasskey } from "./PasskeyCeremony.ts"

const empty = { name: "", current_password: "" }

export const PasskeyForm = ({ needsCurrent, onDone }: {
  readonly needsCurrent: boolean
  readonly onDone: () => void
}) => {
  const add = useServiceMutation(addPasskey, ["passkeys", "session"])
  const form = useForm(empty, [add], (passkey) =>
    add.mutate(passkey, {
      onSuccess: () => {
        form.set(empty)
        onDone()
      }
    }))
  const { busy, error, onSubmit } = form.dialog
  return (
    <form className="stack narrow" onSubmit={submitting(onSubmit)}>
      <TextField
        label="Name of the passkey"
        help="To tell your devices apart, such as “Work laptop”."
        required
        maxLength={200}
        {...form.field("name")}
      />
      {(needsCurrent || form.hasError("current_password")) && (
        <TextField
          label="Password, to confirm"
          type="password"
          autoComplete="current-password"
          {...form.field("current_password")}
        />
      )}
      {error && <ErrorNotice error={error} />}
      <div className="row-of">
        <button disabled={busy}>Add a passkey</button>
        {add.isSuccess && <span role="status">The passkey is added.</span>}
      </div>
    </form>
  )
}
