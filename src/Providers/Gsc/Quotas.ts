import { onePerRequest, type Quota } from "../Quota.ts"

const analytics = onePerRequest(["searchanalytics.query"])
const inspection = onePerRequest(["urlInspection.index.inspect"])
const otherRequests = onePerRequest(["sites.list", "sites.get", "sitemaps.list", "sitemaps.get"])

const perSite = /per(?:minute|second)?persite/
const perUser = /peruser|userratelimitexceeded/
const perProject = /perminuteperproject|perminute'/
const perDay = /perday|dailylimitexceeded/

type Window = Pick<Quota, "windowSeconds" | "resets">

const second: Window = { windowSeconds: 1 }
const minute: Window = { windowSeconds: 60 }
/** Google counts days in Pacific time. */
const day: Window = { windowSeconds: 86_400, resets: "America/Los_Angeles" }

const quota = (
  name: string,
  scope: Quota["scope"],
  window: Window,
  more: Pick<Quota, "limit" | "units" | "named">
): Quota => ({
  source: "https://developers.google.com/webmaster-tools/limits",
  asOf: "2026-11-20",
  counts: "units",
  name: `gsc.${name}.${scope}`,
  scope,
  ...window,
  ...more
})

/** The load quota, which depends on the width of a query, has no figures. */
export const gscQuotas: ReadonlyArray<Quota> = [
  quota("searchanalytics", "resource", minute, { limit: 1200, units: analytics, named: perSite }),
  quota("searchanalytics", "account", minute, { limit: 1200, units: analytics, named: perUser }),
  quota("searchanalytics", "project", minute, { limit: 40_000, units: analytics, named: perProject }),
  quota("searchanalytics_day", "project", day, { limit: 30_000_000, units: analytics, named: perDay }),
  quota("inspection", "resource", minute, { limit: 600, units: inspection, named: perSite }),
  quota("inspection_day", "resource", day, { limit: 2000, units: inspection, named: perDay }),
  quota("inspection", "project", minute, { limit: 15_000, units: inspection, named: perProject }),
  quota("inspection_day", "project", day, { limit: 10_000_000, units: inspection }),
  quota("other_second", "account", second, { limit: 20, units: otherRequests, named: /persecond/ }),
  quota("other", "account", minute, { limit: 200, units: otherRequests, named: perUser }),
  quota("other_day", "project", day, { limit: 100_000_000, units: otherRequests, named: perDay })
]
