import { type FormEvent, useState } from "react"
import { minPasswordLength } from "../../Domain/SignIn/Password.ts"
import { ErrorNotice } from "../Parts/ErrorNotice.tsx"
import { TextField } from "../Parts/Field.tsx"
import { fieldErrors } from "../Parts/FieldErrors.ts"
import { useServiceMutation } from "../Service/Queries.ts"
import { passwordOf } from "./Secrets.ts"

export const PasswordForm = ({ action, needsCurrent, onDone }: {
  readonly needsCurrent: boolean
  readonly action: string
  readonly onDone: () => void
}) => {
  const [current, setCurrent] = useState("")
  const [password, setPassword] = useState("")
  const save = useServiceMutation(
    ({ session }, { current, password }: { current: string; password: string }) =>
      session.setPassword({
        payload: {
          password: passwordOf(password),
          ...current !== "" && { current_password: passwordOf(current) }
        }
      }),
    ["session", "sessions"]
  )
  const errors = fieldErrors(save.error, ["password", "current_password"])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ current, password }, { onSuccess: onDone })
  }
  return (
    <form className="stack narrow" onSubmit={submit}>
      {needsCurrent && (
        <TextField
          label="Current password"
          error={errors.of("current_password")}
          type="password"
          autoComplete="current-password"
          required
          value={current}
          onChange={setCurrent}
        />
      )}
      <TextField
        label="New password"
        help={`At least ${minPasswordLength} characters. Your other sessions end.`}
        error={errors.of("password")}
        type="password"
        autoComplete="new-password"
        required
        minLength={minPasswordLength}
        value={password}
        onChange={setPassword}
      />
      {errors.unplaced && <ErrorNotice error={errors.unplaced} />}
      <div className="row-of">
        <button className="primary" disabled={save.isPending}>{action}</button>
        {save.isSuccess && <span role="status">The password is set.</span>}
      </div>
    </form>
  )
}
