import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Id } from "../../Parts/Id.tsx"
import { JsonView } from "../../Parts/JsonView.tsx"
import { Page } from "../../Parts/Page.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useApproval, useDecision } from "../../Service/Approvals.ts"
import { Changes } from "./Changes.tsx"
import { statusWords } from "./Words.ts"

export const ApprovalPage = ({ id }: { readonly id: string }) => {
  const approval = useApproval(id)
  const approve = useDecision(id, "approve")
  const deny = useDecision(id, "deny")
  const isDeciding = approve.isPending || deny.isPending
  const error = approve.error ?? deny.error
  const shown = approval.data
  return (
    <Page
      title={shown === undefined ? "Approval" : shown.target}
      about="Approving sends exactly this write, once."
      actions={shown?.status === "pending" && (
        <>
          <button type="button" disabled={isDeciding} onClick={() => deny.mutate()}>Deny</button>
          <button type="button" className="primary" disabled={isDeciding} onClick={() => approve.mutate()}>
            Approve
          </button>
        </>
      )}
    >
      {error !== null && <ErrorNotice error={error} />}
      {approval.error !== null && <ErrorNotice error={approval.error} isRead />}
      {shown !== undefined && (
        <>
          <p>
            <strong>{statusWords[shown.status]}</strong>, asked <Time at={shown.created_at} /> by{" "}
            <Id id={shown.asked_by.key_id ?? shown.asked_by.grant_id ?? shown.asked_by.member_id} /> on{" "}
            <Id id={shown.connection_id} />
          </p>
          <h2>What changes</h2>
          <Changes changes={shown.changes} />
          <h2>Input</h2>
          <JsonView name="input" value={shown.input} />
          {shown.response !== null && (
            <>
              <h2>Response</h2>
              <JsonView name="response" value={shown.response} />
            </>
          )}
        </>
      )}
    </Page>
  )
}
