import { useState } from "react"
import type { Connection } from "../../../Domain/Connection.ts"
import type { LinkAccess } from "../../../Domain/ConnectLink.ts"
import { accessWords } from "../../Parts/Access.ts"
import { CheckList } from "../../Parts/CheckList.tsx"
import { Choice } from "../../Parts/Choice.tsx"
import { ClientField } from "../../Parts/ClientField.tsx"
import { TextField } from "../../Parts/Field.tsx"
import { fieldErrors } from "../../Parts/FieldErrors.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { MoreOptions } from "../../Parts/MoreOptions.tsx"
import { namedOptions, SelectField } from "../../Parts/Select.tsx"
import { onlyId } from "../../Service/ById.ts"
import { useClients, useProviders } from "../../Service/Lists.ts"
import { useCreateLink } from "./CreateLink.ts"
import { LinkUrl } from "./LinkUrl.tsx"

const daySeconds = 86_400

const lifetimes = [
  { value: String(daySeconds / 24), title: "An hour" },
  { value: String(daySeconds), title: "A day" },
  { value: String(7 * daySeconds), title: "7 days" },
  { value: String(30 * daySeconds), title: "30 days" }
]

const accessOptions = [
  { value: "read_only", title: accessWords.read_only, help: "The account's owner is asked only for reading." },
  {
    value: "read_write",
    title: accessWords.read_write,
    help: "Keys and agents with this right can also write through the account."
  }
] as const

export const MakeLink = ({ clientId: firstClientId = "", connection, onClose }: {
  readonly clientId?: string
  readonly connection?: Connection
  readonly onClose: () => void
}) => {
  const [chosenClient, setClientId] = useState(firstClientId)
  const [chosenIds, setProviderIds] = useState<ReadonlyArray<string>>()
  const [label, setLabel] = useState("")
  const [access, setAccess] = useState<LinkAccess>("read_only")
  const [lifetime, setLifetime] = useState(String(7 * daySeconds))
  const [redirectUrl, setRedirectUrl] = useState("")
  const clients = useClients()
  const providers = useProviders()
  const clientId = chosenClient === "" ? onlyId(clients.data) : chosenClient
  const allIds = providers.data?.map(({ id }) => id) ?? []
  const providerIds = chosenIds ?? allIds
  const create = useCreateLink()
  const errors = fieldErrors(create.error, ["client_id", "providers", "label", "expires_in", "redirect_url"])
  if (create.data) return <LinkUrl link={create.data} onClose={onClose} />
  const submit = () =>
    create.mutate({
      ...connection ? { connection_id: connection.id } : { client_id: clientId },
      ...!connection && { providers: providerIds },
      ...!connection && label !== "" && { label },
      ...redirectUrl !== "" && { redirect_url: redirectUrl },
      ...!connection && { access },
      expires_in: Number(lifetime)
    })
  return (
    <FormDialog
      title={connection ? `Make a link to reconnect ${connection.label}` : "Make a connect link"}
      action="Make the link"
      busy={create.isPending}
      error={errors.unplaced}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="muted">
        {connection
          ? "Its owner signs in on a page of this service, without an account here. The connection keeps its id."
          : "The account's owner connects it on a page of this service, without an account here."}
      </p>
      {!connection && (
        <>
          <ClientField
            help="It owns what is connected."
            error={errors.of("client_id")}
            clients={clients.data}
            value={clientId}
            onChange={setClientId}
          />
          <CheckList
            label="What may be connected"
            options={providers.data && namedOptions(providers.data)}
            chosen={providerIds}
            empty="There is no provider."
            onChange={setProviderIds}
          />
          {errors.of("providers") !== undefined && <p className="field-error">{errors.of("providers")}</p>}
          <Choice label="What is asked for" name="access" options={accessOptions} value={access} onChange={setAccess} />
        </>
      )}
      <SelectField
        label="It works for"
        error={errors.of("expires_in")}
        options={lifetimes}
        value={lifetime}
        onChange={setLifetime}
      />
      <MoreOptions
        count={connection ? 1 : 2}
        isOpen={errors.of("label") !== undefined || errors.of("redirect_url") !== undefined}
      >
        {!connection && (
          <TextField
            label="Name of the connection"
            help="By default the names of client and provider."
            error={errors.of("label")}
            value={label}
            onChange={setLabel}
          />
        )}
        <TextField
          label="Page to return to"
          help="A page of yours, at an address that the operator of this service allows."
          error={errors.of("redirect_url")}
          type="url"
          value={redirectUrl}
          onChange={setRedirectUrl}
        />
      </MoreOptions>
    </FormDialog>
  )
}
