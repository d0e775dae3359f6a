import { Link } from "wouter"
import { Prose } from "../../../Dashboard/Parts/Prose.tsx"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useConnections } from "../../../Dashboard/Service/Lists.ts"
import type { BulkCall, Failure } from "../Contract.ts"

/** A person connects these accounts again. */
const needsReconnect = ["connection_inactive", "credentials_expired"]

const Account = ({ failure: { call_id, code, connection_id, resource } }: { readonly failure: Failure }) => {
  const connection = useById(useConnections().data)(connection_id)
  const label = connection?.label ?? connection_id
  return (
    <li className="row-of">
      <Link href={`/connections/${connection_id}`}>{label}</Link>
      {resource !== null && <span className="meta">{resource}</span>}
      {needsReconnect.includes(code) && (
        <Link href={`/connections/${connection_id}/reconnect`} aria-label={`Reconnect ${label}`}>Reconnect</Link>
      )}
      {call_id !== null && (
        <Link className="meta" href={`/logs?call=${call_id}`} aria-label={`The call of ${label} in the logs`}>
          In the logs
        </Link>
      )}
    </li>
  )
}

/** The failures of a bulk call by their cause. The message of a cause says what to do. */
export const Failures = ({ bulk }: { readonly bulk: BulkCall }) =>
  [...Map.groupBy(bulk.failures, ({ code }) => code)].map(([code, failures]) => {
    const count = bulk.failures_by_code[code] ?? failures.length
    return (
      <details key={code} className="notice attention">
        <summary>
          {count} failed{count > 1 && ", for example"}: <Prose text={failures[0]?.message ?? ""} /> <code>{code}</code>
        </summary>
        <ul className="stack">
          {failures.map((failure) => (
            <Account key={`${failure.connection_id} ${failure.resource}`} failure={failure} />
          ))}
        </ul>
        {count > failures.length && <p className="meta">And {count - failures.length} more.</p>}
      </details>
    )
  })
