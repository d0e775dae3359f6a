import { Effect } from "effect"
import { useState } from "react"
import { Link } from "wouter"
import { number, share } from "../../../Dashboard/Parts/Numbers.ts"
import { Panel } from "../../../Dashboard/Parts/Panel.tsx"
import { Provider } from "../../../Dashboard/Parts/Provider.tsx"
import { Time } from "../../../Dashboard/Parts/Time.tsx"
import { resourceWords } from "../../../Dashboard/Rights/ResourceWords.ts"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useConnections } from "../../../Dashboard/Service/Lists.ts"
import { useServiceQuery } from "../../../Dashboard/Service/Queries.ts"
import type { Service } from "../../../Dashboard/Service/Service.ts"
import { minOf } from "../../../Domain/Lists.ts"
import { type CallsOf, QuotaUsers } from "./QuotaUsers.tsx"
import { quotaWords } from "./QuotaWords.ts"

const askQuotas = ({ quotas }: Service, connectionId: string | undefined) =>
  Effect.map(
    quotas.list({ query: connectionId === undefined ? {} : { connection_id: connectionId } }),
    ({ quotas }) => quotas
  )

type Quota = Effect.Success<ReturnType<typeof askQuotas>>[number]

const maxShown = 5

const leftOf = ({ limit, remaining }: Quota): number => limit === 0 ? 0 : remaining / limit

/** Whether the overview shows a quota: less than half of it is left. */
const isScarce = (quota: Quota): boolean => leftOf(quota) < 0.5

const toneOf = (quota: Quota): "ok" | "attention" | "error" => {
  const left = leftOf(quota)
  return left < 0.1 ? "error" : left < 0.3 ? "attention" : "ok"
}

const useQuotas = (connectionId?: string) =>
  useServiceQuery(["quotas", connectionId], (service) => askQuotas(service, connectionId), { live: true })

const Row = ({ quota, showsConnection }: { readonly quota: Quota; readonly showsConnection: boolean }) => {
  const { connection_id, limit, remaining, resets_at, resource, source } = quota
  const connection = useById(useConnections().data)(connection_id)
  const words = quotaWords(quota)
  return (
    <li>
      <span className="quota-name">
        {words}
        <span className="meta below-name">
          {resource === null
            ? connection_id === null
              ? "Of the Google project, shared by its connections"
              : "Of the account"
            : resourceWords(resource)}
          {showsConnection && connection && (
            <>
              {" · "}
              <Link href={`/connections/${connection.id}`}>{connection.label}</Link>
            </>
          )}
        </span>
      </span>
      <span className={`quota-bar tone-${toneOf(quota)}`}>
        <meter aria-label={`${words}, left`} min={0} max={limit} value={remaining} />
        <span>
          {number.format(remaining)} of {number.format(limit)} left
        </span>
      </span>
      <span className="meta">
        {remaining === limit ? "nothing used" : (
          <>
            full again <Time at={resets_at} />
          </>
        )}
        {source === "reported" && ", by the provider's own report"}
      </span>
    </li>
  )
}

const List = ({ filter, quotas, showsConnection = false }: {
  readonly filter: CallsOf
  readonly quotas: ReadonlyArray<Quota>
  readonly showsConnection?: boolean
}) => {
  const [showsAll, setShowsAll] = useState(false)
  const sorted = quotas.toSorted((one, other) => leftOf(one) - leftOf(other))
  const [scarcest] = sorted
  const shown = showsAll ? sorted : sorted.slice(0, maxShown)
  return (
    <>
      <ul className="quotas">
        {shown.map((quota) => (
          <Row
            key={`${quota.name} ${quota.connection_id} ${quota.resource}`}
            quota={quota}
            showsConnection={showsConnection}
          />
        ))}
      </ul>
      {sorted.length > shown.length && (
        <button type="button" className="quiet small" onClick={() => setShowsAll(true)}>
          Show all {sorted.length}
        </button>
      )}
      {scarcest && <QuotaUsers filter={filter} quota={scarcest} />}
    </>
  )
}

/** Folded while every quota has more than half left. */
const Folded = ({ filter, quotas }: { readonly filter: CallsOf; readonly quotas: ReadonlyArray<Quota> }) => {
  const least = minOf(quotas.map(leftOf))
  if (quotas.some(isScarce)) return <List quotas={quotas} filter={filter} />
  return (
    <details>
      <summary>
        Nothing is short: {least === 1 ? "all of each is left" : `at least ${share(least, 1)} of each is left`}.
      </summary>
      <List quotas={quotas} filter={filter} />
    </details>
  )
}

/** What is left of the provider's quotas for a connection. */
export const ConnectionQuotas = ({ id }: { readonly id: string }) => {
  const connection = useById(useConnections().data)(id)
  const { data, error } = useQuotas(id)
  if (error || connection?.status === "revoked") return null
  return (
    <Panel title="Quotas of the provider" busy={data === undefined}>
      {data === undefined && <span className="placeholder" />}
      {data?.length === 0 && <p className="muted">No call has used a quota lately.</p>}
      {data && data.length > 0 && <Folded quotas={data} filter={{ connection_id: id }} />}
    </Panel>
  )
}

/** Shows nothing while every quota has more than half left. */
export const ScarceQuotas = () => {
  const scarce = useQuotas().data?.filter(isScarce)
  if (scarce === undefined || scarce.length === 0) return null
  const byProvider = Map.groupBy(scarce, ({ provider }) => provider)
  return (
    <Panel title="Scarce quotas">
      {[...byProvider].map(([provider, quotas]) => (
        <div key={provider} className="stack">
          <Provider id={provider} />
          <List quotas={quotas} filter={{ provider }} showsConnection />
        </div>
      ))}
    </Panel>
  )
}
