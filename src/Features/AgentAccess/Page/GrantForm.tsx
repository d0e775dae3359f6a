import { accessOptions } from "../../../Dashboard/Parts/Access.ts"
import { CheckList } from "../../../Dashboard/Parts/CheckList.tsx"
import { Choice } from "../../../Dashboard/Parts/Choice.tsx"
import { useForm } from "../../../Dashboard/Parts/Form.ts"
import { FormDialog } from "../../../Dashboard/Parts/FormDialog.tsx"
import { useProviderName } from "../../../Dashboard/Parts/Provider.tsx"
import { LimitFields } from "../../../Dashboard/Rights/LimitFields.tsx"
import { changedRights } from "../../../Dashboard/Rights/Rights.ts"
import { WriteFields } from "../../../Dashboard/Rights/WriteFields.tsx"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useChangeGrant, useConnections, useMembers } from "../../../Dashboard/Service/Lists.ts"
import { useSession } from "../../../Dashboard/Session/Session.tsx"
import type { Grant } from "../../../Domain/Access/Grant.ts"
import { rightsOf } from "../../../Domain/Access/Rights.ts"

const useGrantableConnections = ({ connection_ids, member_id }: Grant) => {
  const { isAdmin } = useSession()
  const nameOf = useProviderName()
  const clientIds = useById(useMembers(isAdmin).data)(member_id)?.client_ids ?? null
  return useConnections().data
    ?.filter(({ client_id, id, status }) =>
      connection_ids?.includes(id) ||
      status !== "revoked" && (clientIds === null || client_id !== null && clientIds.includes(client_id))
    )
    .map(({ id, label, provider }) => ({ value: id, title: `${label} (${nameOf(provider)})` }))
}

export const GrantForm = ({ grant, onClose }: { readonly grant: Grant; readonly onClose: () => void }) => {
  const connections = useGrantableConnections(grant)
  const change = useChangeGrant()
  const rights = rightsOf(grant)
  const form = useForm(
    {
      access: grant.access,
      limited: grant.connection_ids === null ? "all" : "some",
      connection_ids: grant.connection_ids ?? [],
      ...rights
    },
    [change],
    ({ access, connection_ids, limited, ...values }) =>
      change.mutate({
        id: grant.id,
        access,
        connection_ids: limited === "all" ? null : connection_ids,
        ...changedRights(rights, values)
      }, { onSuccess: onClose })
  )
  const { access, limited } = form.values
  return (
    <FormDialog title={`Change ${grant.agent.name}`} action="Change the agent" {...form.dialog} onClose={onClose}>
      <p className="muted">It applies within a second.</p>
      <Choice label="What it may do" name="access" options={accessOptions} {...form.field("access")} />
      {grant.access === "read_only" && access === "read_write" && (
        <p className="notice">
          The agent's present token may be for reading only. It then signs in again before it can write.
        </p>
      )}
      {access === "read_write" && <WriteFields rights={form.values} onChange={form.set} />}
      <Choice
        label="Connections"
        name="connections"
        options={[
          { value: "all", title: "All connections", help: "Those that the member sees, also future ones." },
          { value: "some", title: "Chosen connections", help: "The agent sees no others." }
        ]}
        {...form.field("limited")}
      />
      {limited === "some" && (
        <CheckList
          label="Chosen connections"
          options={connections}
          empty="The member sees no connection."
          {...form.field("connection_ids")}
        />
      )}
      <LimitFields rights={form.values} errorOf={form.errorOf} onChange={form.set} />
    </FormDialog>
  )
}
