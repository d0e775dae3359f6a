import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { useServiceMutation } from "../../Service/Queries.ts"

export const OidcBinding = ({ isBound }: { readonly isBound: boolean }) => {
  const unbind = useServiceMutation(({ oidc }) => oidc.unbind(), ["session"])
  return (
    <div className="stack narrow">
      <p className="muted">
        {isBound
          ? "You can sign in with the account of your organization."
          : "Bind this account to sign in without a password. It must be within 15 minutes of signing in."}
      </p>
      {unbind.error && <ErrorNotice error={unbind.error} />}
      <div className="row-of">
        {isBound
          ? <button type="button" disabled={unbind.isPending} onClick={() => unbind.mutate()}>Unbind it</button>
          : <a className="button" href="/auth/oidc">Bind it</a>}
      </div>
    </div>
  )
}
