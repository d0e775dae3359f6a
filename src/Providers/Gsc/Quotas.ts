import { onePerRequest, type Quota } from "../Quota.ts"

const analytics = onePerRequest(["searchanalytics.query"])
const inspection = onePerRequest(["urlInspection.index.inspect"])
const others = onePerRequest(["sites.list", "sites.get", "sitemaps.list", "sitemaps.get"])

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
  limit: number,
  units: Quota["units"],
  named?: RegExp
): Quota => ({
  source: "https://developers.google.com/webmaster-tools/limits",
  asOf: "2026-11-20",
  counts: "units",
  name: `gsc.${name}.${scope}`,
  scope,
  ...window,
  limit,
  units,
  ...named && { named }
})

/** The load quota, which depends on the width of a query, has no figures. */
export const gscQuotas: ReadonlyArray<Quota> = [
  quota("searchanalytics", "resource", minute, 1200, analytics, perSite),
  quota("searchanalytics", "account", minute, 1200, analytics, perUser),
  quota("searchanalytics", "project", minute, 40_000, analytics, perProject),
  quota("searchanalytics_day", "project", day, 30_000_000, analytics, perDay),
  quota("inspection", "resource", minute, 600, inspection, perSite),
  quota("inspection_day", "resource", day, 2000, inspection, perDay),
  quota("inspection", "project", minute, 15_000, inspection, perProject),
  quota("inspection_day", "project", day, 10_000_000, inspection),
  quota("other_second", "account", second, 20, others, /persecond/),
  quota("other", "account", minute, 200, others, perUser),
  quota("other_day", "project", day, 100_000_000, others, perDay)
]
