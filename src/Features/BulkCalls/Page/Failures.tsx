import { Link } from "wouter"
import { counted } from "../../../Dashboard/Parts/Numbers.ts"
import { Prose } from "../../../Dashboard/Parts/Prose.tsx"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useConnections } from "../../../Dashboard/Service/Lists.ts"
import type { BulkCall, Failure } from "../Contract.ts"

/** A person connects these accounts again. */
const needsReconnect = ["connection_inactive", "credentials_expired"]

type Run = Omit<Failure, "code" | "message"> & Partial<Failure>

const Account = ({ run: { call_id, code = "", connection_id, resource } }: { readonly run: Run }) => {
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

const Accounts = ({ count, runs }: { readonly count: number; readonly runs: ReadonlyArray<Run> }) => (
  <>
    <ul className="stack">
      {runs.map((run) => <Account key={`${run.connection_id} ${run.resource}`} run={run} />)}
    </ul>
    {count > runs.length && <p className="meta">And {count - runs.length} more.</p>}
  </>
)

/** The runs whose rows are a part of what there is. */
export const Parts = ({ bulk: { partial = 0, parts = [] } }: { readonly bulk: BulkCall }) =>
  partial > 0 && (
    <details className="notice attention">
      <summary>{counted(partial, "answer")} with a part of the rows: sums of them are too low</summary>
      <Accounts count={partial} runs={parts} />
    </details>
  )

/** The failures of a bulk call by their cause. The message of a cause says what to do. */
export const Failures = ({ bulk }: { readonly bulk: BulkCall }) =>
  [...Map.groupBy(bulk.failures, ({ code }) => code)].map(([code, failures]) => {
    const count = bulk.failures_by_code[code] ?? failures.length
    return (
      <details key={code} className="notice attention">
        <summary>
          {count} failed{count > 1 && ", for example"}: <Prose text={failures[0]?.message ?? ""} /> <code>{code}</code>
        </summary>
        <Accounts count={count} runs={failures} />
      </details>
    )
  })
