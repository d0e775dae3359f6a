import { useState } from "react"
import { EmailField } from "../Parts/EmailField.tsx"
import { ErrorNotice } from "../Parts/ErrorNotice.tsx"
import { TextField } from "../Parts/Field.tsx"
import { submitting } from "../Parts/Form.ts"
import { Mark } from "../Parts/Mark.tsx"
import { usePageTitle } from "../Parts/PageTitle.ts"
import { useSignInMethods } from "../Service/Lists.ts"
import { useServiceMutation } from "../Service/Queries.ts"
import { applicationName } from "../Service/ServedPage.ts"
import { signInWithPasskey } from "./PasskeyCeremony.ts"
import { rememberThisPage } from "./ReturnToPage.tsx"
import { passwordOf } from "./Secrets.ts"

export const SignIn = ({ onSignedIn }: { readonly onSignedIn: () => void }) => {
  const [email, setEmail] = useState("")
  const [password, setPassword] = useState("")
  const signIn = useServiceMutation(
    ({ signIn }, { email, password }: { email: string; password: string }) =>
      signIn.password({ payload: { email, password: passwordOf(password) } }),
    []
  )
  const passkey = useServiceMutation(signInWithPasskey, [])
  const methods = useSignInMethods().data ?? []
  usePageTitle("Sign in")
  const submit = submitting(() => signIn.mutate({ email, password }, { onSuccess: onSignedIn }))
  return (
    <main className="door">
      <Mark size={40} />
      <h1>Sign in to {applicationName}</h1>
      <form className="stack" onSubmit={submit}>
        <EmailField autoFocus autoComplete="username" value={email} onChange={setEmail} />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
        />
        {signIn.error && <ErrorNotice error={signIn.error} />}
        <button className="primary" disabled={signIn.isPending}>Sign in</button>
      </form>
      {methods.includes("passkey") && (
        <button
          type="button"
          disabled={passkey.isPending}
          onClick={() => passkey.mutate(undefined, { onSuccess: onSignedIn })}
        >
          Sign in with a passkey
        </button>
      )}
      {passkey.error && <ErrorNotice error={passkey.error} />}
      {methods.includes("oidc") && (
        <a className="button" href="/auth/oidc" onClick={rememberThisPage}>Sign in with your organization</a>
      )}
      <p className="meta">
        Without a password, or with one that is lost: ask an admin for a sign-in link. The first admin opens the setup
        link that the service prints when it starts.
      </p>
    </main>
  )
}
