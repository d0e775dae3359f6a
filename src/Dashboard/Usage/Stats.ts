import type { StatsDimension } from "../../Domain/Calls/Stats.ts"
import { readStats } from "../Service/Calls.ts"
import { useServiceQuery } from "../Service/Queries.ts"
import { useSession } from "../Session/Session.tsx"
import { endOf, type PeriodName, periodOf } from "./Periods.ts"

export const useStats = (name: PeriodName, group_by?: StatsDimension) => {
  const { isAdmin } = useSession()
  return useServiceQuery(
    ["stats", group_by ?? "all", name],
    (service) => {
      const period = periodOf(name, Date.now())
      return readStats(service, isAdmin, {
        since: new Date(period.first),
        ...name === "last_month" && { until: new Date(endOf(period)) },
        bucket: period.bucket,
        ...group_by && { group_by }
      })
    },
    { live: true }
  )
}
