import { useApprovals } from "./Decisions.ts"

/** How many wait for a person. */
export const Waiting = () => {
  const count = useApprovals().data?.filter(({ status }) => status === "pending").length ?? 0
  return count > 0 && (
    <span className="badge">
      {count}
      <span className="visually-hidden">waiting</span>
    </span>
  )
}
