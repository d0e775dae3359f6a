import { periodOf } from "./Periods.ts"
import { useStats } from "./Queries.ts"
import { Usage } from "./Usage.tsx"

export const ConnectionUsage = ({ id }: { readonly id: string }) => {
  const stats = useStats("", { group_by: "connection", group: id })
  return (
    <Usage
      title="Last 7 days"
      buckets={stats.data?.buckets}
      isReloading={stats.isPlaceholderData}
      period={periodOf("", Date.now())}
      logs={`connection=${id}`}
    />
  )
}
