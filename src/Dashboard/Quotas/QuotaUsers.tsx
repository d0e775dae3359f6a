import { Effect } from "effect"
import { Link } from "wouter"
import type { LoggedCall } from "../../Domain/Calls/Call.ts"
import { useById } from "../Service/ById.ts"
import { listCalls } from "../Service/Calls.ts"
import { useGrants, useKeys, useMembers } from "../Service/Lists.ts"
import { useServiceQuery } from "../Service/Queries.ts"
import { useSession } from "../Session/Session.tsx"
import { number } from "../Usage/Words.ts"

const maxCalls = 200
const maxNamed = 3

const askerOf = ({ grant_id, key_id, member_id }: LoggedCall): string => grant_id ?? key_id ?? member_id ?? ""

/** Who made the last calls that reached the provider. */
export const QuotaUsers = (
  { filter }: { readonly filter: { readonly connection_id: string } | { readonly provider: string } }
) => {
  const { isAdmin } = useSession()
  const keyOf = useById(useKeys().data)
  const grantOf = useById(useGrants().data)
  const memberOf = useById(useMembers(isAdmin).data)
  const recent = useServiceQuery(
    ["quota users", filter],
    (service) =>
      Effect.map(
        listCalls(service, isAdmin, { ...filter, cached: false, limit: maxCalls }),
        ({ calls }) => Map.groupBy(calls, askerOf)
      ),
    { live: true }
  )
  const users = [...recent.data ?? []].toSorted(([, one], [, other]) => other.length - one.length)
  if (users.length === 0) return null
  const named = users.slice(0, maxNamed).map(([id, calls]) => ({
    id,
    calls: calls.length,
    name: keyOf(id)?.name ?? grantOf(id)?.agent.name ?? memberOf(id)?.email ?? id,
    parameter: id.startsWith("key_") ? "key" : id.startsWith("gra_") ? "agent" : "member"
  }))
  const total = users.reduce((sum, [, calls]) => sum + calls.length, 0)
  return (
    <p className="meta quota-users">
      The last {number.format(total)} calls came from{" "}
      {named.map(({ calls, id, name, parameter }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <Link href={`/logs?${parameter}=${id}`}>{name}</Link> ({number.format(calls)})
        </span>
      ))}
      {users.length > maxNamed && ` and ${users.length - maxNamed} more`}.
    </p>
  )
}
