import { useState } from "react"
import { accessOptions } from "../../../Dashboard/Parts/Access.ts"
import { CheckList } from "../../../Dashboard/Parts/CheckList.tsx"
import { Choice } from "../../../Dashboard/Parts/Choice.tsx"
import { fieldErrors } from "../../../Dashboard/Parts/FieldErrors.ts"
import { FormDialog } from "../../../Dashboard/Parts/FormDialog.tsx"
import { useProviderName } from "../../../Dashboard/Parts/Provider.tsx"
import { LimitFields, limitFields } from "../../../Dashboard/Rights/LimitFields.tsx"
import { changedRights } from "../../../Dashboard/Rights/Rights.ts"
import { WriteFields } from "../../../Dashboard/Rights/WriteFields.tsx"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useConnections, useMembers } from "../../../Dashboard/Service/Lists.ts"
import { useServiceMutation } from "../../../Dashboard/Service/Queries.ts"
import { useSession } from "../../../Dashboard/Session/Session.tsx"
import type { Grant, GrantChange } from "../../../Domain/Access/Grant.ts"
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
  const [access, setAccess] = useState(grant.access)
  const [limited, setLimited] = useState<"all" | "some">(grant.connection_ids === null ? "all" : "some")
  const [connectionIds, setConnectionIds] = useState<ReadonlyArray<string>>(grant.connection_ids ?? [])
  const [rights, setRights] = useState(() => rightsOf(grant))
  const connections = useGrantableConnections(grant)
  const save = useServiceMutation(
    (service, payload: GrantChange) => service.grants.change({ params: { id: grant.id }, payload }),
    ["grants"]
  )
  const errors = fieldErrors(save.error, limitFields)
  const submit = () =>
    save.mutate({
      access,
      connection_ids: limited === "all" ? null : connectionIds,
      ...changedRights(rightsOf(grant), rights)
    }, { onSuccess: onClose })
  return (
    <FormDialog
      title={`Change ${grant.agent.name}`}
      action="Change the agent"
      busy={save.isPending}
      error={errors.unplaced}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="muted">It applies within a second.</p>
      <Choice label="What it may do" name="access" options={accessOptions} value={access} onChange={setAccess} />
      {grant.access === "read_only" && access === "read_write" && (
        <p className="notice">
          The agent's present token may be for reading only. It then signs in again before it can write.
        </p>
      )}
      {access === "read_write" && <WriteFields rights={rights} onChange={setRights} />}
      <Choice
        label="Connections"
        name="connections"
        options={[
          { value: "all", title: "All connections", help: "Those that the member sees, also future ones." },
          { value: "some", title: "Chosen connections", help: "The agent sees no others." }
        ]}
        value={limited}
        onChange={setLimited}
      />
      {limited === "some" && (
        <CheckList
          label="Chosen connections"
          options={connections}
          chosen={connectionIds}
          empty="The member sees no connection."
          onChange={setConnectionIds}
        />
      )}
      <LimitFields rights={rights} errorOf={errors.of} onChange={setRights} />
    </FormDialog>
  )
}
