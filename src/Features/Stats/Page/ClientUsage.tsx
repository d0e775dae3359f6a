import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { PeriodFilter, usePeriod } from "./PeriodFilter.tsx"
import { useStats } from "./Queries.ts"
import { Usage } from "./Usage.tsx"

export const ClientUsage = ({ id }: { readonly id: string }) => {
  const { name, period } = usePeriod()
  const stats = useStats(name, { group_by: "client" })
  return (
    <section className="stack" aria-label="Use">
      <div className="row-of spread">
        <h2>Use</h2>
        <span>
          <PeriodFilter />
        </span>
      </div>
      {stats.error && <ErrorNotice error={stats.error} isRead />}
      <Usage
        key={name}
        buckets={stats.data?.buckets.filter(({ group }) => group === id)}
        isReloading={stats.isPlaceholderData}
        period={period}
        logs={`client=${id}`}
      />
      {stats.data?.truncated && (
        <p className="meta">There are too many clients for this time, so its later part is missing.</p>
      )}
    </section>
  )
}
