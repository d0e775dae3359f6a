import { Effect } from "effect"
import { Link } from "wouter"
import type { ApiKey } from "../../../Domain/Access/ApiKey.ts"
import type { Connection } from "../../../Domain/Connection.ts"
import { minOf } from "../../../Domain/Lists.ts"
import { isUnused } from "../../Parts/Access.ts"
import { dayInMillis } from "../../Parts/Day.ts"
import { counted, number } from "../../Parts/Numbers.ts"
import { Panel } from "../../Parts/Panel.tsx"
import { useProviderName } from "../../Parts/Provider.tsx"
import { ConnectionState, failureWords, needsAttention, riskTitles, Status } from "../../Parts/Status.tsx"
import { Time } from "../../Parts/Time.tsx"
import { readStats } from "../../Service/Calls.ts"
import { useClientName } from "../../Service/ClientName.ts"
import type { useWebhooks } from "../../Service/Lists.ts"
import { useServiceQuery } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"

const maxListed = 5

/** A few typos in the playground do not make a client a failing one. */
const minFailures = 5
const failingShare = 0.1

export const useFailingClients = () => {
  const { isAdmin } = useSession()
  return useServiceQuery(
    ["stats", "clients"],
    (service) =>
      Effect.map(
        readStats(service, isAdmin, { since: new Date(Date.now() - dayInMillis), bucket: "day", group_by: "client" }),
        ({ buckets }) =>
          Object.entries(Object.groupBy(buckets.filter(({ group }) => group !== null), ({ group }) => group ?? ""))
            .map(([id, days = []]) => ({
              id,
              calls: days.reduce((sum, { calls }) => sum + calls, 0),
              failed: days.reduce((sum, { errors, refused }) => sum + errors - refused, 0)
            }))
            .filter(({ calls, failed }) => failed >= minFailures && failed / calls >= failingShare)
            .toSorted((one, other) => other.failed - one.failed)
      ),
    { live: true }
  )
}

/** When the connection is expected to stop working: the earliest time, in epoch milliseconds. */
const endOf = ({ health }: Connection): number =>
  minOf(health.reasons.map(({ expected_at }) => expected_at?.getTime() ?? Infinity))

/** What the state does not say: further reasons, and when it is expected to stop working. */
const Risk = ({ connection }: { readonly connection: Connection }) => {
  const end = endOf(connection)
  const further = connection.health.reasons.slice(1).map(({ code }) => riskTitles[code].toLowerCase())
  return (
    <>
      {further.length > 0 && `also ${further.join(", ")}`}
      {further.length > 0 && end < Infinity && "; "}
      {end < Infinity && (
        <>
          expected to stop working <Time at={new Date(end)} />
        </>
      )}
    </>
  )
}

export const NeedsAttention = ({ clients, connections, keys, webhooks }: {
  readonly connections: ReadonlyArray<Connection>
  readonly keys: ReadonlyArray<ApiKey>
  readonly clients: NonNullable<ReturnType<typeof useFailingClients>["data"]>
  readonly webhooks: NonNullable<ReturnType<typeof useWebhooks>["data"]>
}) => {
  const clientName = useClientName()
  const providerName = useProviderName()
  const attention = connections.filter(needsAttention)
  const failing = [
    ...attention.filter(({ health }) => health.state === "broken"),
    ...attention.filter(({ health }) => health.state !== "broken").toSorted((one, other) => endOf(one) - endOf(other))
  ]
  const unused = keys.filter((key) => key.revoked_at === null && isUnused(key))
  const failingWebhooks = webhooks.filter(({ failing_since }) => failing_since !== null)
  if (failing.length + unused.length + clients.length + failingWebhooks.length === 0) return null
  return (
    <Panel title="Needs attention" isList>
      <ul className="needs">
        {failing.slice(0, maxListed).map((connection) => (
          <li key={connection.id}>
            <ConnectionState connection={connection} />
            <Link className="name" href={`/connections/${connection.id}`}>{connection.label}</Link>
            <span className="meta">
              {connection.last_error === null && connection.status === "active"
                ? <Risk connection={connection} />
                : failureWords(connection, providerName(connection.provider))}
              {connection.last_error && (
                <>
                  {" "}
                  <Time at={connection.last_error.at} />
                </>
              )}
            </span>
            <Link
              className="button"
              href={`/connections/${connection.id}/reconnect`}
              aria-label={`Reconnect ${connection.label}`}
            >
              Reconnect
            </Link>
          </li>
        ))}
        {failing.length > maxListed && (
          <li>
            <Link href="/connections?status=attention">
              {counted(failing.length - maxListed, "more connection")}
            </Link>
          </li>
        )}
        {clients.slice(0, maxListed).map(({ calls, failed, id }) => (
          <li key={id}>
            <Status state="error">Calls fail</Status>
            <Link className="name" href={`/clients/${id}`}>{clientName(id) ?? id}</Link>
            <span className="meta">{number.format(failed)} of {number.format(calls)} failed since yesterday</span>
            <Link
              className="button"
              href={`/logs?client=${id}&outcome=error&period=day`}
              aria-label={`See the failed calls of ${clientName(id) ?? id}`}
            >
              See the failed calls
            </Link>
          </li>
        ))}
        {clients.length > maxListed && <li className="meta">{counted(clients.length - maxListed, "more client")}</li>}
        {failingWebhooks.slice(0, maxListed).map((webhook) => (
          <li key={webhook.id}>
            <Status state="error">{webhook.enabled ? "Webhook fails" : "Webhook switched off"}</Status>
            <Link className="name" href={`/webhooks/${webhook.id}`} title={webhook.url}>{webhook.url}</Link>
          </li>
        ))}
        {unused.slice(0, maxListed).map((key) => (
          <li key={key.id}>
            <Status state="attention">Unused key</Status>
            <Link className="name" href={`/keys?search=${key.id}`}>{key.name}</Link>
            <span className="meta">{key.last_used_at === null ? "never used" : "not for 30 days"}</span>
          </li>
        ))}
        {unused.length > maxListed && (
          <li>
            <Link href="/keys?state=unused">{counted(unused.length - maxListed, "more key")}</Link>
          </li>
        )}
      </ul>
    </Panel>
  )
}
