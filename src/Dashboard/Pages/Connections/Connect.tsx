import { useState } from "react"
import { useLocation } from "wouter"
import { Choice } from "../../Parts/Choice.tsx"
import { ClientField } from "../../Parts/ClientField.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { TextField } from "../../Parts/Field.tsx"
import { fieldErrors } from "../../Parts/FieldErrors.ts"
import { submitting } from "../../Parts/Form.ts"
import { Page } from "../../Parts/Page.tsx"
import { namedOptions, SelectField } from "../../Parts/Select.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { onlyId } from "../../Service/ById.ts"
import { useClients, useConnections, useCreateConnection, useCreateLink, useProviders } from "../../Service/Lists.ts"
import { useSession } from "../../Session/Session.tsx"
import { type ConnectMethod, connectMethodsOf } from "./ConnectMethods.ts"
import { type Credentials, CredentialsField } from "./Credentials.tsx"
import { LinkUrl } from "./LinkUrl.tsx"
import { useSignInTab } from "./SignInTab.ts"

const actions = {
  sign_in: "Sign in at the provider",
  oauth: "Connect the account",
  service_account: "Connect the account",
  api_key: "Connect the account",
  link: "Make a connect link"
}

export const Connect = () => {
  const [, navigate] = useLocation()
  const { member } = useSession()
  const providers = useProviders()
  const clients = useClients()
  const [providerId, setProviderId] = useUrlState("provider")
  const [chosenClient, setClientId] = useUrlState("client")
  const [label, setLabel] = useState("")
  const [chosen, setChosen] = useState<ConnectMethod>()
  const [credentials, setCredentials] = useState<Credentials>()
  const others = member.client_ids === null ? [{ value: noClient, title: "No client" }] : []
  const clientId = chosenClient !== ""
    ? chosenClient
    : clients.data?.length === 0
    ? others[0]?.value ?? ""
    : onlyId(clients.data)
  const provider = providers.data?.find(({ id }) => id === providerId) ?? providers.data?.[0]
  const methods = connectMethodsOf(provider?.auth_methods ?? ["oauth"])
  const method = (methods.find(({ value }) => value === chosen) ?? methods[0])?.value ?? "sign_in"

  const create = useCreateConnection()
  const signIn = useSignInTab()
  const createLink = useCreateLink()
  const errors = fieldErrors(create.error ?? signIn.error ?? createLink.error, [
    "provider",
    "client_id",
    "label",
    "credentials"
  ])

  const submit = submitting(() => {
    if (!provider) return
    const target = { provider: provider.id, client_id: clientId === noClient ? null : clientId, label }
    if (method === "sign_in") {
      signIn.begin(target)
    } else if (method === "link") {
      createLink.mutate({ client_id: clientId, providers: [provider.id], ...label !== "" && { label } })
    } else if (credentials) {
      create.mutate({ ...target, auth_type: method, credentials, test: true }, {
        onSuccess: ({ id }) => navigate(`/connections/${id}`)
      })
    }
  })
  return (
    <Page title="Connect an account" about="The account is tested, and stored only when the provider accepts it.">
      <form className="stack narrow in-order" onSubmit={submit}>
        <SelectField
          label="Provider"
          error={errors.of("provider")}
          options={namedOptions(providers.data)}
          value={provider?.id ?? ""}
          onChange={setProviderId}
        />
        <ClientField
          help="The customer, team or project that owns the account."
          error={errors.of("client_id")}
          clients={clients.data}
          others={method === "link" ? [] : others}
          value={method === "link" && clientId === noClient ? "" : clientId}
          onChange={setClientId}
        />
        <TextField
          label="Name"
          help={method === "link"
            ? "Of the account in lists. By default the names of client and provider."
            : "The name of the account in lists."}
          error={errors.of("label")}
          required={method !== "link"}
          value={label}
          onChange={setLabel}
        />
        <Choice
          label="How to connect"
          name="method"
          busy={provider === undefined && providers.error === null}
          options={methods}
          value={method}
          onChange={setChosen}
        />
        <CredentialsField key={method} method={method} error={errors.of("credentials")} onChange={setCredentials} />
        {errors.unplaced && <ErrorNotice error={errors.unplaced} />}
        {signIn.isSuccess && <WaitForSignIn label={label} />}
        <div className="row-of">
          <button className="primary" disabled={create.isPending || signIn.isPending || createLink.isPending}>
            {actions[method]}
          </button>
        </div>
      </form>
      {createLink.data && <LinkUrl link={createLink.data} onClose={() => navigate("/connections/links")} />}
    </Page>
  )
}

const noClient = "none"

const WaitForSignIn = ({ label }: { readonly label: string }) => {
  const [, navigate] = useLocation()
  const connections = useConnections()
  const [before] = useState(() => new Set(connections.data?.map(({ id }) => id)))
  const made = connections.data?.find((each) => each.label === label && !before.has(each.id))
  return made
    ? (
      <div className="notice" role="status">
        <strong>{made.external_account ?? made.label} is connected.</strong>
        <button type="button" onClick={() => navigate(`/connections/${made.id}`)}>Open the connection</button>
      </div>
    )
    : <p className="notice" role="status">Finish the sign-in in the other tab. The account appears here.</p>
}
