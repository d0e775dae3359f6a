import type { CallRequest } from "../../../Api/Calls/CallApi.ts"
import { weekdayOf } from "../../../Sandbox/Data/Day.ts"
import { randomOf } from "../../../Sandbox/Data/SeededRandom.ts"
import { planId } from "../../../Sandbox/Providers/Gdocs/Plan.ts"
import { leadsId } from "../../../Sandbox/Providers/Gsheets/Leads.ts"
import { append, topQueries } from "./Transcript.ts"

export type Script = "report" | "import" | "partner" | "agent"

export interface Routine {
  readonly script: Script
  readonly request: CallRequest
  readonly perDay: number
  readonly latencyMillis: number
  readonly cachedShare?: number
}

const traffic = { provider: "ga4", tool: "ga4_traffic_by_page", input: { property: "410000011", limit: 3 } }
const tabs = { provider: "gsheets", tool: "sheets_list_tabs", input: { spreadsheet: leadsId } }

const routines: ReadonlyArray<Routine> = [
  { script: "report", request: topQueries, perDay: 16, latencyMillis: 240, cachedShare: 0.4 },
  { script: "report", request: traffic, perDay: 10, latencyMillis: 430, cachedShare: 0.2 },
  { script: "report", request: { provider: "sitesearch", endpoint: "GetUserSites" }, perDay: 5, latencyMillis: 180 },
  {
    script: "report",
    request: { provider: "gdocs", tool: "docs_read", input: { document: planId } },
    perDay: 4,
    latencyMillis: 380
  },
  { script: "import", request: append, perDay: 8, latencyMillis: 320 },
  { script: "import", request: tabs, perDay: 6, latencyMillis: 150, cachedShare: 0.5 },
  { script: "agent", request: topQueries, perDay: 4, latencyMillis: 250, cachedShare: 0.3 },
  {
    script: "agent",
    request: { provider: "gdocs", tool: "docs_read", input: { document: planId } },
    perDay: 2,
    latencyMillis: 390
  },
  { script: "partner", request: topQueries, perDay: 12, latencyMillis: 260 },
  { script: "partner", request: traffic, perDay: 12, latencyMillis: 450 },
  { script: "partner", request: tabs, perDay: 5, latencyMillis: 160, cachedShare: 0.5 }
]

export interface PastCall {
  readonly routine: Routine
  readonly at: number
  readonly latency: number
  readonly outcome: "ok" | "cached" | "upstream_error" | "upstream_unreachable"
}

const dayInMillis = 86_400_000

export const historyDays = 60

/** The share of today's calls: fewer at weekends, growing from a half to all of them. */
const shareOf = (day: number, daysAgo: number, seed: string) =>
  (([0, 6].includes(weekdayOf(day)) ? 0.4 : 0.8) + 0.4 * randomOf(seed)) * (1 - daysAgo / historyDays / 2)

export const pastCalls = (now: number): ReadonlyArray<PastCall> => {
  const today = Math.floor(now / dayInMillis)
  return Array.from({ length: historyDays + 1 }, (_, index) => historyDays - index)
    .flatMap((daysAgo) =>
      routines.flatMap((routine, number) => {
        const day = today - daysAgo
        const count = Math.round(routine.perDay * shareOf(day, daysAgo, `${day} ${number}`))
        return Array.from({ length: count }, (_, index) => pastCall(routine, day, `${day} ${number} ${index}`))
      })
    )
    .filter(({ at }) => at > now - historyDays * dayInMillis && at < now - 60_000)
    .toSorted((one, other) => one.at - other.at)
}

const pastCall = (routine: Routine, day: number, seed: string): PastCall => {
  const random = (what: string) => randomOf(`${seed} ${what}`)
  const hour = 5 + 16 * (random("early") + random("late")) / 2
  const at = Math.floor((day + hour / 24) * dayInMillis)
  if (random("cached") < (routine.cachedShare ?? 0)) {
    return { routine, at, latency: 1 + 3 * random("latency"), outcome: "cached" }
  }
  const slow = random("slow") < 0.04 ? 4 : 1
  const latency = routine.latencyMillis * slow * (0.6 + 0.9 * random("latency"))
  const fate = random("fate")
  if (fate < 0.015) return { routine, at, latency, outcome: "upstream_error" }
  if (fate < 0.02) return { routine, at, latency: 10_000, outcome: "upstream_unreachable" }
  return { routine, at, latency, outcome: "ok" }
}
