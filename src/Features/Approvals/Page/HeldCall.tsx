import { Option, Schema } from "effect"
import { Link } from "wouter"
import type { AboutCallProps } from "../../../Dashboard/Frame/FeaturePages.ts"
import { StatusOf } from "../../../Dashboard/Parts/Status.tsx"
import { statusOf } from "./ApprovalWords.ts"
import { useApproval } from "./Decisions.ts"

const decode = Schema.decodeUnknownOption(
  Schema.Struct({ error: Schema.Struct({ details: Schema.Struct({ approval_id: Schema.String }) }) })
)

/** What became of a write that was held until a person decided. */
export const HeldCall = ({ call: { error_code, response } }: AboutCallProps) => {
  const held = error_code === "approval_required" || error_code === "approval_denied"
  const id = Option.getOrUndefined(decode(response))?.error.details.approval_id
  return held && id !== undefined ? <Held id={id} /> : null
}

const Held = ({ id }: { readonly id: string }) => {
  const { data: approval, isPending: isAsked } = useApproval(id)
  const isPending = approval?.status === "pending"
  return (
    <div className={isPending ? "notice attention next-step" : "notice next-step"} aria-busy={isAsked}>
      <span className="row-of">
        {approval && <StatusOf entry={statusOf(approval)} />}
        <span>{isPending ? "Nothing was written. A person decides." : "This call itself has written nothing."}</span>
      </span>
      <Link className={isPending ? "button primary" : "button"} href={`/approvals/${id}`}>
        {isPending ? "Decide" : "Open the approval"}
      </Link>
    </div>
  )
}
