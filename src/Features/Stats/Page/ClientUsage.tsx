import { SaveCsv } from "../../../Dashboard/Data/SaveCsv.tsx"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { useClientName } from "../../../Dashboard/Service/ClientName.ts"
import { typed } from "../../../Domain/Table/Table.ts"
import { PeriodFilter, usePeriod } from "./PeriodFilter.tsx"
import { wordsOf } from "./Periods.ts"
import { useStats } from "./Queries.ts"
import { Usage } from "./Usage.tsx"

const heads = ["from", "calls", "failed", "refused", "from_cache", "cost_usd", "p50_ms", "p95_ms"]

export const ClientUsage = ({ id }: { readonly id: string }) => {
  const { name, period } = usePeriod()
  const stats = useStats(name, { group_by: "client", group: id })
  const client = useClientName()(id) ?? id
  const buckets = stats.isPlaceholderData ? undefined : stats.data?.buckets
  const rows = (buckets ?? []).map(({ cached, calls, cost_usd, errors, p50_ms, p95_ms, refused, start }) =>
    [start.toISOString(), calls, errors - refused, refused, cached, cost_usd, p50_ms, p95_ms] as const
  )
  return (
    <section className="stack" aria-label="Use">
      <div className="row-of spread">
        <h2>Use</h2>
        <span className="filters">
          <PeriodFilter />
          <SaveCsv
            className=""
            disabled={rows.length === 0}
            name={`usage of ${client}, ${wordsOf(period.title)}`}
            table={typed(heads, rows)}
          />
        </span>
      </div>
      {stats.error && <ErrorNotice error={stats.error} isRead />}
      <Usage
        key={name}
        buckets={buckets}
        isReloading={stats.isPlaceholderData}
        period={period}
        logs={`client=${id}`}
      />
    </section>
  )
}
