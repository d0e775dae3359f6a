import { type FormEvent, useState } from "react"
import { Link, useLocation } from "wouter"
import type { AuthType, Connection, NewCredentials } from "../../../Domain/Connection.ts"
import { Choice } from "../../Parts/Choice.tsx"
import { Empty } from "../../Parts/Empty.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { mistakesOf } from "../../Parts/Mistakes.ts"
import { Page } from "../../Parts/Page.tsx"
import { useConnections, useProviders } from "../../Service/Lists.ts"
import { useChange } from "../../Service/Queries.ts"
import { type Credentials, CredentialsField } from "./Credentials.tsx"
import { useSignInTab } from "./SignInTab.ts"

const methods = {
  sign_in: { title: "Sign in", help: "The account's owner grants access again, on the provider's own page." },
  oauth: { title: "Refresh token", help: "From an earlier sign-in with the same OAuth application." },
  service_account: { title: "Service account", help: "A key file of a Google service account." },
  api_key: { title: "API key", help: "A key that the provider shows to the account's owner." }
}

export const Reconnect = ({ id }: { readonly id: string }) => {
  const connections = useConnections()
  const connection = connections.data?.find((each) => each.id === id)
  return (
    <Page
      title={connection ? `Reconnect ${connection.label}` : "Reconnect"}
      about="New credentials under the same id: scripts that name it go on without a change."
    >
      {connections.error && <ErrorNotice error={connections.error} />}
      {connection
        ? <ReconnectForm connection={connection} />
        : connections.data && <Empty>There is no connection {id}.</Empty>}
    </Page>
  )
}

const ReconnectForm = ({ connection }: { readonly connection: Connection }) => {
  const [, navigate] = useLocation()
  const providers = useProviders()
  const [authType, setAuthType] = useState<AuthType | "sign_in">(
    connection.auth_type === "oauth" ? "sign_in" : connection.auth_type
  )
  const [statusBefore] = useState(connection.status)
  const signIn = useSignInTab()
  const [credentials, setCredentials] = useState<Credentials>()
  const provider = providers.data?.find(({ id }) => id === connection.provider)
  const reconnect = useChange(
    (service, { id, ...payload }: NewCredentials & { id: string }) =>
      service.managedConnections.reconnect({ params: { id }, payload }),
    ["connections"]
  )
  const mistake = [...mistakesOf(reconnect.error).values()][0]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (authType === "sign_in") return signIn.begin({ connection_id: connection.id })
    if (!credentials) return
    reconnect.mutate({ id: connection.id, auth_type: authType, credentials, test: true }, {
      onSuccess: () => navigate(`/connections/${connection.id}`)
    })
  }
  return (
    <form className="stack narrow" onSubmit={submit}>
      {provider && (
        <Choice
          label="How to connect"
          name="method"
          options={provider.auth_methods
            .flatMap((value) => value === "oauth" ? ["sign_in" as const, value] : [value])
            .map((value) => ({ value, ...methods[value] }))}
          value={authType}
          onChange={setAuthType}
        />
      )}
      {authType !== "sign_in" && (
        <CredentialsField key={authType} authType={authType} mistake={mistake} onChange={setCredentials} />
      )}
      {signIn.error && <ErrorNotice error={signIn.error} />}
      {signIn.isSuccess && (
        <div className="notice" role="status">
          {statusBefore !== "active" && connection.status === "active"
            ? <strong>{connection.external_account ?? connection.label} is connected again.</strong>
            : "Finish the sign-in in the other tab."}
          <Link href={`/connections/${connection.id}`}>Open the connection</Link>
        </div>
      )}
      {reconnect.error && mistake === undefined && <ErrorNotice error={reconnect.error} />}
      <div className="row-of">
        <button className="primary" disabled={reconnect.isPending || signIn.isPending}>
          {authType === "sign_in" ? "Sign in at the provider" : "Reconnect"}
        </button>
      </div>
    </form>
  )
}
