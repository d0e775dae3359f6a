import { onePerRequest, type Quota } from "../Quota.ts"

const from = {
  source: "https://developers.google.com/webmaster-tools/limits",
  asOf: "2026-11-20",
  counts: "units"
} as const

const minute = 60
const day = 86_400
/** Google counts days in Pacific time. */
const resets = "America/Los_Angeles"

const analytics = onePerRequest(["searchanalytics.query"])
const inspection = onePerRequest(["urlInspection.index.inspect"])
const others = onePerRequest(["sites.list", "sites.get", "sitemaps.list", "sitemaps.get"])

const perSite = /per(?:minute|second)?persite/
const perUser = /peruser|userratelimitexceeded/
const perProject = /perminuteperproject|perminute'/
const perDay = /perday|dailylimitexceeded/

/** The load quota, which depends on the width of a query, has no figures. */
export const gscQuotas: ReadonlyArray<Quota> = [
  {
    ...from,
    name: "gsc.searchanalytics.resource",
    scope: "resource",
    windowSeconds: minute,
    limit: 1200,
    units: analytics,
    named: perSite
  },
  {
    ...from,
    name: "gsc.searchanalytics.account",
    scope: "account",
    windowSeconds: minute,
    limit: 1200,
    units: analytics,
    named: perUser
  },
  {
    ...from,
    name: "gsc.searchanalytics.project",
    scope: "project",
    windowSeconds: minute,
    limit: 40_000,
    units: analytics,
    named: perProject
  },
  {
    ...from,
    name: "gsc.searchanalytics_day.project",
    scope: "project",
    windowSeconds: day,
    resets,
    limit: 30_000_000,
    units: analytics,
    named: perDay
  },
  {
    ...from,
    name: "gsc.inspection.resource",
    scope: "resource",
    windowSeconds: minute,
    limit: 600,
    units: inspection,
    named: perSite
  },
  {
    ...from,
    name: "gsc.inspection_day.resource",
    scope: "resource",
    windowSeconds: day,
    resets,
    limit: 2000,
    units: inspection,
    named: perDay
  },
  {
    ...from,
    name: "gsc.inspection.project",
    scope: "project",
    windowSeconds: minute,
    limit: 15_000,
    units: inspection,
    named: perProject
  },
  {
    ...from,
    name: "gsc.inspection_day.project",
    scope: "project",
    windowSeconds: day,
    resets,
    limit: 10_000_000,
    units: inspection
  },
  {
    ...from,
    name: "gsc.other_second.account",
    scope: "account",
    windowSeconds: 1,
    limit: 20,
    units: others,
    named: /persecond/
  },
  {
    ...from,
    name: "gsc.other.account",
    scope: "account",
    windowSeconds: minute,
    limit: 200,
    units: others,
    named: perUser
  },
  {
    ...from,
    name: "gsc.other_day.project",
    scope: "project",
    windowSeconds: day,
    resets,
    limit: 100_000_000,
    units: others,
    named: perDay
  }
]
