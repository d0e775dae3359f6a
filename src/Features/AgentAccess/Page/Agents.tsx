import { Link } from "wouter"
import { isUnused, unusedWords } from "../../../Dashboard/Parts/Access.ts"
import { Confirm } from "../../../Dashboard/Parts/Confirm.tsx"
import { confirming } from "../../../Dashboard/Parts/Form.ts"
import { ListPage } from "../../../Dashboard/Parts/ListPage.tsx"
import { nameColumn } from "../../../Dashboard/Parts/NameColumn.tsx"
import { Status } from "../../../Dashboard/Parts/Status.tsx"
import type { Column } from "../../../Dashboard/Parts/Table.tsx"
import { LastUsed, Time, timeColumn } from "../../../Dashboard/Parts/Time.tsx"
import { AccessCell } from "../../../Dashboard/Rights/AccessCell.tsx"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useConnections, useGrants, useMembers, useRevokeGrant } from "../../../Dashboard/Service/Lists.ts"
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
  const memberOf = useById(useMembers(isAdmin).data)
  const connectionOf = useById(useConnections().data)
  const connectionWords = ({ connection_ids }: Grant): string => {
    if (connection_ids === null) return "All, also future ones"
    if (connection_ids.length === 0) return "None"
    const names = connection_ids.slice(0, maxNamed).map((id) => connectionOf(id)?.label ?? id)
    const more = connection_ids.length - names.length
    return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ")
  }
  const memberColumn: Column<Grant> = {
    title: "Member",
    minor: true,
    sortBy: ({ member_id }) => memberOf(member_id)?.email,
    cell: ({ member_id }) => (
      <span className="owner" title={memberOf(member_id)?.email}>{memberOf(member_id)?.email}</span>
    )
  }
  const columns: ReadonlyArray<Column<Grant>> = [
    nameColumn("Agent", ({ agent }) => agent.name),
    { title: "State", cell: (grant) => <GrantState grant={grant} /> },
    { title: "Access", sortBy: ({ access }) => access, cell: (grant) => <AccessCell rights={grant} /> },
    {
      title: "Connections",
      sortBy: ({ connection_ids }) => connection_ids?.length ?? Number.MAX_VALUE,
      cell: (grant) => <span className="name plain" title={connectionWords(grant)}>{connectionWords(grant)}</span>
    },
    ...isAdmin ? [memberColumn] : [],
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
    timeColumn("Allowed", ({ created_at }) => created_at, { spare: true })
  ]
  return (
    <ListPage
      title="Agents"
      about="A grant lets an agent act for a member, with the rights that the member chose."
      make={!featuresOff.includes("mcp") && { title: "Add an agent", href: "/agents/add" }}
      what="agent"
      list={useGrants()}
      columns={columns}
      nameOf={({ agent }) => agent.name}
      rowActions={(grant) =>
        grant.revoked_at !== null ? [] : [
          { title: "Change", dialog: (onClose) => <GrantForm grant={grant} onClose={onClose} /> },
          { title: "Revoke", dialog: (onClose) => <RevokeGrant grant={grant} onClose={onClose} /> }
        ]}
      searchedTexts={({ agent, member_id }) => [agent.client_id, memberOf(member_id)?.email]}
      filters={[{
        name: "state",
        label: "State",
        all: "Active",
        options: [{ value: "revoked", title: "Revoked" }, { value: "all", title: "All" }],
        keep: ({ revoked_at }, state) => state === "all" || (state === "revoked") === (revoked_at !== null)
      }]}
      empty="No agent acts for you yet. One that is added signs in here and asks for access."
    />
  )
}

const RevokeGrant = ({ grant, onClose }: { readonly grant: Grant; readonly onClose: () => void }) => (
  <Confirm
    title={`Revoke ${grant.agent.name}?`}
    action={`Revoke ${grant.agent.name}`}
    {...confirming(useRevokeGrant(), grant.id, onClose)}
    onClose={onClose}
  >
    <p>
      Its tokens stop working immediately. To use it again, the member signs in from the agent and allows it. It was
      {" "}
      <LastUsed at={grant.last_used_at} />.
    </p>
  </Confirm>
)
