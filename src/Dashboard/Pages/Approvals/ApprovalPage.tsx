import { Link } from "wouter"
import { Changes } from "../../Parts/Changes.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { JsonView } from "../../Parts/JsonView.tsx"
import { Page } from "../../Parts/Page.tsx"
import { Provider } from "../../Parts/Provider.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useApproval, useDecision } from "../../Service/Approvals.ts"
import { useById } from "../../Service/ById.ts"
import { useConnections, useMembers } from "../../Service/Lists.ts"
import { useSession } from "../../Session/Session.tsx"
import { Asker } from "./Asker.tsx"
import { Decision } from "./Decision.tsx"
import { failureOf, operationName } from "./Words.ts"

export const ApprovalPage = ({ id }: { readonly id: string }) => {
  const { isAdmin } = useSession()
  const approval = useApproval(id)
  const approve = useDecision(id, "approve")
  const deny = useDecision(id, "deny")
  const connectionOf = useById(useConnections().data)
  const memberOf = useById(useMembers(isAdmin).data)
  const isDeciding = approve.isPending || deny.isPending
  const error = approve.error ?? deny.error
  const shown = approval.data
  const failure = shown && failureOf(shown)
  return (
    <Page
      title={shown === undefined ? "Approval" : operationName(shown.target)}
      about={shown === undefined ? "A write that waits for a person." : (
        <>
          <Asker asked_by={shown.asked_by} /> asks for this write. Approving sends exactly this one, once.
        </>
      )}
      actions={shown?.status === "pending" && (
        <>
          <button type="button" disabled={isDeciding} onClick={() => deny.mutate()}>Deny</button>
          <button type="button" className="primary" disabled={isDeciding} onClick={() => approve.mutate()}>
            Approve
          </button>
        </>
      )}
    >
      <div className="stack-wide" aria-busy={approval.isPending}>
        {error && <ErrorNotice error={error} />}
        {approval.error && <ErrorNotice error={approval.error} isRead />}
        {failure && <ErrorNotice error={failure} />}
        {shown && (
          <>
            <dl className="facts wide">
              <dt>Status</dt>
              <dd>
                <Decision approval={shown} />
              </dd>
              <dt>Asked</dt>
              <dd>
                <Time at={shown.created_at} />
              </dd>
              <dt>Through</dt>
              <dd className="row-of">
                <Provider id={shown.provider} />
                <Link href={`/connections/${shown.connection_id}`}>
                  {connectionOf(shown.connection_id)?.label ?? shown.connection_id}
                </Link>
              </dd>
              {shown.status === "pending" && (
                <>
                  <dt>Ends</dt>
                  <dd>
                    <Time at={shown.expires_at} />
                  </dd>
                </>
              )}
              {shown.decided_by !== null && (
                <>
                  <dt>Decided by</dt>
                  <dd>{memberOf(shown.decided_by)?.email ?? shown.decided_by}</dd>
                </>
              )}
              {shown.call_id !== null && (
                <>
                  <dt>Sent as</dt>
                  <dd>
                    <Link href={`/logs?call=${shown.call_id}`}>the call in the logs</Link>
                  </dd>
                </>
              )}
            </dl>
            <section className="stack" aria-label="What changes">
              <h2>What changes</h2>
              <Changes changes={shown.changes} />
            </section>
            <details className="more">
              <summary>Input</summary>
              <JsonView name="input" value={shown.input} />
            </details>
            {shown.response !== null && (
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
