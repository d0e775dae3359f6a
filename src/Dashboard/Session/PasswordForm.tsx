import { minPasswordLength } from "../../Domain/SignIn/Password.ts"
import { ErrorNotice } from "../Parts/ErrorNotice.tsx"
import { TextField } from "../Parts/Field.tsx"
import { submitting, useForm } from "../Parts/Form.ts"
import { useServiceMutation } from "../Service/Queries.ts"
import { passwordOf } from "./Secrets.ts"

export const PasswordForm = ({ action, needsCurrent, onDone }: {
  readonly needsCurrent: boolean
  readonly action: string
  readonly onDone: () => void
}) => {
  const save = useServiceMutation(
    ({ session }, { current_password, password }: { current_password: string; password: string }) =>
      session.setPassword({
        payload: {
          password: passwordOf(password),
          ...current_password !== "" && { current_password: passwordOf(current_password) }
        }
      }),
    ["session", "sessions"]
  )
  const form = useForm(
    { current_password: "", password: "" },
    [save],
    (values) => save.mutate(values, { onSuccess: onDone })
  )
  const { busy, error, onSubmit } = form.dialog
  return (
    <form className="stack narrow" onSubmit={submitting(onSubmit)}>
      {needsCurrent && (
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          {...form.field("current_password")}
        />
      )}
      <TextField
        label="New password"
        help={`At least ${minPasswordLength} characters. Your other sessions end.`}
        type="password"
        autoComplete="new-password"
        required
        minLength={minPasswordLength}
        {...form.field("password")}
      />
      {error && <ErrorNotice error={error} />}
      <div className="row-of">
        <button className="primary" disabled={busy}>{action}</button>
        {save.isSuccess && <span role="status">The password is set.</span>}
      </div>
    </form>
  )
}
