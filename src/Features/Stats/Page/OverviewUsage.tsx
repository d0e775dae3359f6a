import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { loadLater } from "../../../Dashboard/Parts/LoadLater.tsx"
import { useHasCall } from "../../../Dashboard/Service/Calls.ts"
import { useSession } from "../../../Dashboard/Session/Session.tsx"
import { PeriodFilter, usePeriod } from "./PeriodFilter.tsx"
import { useStats } from "./Queries.ts"
import { Usage } from "./Usage.tsx"

const UsageBy = loadLater(async () => (await import("./UsageBy.tsx")).UsageBy, <div className="overview-placeholder" />)

const useOverviewStats = () => {
  const { name, period } = usePeriod()
  return { name, period, stats: useStats(name), before: useStats(name, { isBefore: true }) }
}

/** Also loads the figures while the page waits for the rest. */
export const OverviewPeriod = () => {
  useOverviewStats()
  // Shown also while it is not known whether there are calls, so that nothing moves.
  return useHasCall(useSession().isAdmin).data !== false && <PeriodFilter />
}

export const OverviewUsage = () => {
  const { before, name, period, stats } = useOverviewStats()
  if (useHasCall(useSession().isAdmin).data !== true) return null
  const error = stats.error ?? before.error
  return (
    <>
      {error && <ErrorNotice error={error} isRead />}
      <Usage
        key={name}
        buckets={stats.data?.buckets}
        before={before.isPlaceholderData ? undefined : before.data?.buckets}
        period={period}
        isReloading={stats.isPlaceholderData}
      />
      <UsageBy period={name} periodTitle={period.title} />
    </>
  )
}
