import { useState } from "react"
import { Link, useLocation } from "wouter"
import type { Connection } from "../../../Domain/Connection.ts"
import { Choice } from "../../Parts/Choice.tsx"
import { Empty } from "../../Parts/Empty.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { fieldErrors } from "../../Parts/FieldErrors.ts"
import { submitting } from "../../Parts/Form.ts"
import { Page } from "../../Parts/Page.tsx"
import { useById } from "../../Service/ById.ts"
import { useConnections, useCreateLink, useProviders, useReconnect } from "../../Service/Lists.ts"
import { type ConnectMethod, connectMethodsOf } from "./ConnectMethods.ts"
import { type Credentials, CredentialsField } from "./Credentials.tsx"
import { LinkUrl } from "./LinkUrl.tsx"
import { useSignInTab } from "./SignInTab.ts"

export const Reconnect = ({ id }: { readonly id: string }) => {
  const connections = useConnections()
  const connection = useById(connections.data)(id)
  return (
    <Page
      title={connection ? `Reconnect ${connection.label}` : "Reconnect"}
      about="New credentials under the same id: scripts that name it go on without a change."
    >
      {connections.error && <ErrorNotice error={connections.error} isRead />}
      {connection
        ? <ReconnectForm connection={connection} />
        : connections.data && (
          <Empty action={<Link href="/connections">All connections</Link>}>There is no connection {id}.</Empty>
        )}
    </Page>
  )
}

const ReconnectForm = ({ connection }: { readonly connection: Connection }) => {
  const [, navigate] = useLocation()
  const providers = useProviders()
  const [method, setMethod] = useState<ConnectMethod>(
    connection.auth_type === "oauth" ? "sign_in" : connection.auth_type
  )
  const [statusBefore] = useState(connection.status)
  const signIn = useSignInTab()
  const createLink = useCreateLink()
  const [credentials, setCredentials] = useState<Credentials>()
  const provider = providers.data?.find(({ id }) => id === connection.provider)
  const reconnect = useReconnect()
  const errors = fieldErrors(reconnect.error ?? signIn.error ?? createLink.error, ["credentials"])
  const submit = submitting(() => {
    if (method === "sign_in") return signIn.begin({ connection_id: connection.id })
    if (method === "link") return createLink.mutate({ connection_id: connection.id })
    if (!credentials) return
    reconnect.mutate({ id: connection.id, auth_type: method, credentials, test: true }, {
      onSuccess: () => navigate(`/connections/${connection.id}`)
    })
  })
  return (
    <form className="stack narrow in-order" onSubmit={submit}>
      <Choice
        label="How to connect"
        name="method"
        busy={providers.isPending}
        options={connectMethodsOf(provider?.auth_methods ?? [connection.auth_type])}
        value={method}
        onChange={setMethod}
      />
      <CredentialsField key={method} method={method} error={errors.of("credentials")} onChange={setCredentials} />
      {signIn.isSuccess && (
        <div className="notice" role="status">
          {statusBefore !== "active" && connection.status === "active"
            ? <strong>{connection.external_account ?? connection.label} is connected again.</strong>
            : "Finish the sign-in in the other tab."}
          <Link href={`/connections/${connection.id}`}>Open the connection</Link>
        </div>
      )}
      {errors.unplaced && <ErrorNotice error={errors.unplaced} />}
      <div className="row-of">
        <button className="primary" disabled={reconnect.isPending || signIn.isPending || createLink.isPending}>
          {method === "sign_in" ? "Sign in at the provider" : method === "link" ? "Make a connect link" : "Reconnect"}
        </button>
      </div>
      {createLink.data && <LinkUrl link={createLink.data} onClose={createLink.reset} />}
    </form>
  )
}
