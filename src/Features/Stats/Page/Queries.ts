import { readStats } from "../../../Dashboard/Service/Calls.ts"
import { useServiceQuery } from "../../../Dashboard/Service/Queries.ts"
import { useSession } from "../../../Dashboard/Session/Session.tsx"
import type { StatsDimension } from "../../../Domain/Calls/Stats.ts"
import { type PeriodName, periodOf, spanBefore, spanOf } from "./Periods.ts"

export const useStats = (
  name: PeriodName,
  { group, group_by, isBefore = false }: {
    readonly group_by?: StatsDimension
    readonly group?: string
    readonly isBefore?: boolean
  } = {}
) => {
  const { isAdmin } = useSession()
  return useServiceQuery(
    ["stats", isBefore ? "before" : "now", group_by ?? "all", group ?? "all", name],
    (service) => {
      const now = Date.now()
      return readStats(service, isAdmin, {
        ...(isBefore ? spanBefore : spanOf)(name, now),
        bucket: periodOf(name, now).bucket,
        ...group_by && { group_by },
        ...group !== undefined && { group }
      })
    },
    { live: true }
  )
}
