import { useMemo } from "react"
import type { CallFilter } from "../../../Domain/Calls/Call.ts"
import { dayInMillis, hourInMillis } from "../../Parts/Day.ts"
import { useUrlParameters } from "../../Parts/UrlState.ts"
import { isResource } from "../../Rights/ResourceWords.ts"

export const periods: Readonly<Record<string, { readonly title: string; readonly millis: number }>> = {
  hour: { title: "Last hour", millis: hourInMillis },
  day: { title: "Last 24 hours", millis: dayInMillis },
  week: { title: "Last 7 days", millis: 7 * dayInMillis }
}

const fields = [
  ["provider", "provider"],
  ["client", "client_id"],
  ["connection", "connection_id"],
  ["error", "error_code"],
  ["target", "target"],
  ["resource", "resource"],
  ["key", "key_id"],
  ["member", "member_id"],
  ["agent", "grant_id"]
] as const

const names = [...fields.map(([name]) => name), "outcome", "cached", "period", "since", "until"] as const
type Name = typeof names[number]

const dateOf = (text: string): Date | undefined => {
  const date = new Date(text)
  return text === "" || Number.isNaN(date.getTime()) ? undefined : date
}

export const useCallFilter = () => {
  const { get, set } = useUrlParameters<Name>()
  const [outcome, cached, period, since, until] = [
    get("outcome"),
    get("cached"),
    get("period"),
    get("since"),
    get("until")
  ]
  const start = useMemo(() => {
    const chosen = periods[period]
    return chosen ? new Date(Date.now() - chosen.millis) : dateOf(since)
  }, [period, since])
  const end = useMemo(() => dateOf(until), [until])
  const textFilter = Object.fromEntries(
    fields.map(([name, field]) => [field, get(name)] as const).filter(([, value]) => value !== "")
  )
  const filter: CallFilter = {
    ...textFilter,
    ...(outcome === "ok" || outcome === "error") && { outcome },
    ...cached !== "" && { cached: cached === "yes" },
    ...start && { since: start },
    ...end && { until: end }
  }
  const clear = () => set(Object.fromEntries(names.map((name) => [name, ""])))
  return { filter, get, set, clear, isFiltered: Object.keys(filter).length > 0 }
}

export type CallFilterState = ReturnType<typeof useCallFilter>

const filterByPrefix: Readonly<Record<string, Name>> = {
  cli_: "client",
  con_: "connection",
  gra_: "agent",
  key_: "key",
  mem_: "member"
}

export const filterOfId = (id: string): Name | undefined =>
  isResource(id) ? "resource" : Object.entries(filterByPrefix).find(([prefix]) => id.startsWith(prefix))?.[1]
