import { useState } from "react"
import { Link } from "wouter"
import { isUnused, unusedWords } from "../../../Dashboard/Parts/Access.ts"
import { actionsColumn } from "../../../Dashboard/Parts/Actions.tsx"
import { Confirm } from "../../../Dashboard/Parts/Confirm.tsx"
import { Empty } from "../../../Dashboard/Parts/Empty.tsx"
import { SelectFilter } from "../../../Dashboard/Parts/Filters.tsx"
import { ListPage } from "../../../Dashboard/Parts/ListPage.tsx"
import { memberColumn } from "../../../Dashboard/Parts/MemberColumn.tsx"
import { nameColumn } from "../../../Dashboard/Parts/NameColumn.tsx"
import { Status } from "../../../Dashboard/Parts/Status.tsx"
import type { Column } from "../../../Dashboard/Parts/Table.tsx"
import { Time, timeColumn } from "../../../Dashboard/Parts/Time.tsx"
import { useUrlState } from "../../../Dashboard/Parts/UrlState.ts"
import { AccessCell } from "../../../Dashboard/Rights/AccessCell.tsx"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useConnections, useGrants, useMembers } from "../../../Dashboard/Service/Lists.ts"
import { useServiceMutation } from "../../../Dashboard/Service/Queries.ts"
import { featuresOff } from "../../../Dashboard/Service/ServedPage.ts"
import { useSession } from "../../../Dashboard/Session/Session.tsx"
import type { Grant } from "../../../Domain/Access/Grant.ts"
import { GrantForm } from "./GrantForm.tsx"

const GrantState = ({ grant }: { readonly grant: Grant }) => {
  if (grant.revoked_at !== null) return <Status state="off">Revoked</Status>
  if (isUnused(grant)) return <Status state="attention">{unusedWords}</Status>
  return <Status state="ok">Active</Status>
}

/** An agent that registered itself has an id without a host. */
const hostOf = (clientId: string): string => URL.parse(clientId)?.host ?? clientId

const maxNamed = 3

export const Agents = () => {
  const { isAdmin } = useSession()
  const [state, setState] = useUrlState("state")
  const [open, setOpen] = useState<{ readonly dialog: "change" | "revoke"; readonly grant: Grant }>()
  const grants = useGrants()
  const memberOf = useById(useMembers(isAdmin).data)
  const connectionOf = useById(useConnections().data)
  const connectionWords = ({ connection_ids }: Grant): string => {
    if (connection_ids === null) return "All, also future ones"
    if (connection_ids.length === 0) return "None"
    const names = connection_ids.slice(0, maxNamed).map((id) => connectionOf(id)?.label ?? id)
    const more = connection_ids.length - names.length
    return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ")
  }
  const columns: ReadonlyArray<Column<Grant>> = [
    nameColumn("Agent", ({ agent }) => agent.name),
    { title: "State", cell: (grant) => <GrantState grant={grant} /> },
    {
      title: "Access",
      sortBy: ({ access }) => access,
      cell: (grant) => <AccessCell rights={grant} />
    },
    {
      title: "Connections",
      sortBy: ({ connection_ids }) => connection_ids?.length ?? Number.MAX_VALUE,
      cell: (grant) => <span className="name plain" title={connectionWords(grant)}>{connectionWords(grant)}</span>
    },
    ...isAdmin ? [memberColumn(memberOf)] : [],
    {
      title: "From",
      spare: true,
      cell: ({ agent }) => <span className="owner" title={agent.client_id}>{hostOf(agent.client_id)}</span>
    },
    {
      title: "Last used",
      sortBy: ({ last_used_at }) => last_used_at,
      cell: ({ id, last_used_at }) => (
        <Link href={`/logs?agent=${id}`}>
          <Time at={last_used_at} never="never used" />
        </Link>
      )
    },
    timeColumn("Allowed", ({ created_at }) => created_at, { spare: true }),
    actionsColumn((grant) => ({
      id: grant.id,
      name: grant.agent.name,
      actions: grant.revoked_at !== null ? [] : [
        { title: "Change", label: `Change ${grant.agent.name}`, onSelect: () => setOpen({ dialog: "change", grant }) },
        { title: "Revoke", label: `Revoke ${grant.agent.name}`, onSelect: () => setOpen({ dialog: "revoke", grant }) }
      ]
    }))
  ]
  const addLink = !featuresOff.includes("mcp") && (
    <Link className="button primary" href="/agents/add">Add an agent</Link>
  )
  const close = () => setOpen(undefined)
  return (
    <ListPage
      title="Agents"
      about="A grant lets an agent act for a member, with the rights that the member chose."
      actions={addLink}
      what="agent"
      list={grants}
      columns={columns}
      searchedTexts={(grant) => [grant.agent.name, grant.agent.client_id, grant.id, memberOf(grant.member_id)?.email]}
      filters={
        <SelectFilter
          label="State"
          all="Active"
          options={[{ value: "revoked", title: "Revoked" }, { value: "all", title: "All" }]}
          value={state}
          onChange={setState}
        />
      }
      keep={(grant) => state === "all" || (state === "revoked") === (grant.revoked_at !== null)}
      none={
        <Empty action={addLink}>
          No agent acts for you yet. One that is added signs in here and asks for access.
        </Empty>
      }
    >
      {open?.dialog === "change" && <GrantForm grant={open.grant} onClose={close} />}
      {open?.dialog === "revoke" && <RevokeGrant grant={open.grant} onClose={close} />}
    </ListPage>
  )
}

const RevokeGrant = ({ grant, onClose }: { readonly grant: Grant; readonly onClose: () => void }) => {
  const revoke = useServiceMutation((service, id: string) => service.grants.revoke({ params: { id } }), ["grants"])
  return (
    <Confirm
      title={`Revoke ${grant.agent.name}?`}
      action={`Revoke ${grant.agent.name}`}
      busy={revoke.isPending}
      error={revoke.error}
      onClose={onClose}
      onConfirm={() => revoke.mutate(grant.id, { onSuccess: onClose })}
    >
      <p>
        Its tokens stop working immediately. To use it again, the member signs in from the agent and allows it. It was
        {" "}
        {grant.last_used_at === null ? "never used" : (
          <>
            last used <Time at={grant.last_used_at} />
          </>
        )}.
      </p>
    </Confirm>
  )
}
