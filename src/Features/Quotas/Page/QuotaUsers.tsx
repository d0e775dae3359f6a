import { Effect } from "effect"
import { Link } from "wouter"
import { number } from "../../../Dashboard/Parts/Numbers.ts"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { listCalls } from "../../../Dashboard/Service/Calls.ts"
import { useGrants, useKeys, useMembers } from "../../../Dashboard/Service/Lists.ts"
import { useServiceQuery } from "../../../Dashboard/Service/Queries.ts"
import type { Service } from "../../../Dashboard/Service/Service.ts"
import { useSession } from "../../../Dashboard/Session/Session.tsx"
import type { LoggedCall } from "../../../Domain/Calls/Call.ts"
import { append } from "../../../Domain/Lists.ts"
import { lastWords } from "./QuotaWords.ts"

const maxPages = 5
const maxNamed = 3

interface Window {
  readonly name: string
  readonly resource: string | null
  readonly window_seconds: number
}

export type CallsOf = { readonly connection_id: string } | { readonly provider: string }

/** A limit of requests under way has no window. */
const windowOf = ({ window_seconds }: Window): number => window_seconds === 0 ? 60 : window_seconds

const askerOf = ({ grant_id, key_id, member_id }: LoggedCall): string => grant_id ?? key_id ?? member_id ?? ""

/** Calls of the window that were sent, from the log. `hasMore` if there are more than the newest thousand. */
const callsOf = Effect.fn(function*(service: Service, isAdmin: boolean, filter: CallsOf, quota: Window) {
  const { resource } = quota
  const since = new Date(Date.now() - 1000 * windowOf(quota))
  const sent: Array<LoggedCall> = []
  let cursor: string | null | undefined
  for (let page = 0; page < maxPages && cursor !== null; page++) {
    const found = yield* listCalls(service, isAdmin, {
      ...filter,
      ...resource !== null && { resource },
      ...cursor !== undefined && { cursor },
      cached: false,
      since,
      limit: 200
    })
    append(sent, found.calls.filter(({ error_code }) => error_code !== "rate_limited"))
    cursor = found.cursor
  }
  return { sent, hasMore: cursor !== null }
})

/** Who made the calls in the window of a quota. */
export const QuotaUsers = ({ filter, quota }: { readonly filter: CallsOf; readonly quota: Window }) => {
  const { isAdmin } = useSession()
  const keyOf = useById(useKeys().data)
  const grantOf = useById(useGrants().data)
  const memberOf = useById(useMembers(isAdmin).data)
  const recent = useServiceQuery(
    ["quota users", filter, quota.name, quota.resource],
    (service) => callsOf(service, isAdmin, filter, quota),
    { live: true }
  )
  const { hasMore = false, sent = [] } = recent.data ?? {}
  const users = [...Map.groupBy(sent, askerOf)].toSorted(([, one], [, other]) => other.length - one.length)
  if (users.length === 0) return null
  const named = users.slice(0, maxNamed).map(([id, calls]) => ({
    id,
    calls: calls.length,
    name: keyOf(id)?.name ?? grantOf(id)?.agent.name ?? memberOf(id)?.email ?? id,
    parameter: id.startsWith("key_") ? "key" : id.startsWith("gra_") ? "agent" : "member"
  }))
  return (
    <p className="meta quota-users">
      {hasMore && "More than "}
      {number.format(sent.length)} {sent.length === 1 ? "call" : "calls"} in {lastWords(windowOf(quota))}, by{" "}
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
