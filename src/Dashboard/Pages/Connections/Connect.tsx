import { type FormEvent, useState } from "react"
import { useLocation } from "wouter"
import type { AuthType, CreateConnection } from "../../../Domain/Connection.ts"
import { Choice } from "../../Parts/Choice.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Field } from "../../Parts/Field.tsx"
import { mistakesOf } from "../../Parts/Mistakes.ts"
import { Page } from "../../Parts/Page.tsx"
import { useClients, useConnections, useProviders } from "../../Service/Lists.ts"
import { useChange } from "../../Service/Queries.ts"
import { type Credentials, CredentialsField } from "./Credentials.tsx"
import { useSignInTab } from "./SignInTab.ts"

const methods = {
  oauth: { title: "Sign in", help: "The account's owner grants access on the provider's own page." },
  service_account: {
    title: "Service account",
    help: "A Google account for programs. Its key file is stored encrypted."
  },
  api_key: { title: "API key", help: "A key that the provider shows to the account's owner." }
}

export const Connect = () => {
  const [, navigate] = useLocation()
  const providers = useProviders()
  const clients = useClients()
  const [providerId, setProviderId] = useState("")
  const [clientId, setClientId] = useState("")
  const [label, setLabel] = useState("")
  const [chosen, setMethod] = useState<AuthType>()
  const [credentials, setCredentials] = useState<Credentials>()
  const provider = providers.data?.find(({ id }) => id === providerId) ?? providers.data?.[0]
  const method = provider?.auth_methods.find((each) => each === chosen) ?? provider?.auth_methods[0] ?? "oauth"

  const create = useChange(
    (service, payload: CreateConnection) => service.managedConnections.create({ payload }),
    ["connections"]
  )
  const signIn = useSignInTab()
  const error = create.error ?? signIn.error
  const mistakes = mistakesOf(error)
  const known = ["provider", "client_id", "label"]
  const credentialsMistake = [...mistakes].find(([path]) => path.startsWith("credentials"))?.[1]
  const hasUnplaced = error &&
    ![...mistakes.keys()].some((path) => known.includes(path) || path.startsWith("credentials"))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!provider) return
    const target = { provider: provider.id, client_id: clientId === "" ? null : clientId, label }
    if (method === "oauth") {
      signIn.begin(target)
    } else if (credentials) {
      create.mutate({ ...target, auth_type: method, credentials, test: true }, {
        onSuccess: ({ id }) => navigate(`/connections/${id}`)
      })
    }
  }
  return (
    <Page title="Connect an account" about="The account is tested, and stored only when the provider accepts it.">
      <form className="stack narrow" onSubmit={submit}>
        <Field label="Provider" mistake={mistakes.get("provider")}>
          {(attributes) => (
            <select
              {...attributes}
              value={provider?.id ?? ""}
              onChange={(event) => setProviderId(event.target.value)}
            >
              {providers.data?.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
            </select>
          )}
        </Field>
        <Field
          label="Client"
          help="The customer, team or project that owns the account."
          mistake={mistakes.get("client_id")}
        >
          {(attributes) => (
            <select
              {...attributes}
              value={clientId}
              onChange={(event) => setClientId(event.target.value)}
            >
              <option value="">No client</option>
              {clients.data?.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
            </select>
          )}
        </Field>
        <Field label="Name" help="How the account is called in lists." mistake={mistakes.get("label")}>
          {(attributes) => (
            <input
              {...attributes}
              required
              value={label}
              onChange={(event) => setLabel(event.target.value)}
            />
          )}
        </Field>
        {provider && (
          <Choice
            label="How to connect"
            name="method"
            options={provider.auth_methods.map((value) => ({ value, ...methods[value] }))}
            value={method}
            onChange={setMethod}
          />
        )}
        {method !== "oauth" && (
          <CredentialsField key={method} authType={method} mistake={credentialsMistake} onChange={setCredentials} />
        )}
        {hasUnplaced && <ErrorNotice error={error} />}
        {signIn.isSuccess && <WaitForSignIn label={label} />}
        <div className="row-of">
          <button className="primary" disabled={create.isPending || signIn.isPending}>
            {method === "oauth" ? "Sign in at the provider" : "Connect the account"}
          </button>
        </div>
      </form>
    </Page>
  )
}

/** The provider's page is in another tab. The new connection appears here once its owner has agreed. */
const WaitForSignIn = ({ label }: { readonly label: string }) => {
  const [started] = useState(() => new Date())
  const [, navigate] = useLocation()
  const connections = useConnections()
  const made = connections.data?.find((each) => each.label === label && each.created_at > started)
  return made
    ? (
      <div className="notice" role="status">
        <strong>{made.external_account ?? made.label} is connected.</strong>
        <button type="button" onClick={() => navigate(`/connections/${made.id}`)}>Open the connection</button>
      </div>
    )
    : <p className="notice" role="status">Finish the sign-in in the other tab. The account appears here.</p>
}
