import { Link } from "wouter"
import { Changes } from "../../Parts/Changes.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Fact } from "../../Parts/Fact.tsx"
import { JsonView } from "../../Parts/JsonView.tsx"
import { Page } from "../../Parts/Page.tsx"
import { Provider } from "../../Parts/Provider.tsx"
import { StatusOf } from "../../Parts/Status.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useApproval, useDecision } from "../../Service/Approvals.ts"
import { useById } from "../../Service/ById.ts"
import { useConnections, useMembers } from "../../Service/Lists.ts"
import { useSession } from "../../Session/Session.tsx"
import { Asker } from "./Asker.tsx"
import { failureOf, operationName, statusOf } from "./Words.ts"

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
              <Fact name="Status">
                <StatusOf entry={statusOf(shown)} />
              </Fact>
              <Fact name="Asked">
                <Time at={shown.created_at} />
              </Fact>
              <Fact name="Through" className="row-of">
                <Provider id={shown.provider} />
                <Link href={`/connections/${shown.connection_id}`}>
                  {connectionOf(shown.connection_id)?.label ?? shown.connection_id}
                </Link>
              </Fact>
              {shown.status === "pending" && (
                <Fact name="Ends">
                  <Time at={shown.expires_at} />
                </Fact>
              )}
              {shown.decided_by !== null && (
                <Fact name="Decided by">{memberOf(shown.decided_by)?.email ?? shown.decided_by}</Fact>
              )}
              {shown.call_id !== null && (
                <Fact name="Sent as">
                  <Link href={`/logs?call=${shown.call_id}`}>the call in the logs</Link>
                </Fact>
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
