import { Link } from "wouter"
import type { ApiKey } from "../../../Domain/ApiKey.ts"
import type { Connection } from "../../../Domain/Connection.ts"
import { ConnectionState, Status } from "../../Parts/Status.tsx"
import { isUnused } from "../Keys/Keys.tsx"

/** Entries of one kind that are listed; the rest is counted. */
const maxListed = 5

/** What needs a person: connections that fail, and keys that nothing uses. */
export const NeedsAttention = ({ connections, keys }: {
  readonly connections: ReadonlyArray<Connection>
  readonly keys: ReadonlyArray<ApiKey>
}) => {
  const failing = connections.filter(({ last_error, status }) =>
    status === "expired" || status === "active" && last_error
  )
  const unused = keys.filter((key) => key.revoked_at === null && isUnused(key))
  if (failing.length + unused.length === 0) return null
  return (
    <section className="panel" aria-label="Needs attention">
      <div className="panel-head">
        <h2>Needs attention</h2>
      </div>
      <ul className="panel-body needs">
        {failing.slice(0, maxListed).map((connection) => (
          <li key={connection.id}>
            <ConnectionState connection={connection} />
            <Link className="name" href={`/connections/${connection.id}`}>{connection.label}</Link>
            <code className="muted">{connection.provider}</code>
            <Link className="button" href={`/connections/${connection.id}/reconnect`}>Reconnect</Link>
          </li>
        ))}
        {failing.length > maxListed && (
          <li>
            <Link href="/connections?status=expired">{failing.length - maxListed} more connections</Link>
          </li>
        )}
        {unused.slice(0, maxListed).map((key) => (
          <li key={key.id}>
            <Status state="attention">Unused key</Status>
            <span className="name">{key.name}</span>
            <Link href={`/keys?search=${key.id}`}>See the key</Link>
          </li>
        ))}
        {unused.length > maxListed && (
          <li>
            <Link href="/keys">{unused.length - maxListed} more keys</Link>
          </li>
        )}
      </ul>
    </section>
  )
}
