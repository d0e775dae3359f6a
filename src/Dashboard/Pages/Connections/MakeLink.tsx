import type { Connection } from "../../../Domain/Connection.ts"
import type { LinkAccess } from "../../../Domain/ConnectLink.ts"
import { accessWords } from "../../Parts/Access.ts"
import { CheckList } from "../../Parts/CheckList.tsx"
import { Choice } from "../../Parts/Choice.tsx"
import { ClientField } from "../../Parts/ClientField.tsx"
import { TextField } from "../../Parts/Field.tsx"
import { useForm } from "../../Parts/Form.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { MoreOptions } from "../../Parts/MoreOptions.tsx"
import { namedOptions, SelectField } from "../../Parts/Select.tsx"
import { onlyId } from "../../Service/ById.ts"
import { productNames, useClients, useCreateLink, useProviders } from "../../Service/Lists.ts"
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

interface Values {
  readonly client_id: string
  /** Without a choice, every provider. */
  readonly providers: ReadonlyArray<string> | undefined
  readonly label: string
  readonly access: LinkAccess
  readonly expires_in: string
  readonly redirect_url: string
}

export const MakeLink = ({ clientId: firstClientId = "", connection, onClose }: {
  readonly clientId?: string
  readonly connection?: Connection
  readonly onClose: () => void
}) => {
  const clients = useClients()
  const providers = useProviders()
  const create = useCreateLink()
  const form = useForm<Values>(
    {
      client_id: firstClientId,
      providers: undefined,
      label: "",
      access: "read_only",
      expires_in: String(7 * daySeconds),
      redirect_url: ""
    },
    [create],
    ({ access, expires_in, label, redirect_url }) =>
      create.mutate({
        ...connection
          ? { connection_id: connection.id }
          : { client_id: clientId, providers: providerIds, access, ...label !== "" && { label } },
        ...redirect_url !== "" && { redirect_url },
        expires_in: Number(expires_in)
      })
  )
  const clientId = form.values.client_id === "" ? onlyId(clients.data) : form.values.client_id
  const providerIds = form.values.providers ?? providers.data?.map(({ id }) => id) ?? []
  if (create.data) return <LinkUrl link={create.data} onClose={onClose} />
  return (
    <FormDialog
      title={connection ? `Make a link to reconnect ${connection.label}` : "Make a connect link"}
      action="Make the link"
      {...form.dialog}
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
            clients={clients.data}
            {...form.field("client_id")}
            value={clientId}
          />
          <CheckList
            label="What may be connected"
            expected={Object.keys(productNames).length + 1}
            options={providers.data && namedOptions(providers.data)}
            {...form.field("providers")}
            value={providerIds}
          />
          <Choice label="What is asked for" name="access" options={accessOptions} {...form.field("access")} />
        </>
      )}
      <SelectField
        label="It works for"
        options={lifetimes}
        {...form.field("expires_in")}
      />
      <MoreOptions
        count={connection ? 1 : 2}
        isOpen={form.hasError("label", "redirect_url")}
      >
        {!connection && (
          <TextField
            label="Name of the connection"
            help="By default the names of client and provider."
            {...form.field("label")}
          />
        )}
        <TextField
          label="Page to return to"
          help="A page of yours, at an address that the operator of this service allows."
          type="url"
          {...form.field("redirect_url")}
        />
      </MoreOptions>
    </FormDialog>
  )
}
