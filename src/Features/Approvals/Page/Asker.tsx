import { Link } from "wouter"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useGrants, useKeys, useMembers } from "../../../Dashboard/Service/Lists.ts"
import { useSession } from "../../../Dashboard/Session/Session.tsx"
import type { ApprovalSummary } from "../Declared.ts"

type Asked = Pick<ApprovalSummary, "asked_by">

const unknown = <span className="placeholder" style={{ inlineSize: "10ch" }} />

/** The key or agent that asks, by its name. */
export const Asker = ({ asked_by: { grant_id, key_id } }: Asked) => {
  const keys = useKeys()
  const grants = useGrants()
  const key = useById(keys.data)(key_id)
  const grant = useById(grants.data)(grant_id)
  if (!(grant_id === null ? keys : grants).isFetched) return unknown
  const href = grant_id === null ? `/keys?search=${key_id}&state=all` : `/agents?search=${grant_id}&state=all`
  return <Link href={href}>{grant?.agent.name ?? key?.name ?? grant_id ?? key_id}</Link>
}

/** Whether it is a key or an agent, and whose. */
export const AskerInFull = ({ asked_by }: Asked) => {
  const { isAdmin, member } = useSession()
  const members = useMembers(isAdmin)
  const memberOf = useById(members.data)
  const { grant_id, member_id } = asked_by
  const kind = grant_id === null ? "API key" : "agent"
  const email = memberOf(member_id)?.email
  return (
    <>
      <Asker asked_by={asked_by} />
      <span>
        , {member_id === member.id ? `your ${kind}` : `an ${kind}`}
        {member_id !== member.id && email !== undefined && ` of ${email}`}
      </span>
      {members.isLoading && unknown}
    </>
  )
}
