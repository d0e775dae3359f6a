import { useState } from "react"
import { Link, useLocation } from "wouter"
import { EmailField } from "../Parts/EmailField.tsx"
import { ErrorNotice } from "../Parts/ErrorNotice.tsx"
import { TextField } from "../Parts/Field.tsx"
import { submitting, useForm } from "../Parts/Form.ts"
import { Mark } from "../Parts/Mark.tsx"
import { usePageTitle } from "../Parts/PageTitle.ts"
import { useSignInMethods } from "../Service/Lists.ts"
import { useServiceMutation } from "../Service/Queries.ts"
import { applicationName } from "../Service/ServedPage.ts"
import { PasskeyForm } from "./PasskeyForm.tsx"
import { PasswordForm } from "./PasswordForm.tsx"
import { linkTokenOf } from "./Secrets.ts"

/** The token comes after `#`, so that it never reaches a server log. */
export const OpenLink = () => {
  const [, navigate] = useLocation()
  const [token] = useState(() => location.hash.slice(1))
  const open = useServiceMutation(
    ({ signIn }, first: { readonly email?: string; readonly name?: string }) =>
      signIn.link({ payload: { token: linkTokenOf(token), ...first } }),
    []
  )
  const form = useForm(
    { email: "", name: "" },
    [open],
    ({ email, name }) => open.mutate(isSetup ? { email, ...name !== "" && { name } } : {})
  )
  const { email } = form.values
  const { busy, error, onSubmit } = form.dialog
  const isSetup = form.hasError("email") || email !== ""
  const methods = useSignInMethods().data ?? []
  usePageTitle("Welcome")
  if (open.data) {
    return (
      <main className="door">
        <Mark size={40} />
        <h1>Welcome{open.data.member.name !== null && `, ${open.data.member.name}`}</h1>
        <p className="muted">
          You are signed in as <bdi>{open.data.member.email}</bdi>. Set a password, to sign in again later.
        </p>
        <PasswordForm needsCurrent={false} action="Set the password" onDone={() => navigate("/")} />
        {methods.includes("passkey") && (
          <details className="more">
            <summary>Add a passkey instead</summary>
            <PasskeyForm needsCurrent={false} onDone={() => navigate("/")} />
          </details>
        )}
        {methods.includes("oidc") && <a className="button" href="/auth/oidc">Bind the account of your organization</a>}
        <Link href="/">Skip this</Link>
      </main>
    )
  }
  return (
    <main className="door">
      <Mark size={40} />
      <h1>Welcome to {applicationName}</h1>
      {token === ""
        ? <p className="notice attention">This link is incomplete. Copy all of it, also what follows the #.</p>
        : (
          <form className="stack" onSubmit={submitting(onSubmit)}>
            <p className="muted">
              {isSetup ? "You become the first admin of this service." : "This link signs you in. It works once."}
            </p>
            {isSetup && (
              <>
                <EmailField
                  autoFocus
                  autoComplete="username"
                  {...form.field("email")}
                  error={email === "" ? undefined : form.errorOf("email")}
                />
                <TextField label="Name (optional)" autoComplete="name" {...form.field("name")} />
              </>
            )}
            {error && <ErrorNotice error={error} />}
            {open.error?.code === "unauthenticated"
              ? <Link className="button primary" href="/">Sign in</Link>
              : <button className="primary" disabled={busy}>Continue</button>}
          </form>
        )}
    </main>
  )
}
