import { useApprovals } from "./Decisions.ts"

/** How many approvals wait for a decision. */
export const Waiting = () => {
  const count = useApprovals().data?.filter(({ status }) => status === "pending").length ?? 0
  return count > 0 && (
    <span className="badge">
      {count}
      <span className="visually-hidden">waiting</span>
    </span>
  )
}
