import { useState } from "react"
import { Link } from "wouter"
import { Changes } from "../../../Dashboard/Parts/Changes.tsx"
import { Confirm } from "../../../Dashboard/Parts/Confirm.tsx"
import { Empty } from "../../../Dashboard/Parts/Empty.tsx"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { Fact } from "../../../Dashboard/Parts/Fact.tsx"
import { JsonView } from "../../../Dashboard/Parts/JsonView.tsx"
import { Page } from "../../../Dashboard/Parts/Page.tsx"
import { Provider } from "../../../Dashboard/Parts/Provider.tsx"
import { StatusOf } from "../../../Dashboard/Parts/Status.tsx"
import { Time } from "../../../Dashboard/Parts/Time.tsx"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useConnections, useMembers } from "../../../Dashboard/Service/Lists.ts"
import { useSession } from "../../../Dashboard/Session/Session.tsx"
import { missingWords } from "../../../Domain/Calls/MissingWords.ts"
import type { Approval } from "../Contract.ts"
import { failureOf, statusOf, titleOf } from "./ApprovalWords.ts"
import { AskerInFull } from "./Asker.tsx"
import { useApproval, useDecision } from "./Decisions.ts"

export const ApprovalPage = ({ id }: { readonly id: string }) => {
  const approval = useApproval(id)
  const approve = useDecision(id, "approve")
  const deny = useDecision(id, "deny")
  const isDeciding = approve.isPending || deny.isPending
  const [isConfirming, setConfirming] = useState(false)
  const isStale = approve.error?.code === "approval_stale"
  const error = isStale ? deny.error : approve.error ?? deny.error
  const shown = approval.data
  const failure = shown && failureOf(shown)
  return (
    <Page
      title={shown === undefined ? "Approval" : titleOf(shown)}
      about="A write that a person decides on. Approving sends exactly this one, once."
      actions={shown?.status === "pending" && (
        <>
          <button type="button" disabled={isDeciding} onClick={() => deny.mutate()}>Deny</button>
          <button
            type="button"
            className="primary"
            disabled={isDeciding || shown.changes === undefined}
            onClick={() => shown.truncated ? setConfirming(true) : approve.mutate()}
          >
            {shown.truncated ? "Approve, though not everything is shown" : "Approve"}
          </button>
          {isConfirming && (
            <Confirm
              title="Approve what you have not seen?"
              action="Approve all of it"
              keep="Not yet"
              busy={isDeciding}
              error={null}
              onClose={() => setConfirming(false)}
              onConfirm={() => {
                setConfirming(false)
                approve.mutate()
              }}
            >
              <p>This page does not show {missingWords(shown)} of this write. Approving sends them too.</p>
            </Confirm>
          )}
        </>
      )}
    >
      <div className="stack-wide in-order" aria-busy={approval.isPending}>
        {error && <ErrorNotice error={error} />}
        {isStale && (
          <p className="notice attention" role="alert">
            <strong>It was changed since you were shown it, so nothing was sent.</strong>
            <span>Below is what the write would change now. Decide again.</span>
          </p>
        )}
        {approval.error?.code === "approval_not_found"
          ? (
            <Empty action={<Link href="/approvals">All approvals</Link>}>
              There is no approval {id}, or you may not see it.
            </Empty>
          )
          : approval.error && <ErrorNotice error={approval.error} isRead />}
        {failure && <ErrorNotice error={failure} />}
        {shown && (
          <>
            <Facts approval={shown} />
            <section className="stack" aria-label="What changes">
              <h2>What changes</h2>
              {shown.changes === undefined
                ? <p className="muted">This is not shown, because you do not see its connection.</p>
                : <Changes {...shown} changes={shown.changes} />}
              {shown.changes !== undefined && !shown.truncated && (
                <p className="muted">This is all that it changes: nothing is left out.</p>
              )}
            </section>
            {shown.input !== undefined && (
              <details className="more">
                <summary>Input</summary>
                <JsonView name="input" value={shown.input} />
              </details>
            )}
            {shown.response !== undefined && shown.response !== null && (
              <details className="more">
                <summary>Response</summary>
                <JsonView name="response" value={shown.response} />
              </details>
            )}
          </>
        )}
      </div>
    </Page>
  )
}

const Facts = ({ approval }: { readonly approval: Approval }) => {
  const { isAdmin } = useSession()
  const connections = useConnections()
  const connectionOf = useById(connections.data)
  const memberOf = useById(useMembers(isAdmin).data)
  const {
    asked_by,
    call_id,
    connection_id,
    created_at,
    decided_by,
    expires_at,
    provider,
    resource_name,
    resource_url
  } = approval
  return (
    <dl className="facts wide in-order">
      <Fact name="Status">
        <StatusOf entry={statusOf(approval)} />
        {approval.status === "pending" && (
          <>
            , ends <Time at={expires_at} />
          </>
        )}
      </Fact>
      {(resource_name ?? resource_url) !== null && (
        <Fact name="Changes">
          {resource_url === null ? <bdi>{resource_name}</bdi> : (
            <a href={resource_url} target="_blank" rel="noreferrer">
              {resource_name ?? resource_url}
            </a>
          )}
        </Fact>
      )}
      <Fact name="Asked by" className="in-order">
        <AskerInFull asked_by={asked_by} />
        <span>
          , <Time at={created_at} />
        </span>
      </Fact>
      <Fact name="Through" className="row-of">
        <Provider id={provider} />
        {connections.isFetched
          ? <Link href={`/connections/${connection_id}`}>{connectionOf(connection_id)?.label ?? connection_id}</Link>
          : <span className="placeholder" />}
      </Fact>
      {decided_by !== null && <Fact name="Decided by">{memberOf(decided_by)?.email ?? decided_by}</Fact>}
      {call_id !== null && (
        <Fact name="Sent as">
          <Link href={`/logs?call=${call_id}`}>the call in the logs</Link>
        </Fact>
      )}
    </dl>
  )
}
