import { Link } from "wouter"
import type { Connection } from "../../../Domain/Connection.ts"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { useGrants, useKeys, useMembers } from "../../Service/Lists.ts"
import { useSession } from "../../Session/Session.tsx"

const maxNamed = 3

const namesOf = (names: ReadonlyArray<string>): string =>
  names.length > maxNamed
    ? `${names.slice(0, maxNamed).join(", ")} and ${names.length - maxNamed} more`
    : names.join(", ")

/** An admin sees all; a member sees their own keys and agents. */
export const Users = ({ connection: { client_id, id } }: { readonly connection: Connection }) => {
  const { isAdmin, member } = useSession()
  const allMembers = useMembers(isAdmin)
  const allKeys = useKeys()
  const allAgents = useGrants()
  const sees = ({ client_ids }: { readonly client_ids: ReadonlyArray<string> | null }) =>
    client_ids === null || client_id !== null && client_ids.includes(client_id)
  const members = isAdmin ? allMembers.data?.filter(sees) : [member]
  const ids = new Set(members?.map(({ id }) => id))
  const keys = allKeys.data?.filter((key) =>
    key.revoked_at === null && (key.client_id === null ? ids.has(key.member_id) : key.client_id === client_id)
  )
  const agents = allAgents.data?.filter(({ connection_ids, member_id, revoked_at }) =>
    revoked_at === null && ids.has(member_id) && (connection_ids === null || connection_ids.includes(id))
  )
  if (!members || !keys || !agents) {
    const error = allMembers.error ?? allKeys.error ?? allAgents.error
    return error ? <ErrorNotice error={error} isRead /> : <span className="placeholder" />
  }
  const rows = [
    { title: "Members", href: isAdmin ? "/members" : "/settings", names: members.map(({ email }) => email) },
    { title: "API keys", href: "/keys", names: keys.map(({ name }) => name) },
    { title: "Agents", href: "/agents", names: agents.map(({ agent }) => agent.name) }
  ].filter(({ names }) => names.length > 0)
  return (
    <ul className="plain-list">
      {rows.map(({ href, names, title }) => (
        <li key={title}>
          <Link href={href}>{title}</Link>: <bdi>{namesOf(names)}</bdi>
        </li>
      ))}
    </ul>
  )
}
