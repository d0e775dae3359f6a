import type { ApiKey } from "../../../Domain/Access/ApiKey.ts"
import { newKeyRights, rightsOf } from "../../../Domain/Access/Rights.ts"
import type { ManageArea } from "../../../Domain/Request/ManagementScope.ts"
import { accessOptions } from "../../Parts/Access.ts"
import { shellWord } from "../../Parts/CallText.ts"
import { CheckList } from "../../Parts/CheckList.tsx"
import { Choice } from "../../Parts/Choice.tsx"
import { TextField } from "../../Parts/Field.tsx"
import { useForm } from "../../Parts/Form.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { MoreOptions } from "../../Parts/MoreOptions.tsx"
import { SecretDialog } from "../../Parts/SecretDialog.tsx"
import { type Option, SelectField } from "../../Parts/Select.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { budgetFieldCount } from "../../Rights/BudgetFields.tsx"
import { LimitFields } from "../../Rights/LimitFields.tsx"
import { changedRights } from "../../Rights/Rights.ts"
import { WriteFields } from "../../Rights/WriteFields.tsx"
import { useChangeKey, useClients, useCreateKey, useMembers } from "../../Service/Lists.ts"
import { featuresOff, serviceUrl } from "../../Service/ServedPage.ts"
import { useSession } from "../../Session/Session.tsx"

const curlOf = (secret: string) =>
  `curl -s ${shellWord(`${serviceUrl}/v1/connections`)} -H ${shellWord(`Authorization: Bearer ${secret}`)}`

const areas: ReadonlyArray<Option<ManageArea>> = [
  { value: "connect_links", title: "Connect links" },
  { value: "connections", title: "Connections" },
  { value: "webhooks", title: "Webhooks" }
]

/** The owner is a member or a client. */
const clientOf = (owner: string): string | undefined => owner.startsWith("cli_") ? owner : undefined

/** A local date, as in `2030-01-31`. */
const dayOf = (at: Date | null | undefined): string => at ? new Intl.DateTimeFormat("sv").format(at) : ""

/** Makes a key, or changes `apiKey`. */
export const KeyForm = ({ apiKey, onClose }: { readonly apiKey?: ApiKey; readonly onClose: () => void }) => {
  const { isAdmin, member } = useSession()
  const members = useMembers(isAdmin)
  const clients = useClients()
  const [clientId] = useUrlState("client")
  const create = useCreateKey()
  const change = useChangeKey()
  const rights = apiKey ? rightsOf(apiKey) : newKeyRights
  const day = dayOf(apiKey?.expires_at)
  const isOfClient = isAdmin && clients.data?.some(({ id }) => id === clientId) === true
  const firstOwner = isOfClient ? clientId : String(member.id)
  const form = useForm(
    {
      name: apiKey?.name ?? "",
      access: apiKey?.access ?? "read_only",
      // Empty until it is chosen: the clients may not be there yet.
      owner: "",
      expires_at: day,
      manage: apiKey?.manage ?? [],
      ...rights
    },
    [create, change],
    ({ access, expires_at, manage, name, owner: chosenOwner, ...values }) => {
      const payload = {
        name,
        ...changedRights(rights, values),
        // An unchanged expiry keeps its time of day.
        ...expires_at !== day && { expires_at: expires_at === "" ? null : new Date(`${expires_at}T00:00`) },
        ...manage.join() !== (apiKey?.manage ?? []).join() && { manage }
      }
      if (apiKey) change.mutate({ id: apiKey.id, ...payload }, { onSuccess: onClose })
      else {
        const owner = chosenOwner || firstOwner
        const client_id = clientOf(owner)
        create.mutate({ access, ...client_id === undefined ? { member_id: owner } : { client_id }, ...payload })
      }
    }
  )
  if (create.data) {
    const { key, name } = create.data
    return (
      <SecretDialog
        title={`The key ${name} is ready`}
        name="key"
        secret={key}
        example={{ label: "Try it", text: curlOf(key) }}
        onClose={onClose}
      />
    )
  }
  const limits = (
    <>
      <LimitFields rights={form.values} errorOf={form.errorOf} onChange={form.set} />
      <TextField
        label="Expires (optional)"
        help="From the beginning of this day the key is refused."
        type="date"
        {...form.field("expires_at")}
      />
      <CheckList
        label="It may also manage, for a server"
        options={areas.filter(({ value }) => !featuresOff.includes(value) && (isAdmin || value !== "webhooks"))}
        {...form.field("manage")}
      />
    </>
  )
  return (
    <FormDialog
      title={apiKey ? `Change ${apiKey.name}` : "Make a key"}
      action={apiKey ? "Change the key" : "Make the key"}
      {...form.dialog}
      busy={form.dialog.busy || isAdmin && clientId !== "" && !clients.isFetched}
      onClose={onClose}
    >
      <TextField
        label="Name"
        help={apiKey ? undefined : "The script or server that will use it."}
        required
        {...form.field("name")}
      />
      {!apiKey && isAdmin && (
        <SelectField
          label="For"
          help={clientOf(form.values.owner || firstOwner) === undefined
            ? "The key sees the connections of this member's clients."
            : "The key sees the connections of this client alone, and no person stands behind it."}
          options={[
            ...(members.data ?? [member]).map(({ email, id }) => ({ value: String(id), title: email })),
            ...(clients.data ?? []).map(({ id, name }) => ({ value: String(id), title: `Client: ${name}` }))
          ]}
          {...form.field("owner")}
          value={form.values.owner || firstOwner}
        />
      )}
      {!apiKey && <Choice label="What it may do" name="access" options={accessOptions} {...form.field("access")} />}
      {form.values.access === "read_write" && <WriteFields rights={form.values} onChange={form.set} />}
      {apiKey ?
        limits :
        (
          <MoreOptions count={3 + budgetFieldCount} isOpen={form.hasError("expires_at", "resources", "budget")}>
            {limits}
          </MoreOptions>
        )}
    </FormDialog>
  )
}
