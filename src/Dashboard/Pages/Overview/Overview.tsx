import type { StatsBucket } from "../../../Domain/Stats.ts"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { SelectFilter } from "../../Parts/Filters.tsx"
import { Page } from "../../Parts/Page.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { useConnections, useKeys } from "../../Service/Lists.ts"
import { useAnswer } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"
import { type Bucket, CallChart } from "./CallChart.tsx"
import { GettingStarted } from "./GettingStarted.tsx"
import { NeedsAttention } from "./NeedsAttention.tsx"

const hourInMillis = 3_600_000
const dayInMillis = 24 * hourInMillis

const periods = {
  "": { title: "Last 7 days", bucket: "day", step: dayInMillis, count: 7 },
  day: { title: "Last 24 hours", bucket: "hour", step: hourInMillis, count: 24 },
  month: { title: "Last 30 days", bucket: "day", step: dayInMillis, count: 30 }
} as const

const periodOf = (name: string) => periods[name === "day" || name === "month" ? name : ""]
type Period = ReturnType<typeof periodOf>

/** The first bucket of the period, in UTC as the service counts. */
const startOf = ({ count, step }: Period): number => (Math.floor(Date.now() / step) - count + 1) * step

const formats = {
  hour: new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" }),
  day: new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone: "UTC" })
}

/** The service leaves out buckets without calls. The chart shows them. */
const withEmpty = (found: ReadonlyArray<StatsBucket>, period: Period): ReadonlyArray<Bucket> => {
  const byStart = new Map(found.map((bucket) => [bucket.start.getTime(), bucket]))
  const first = startOf(period)
  return Array.from({ length: period.count }, (_, index) => {
    const start = first + index * period.step
    return byStart.get(start) ?? { start: new Date(start), calls: 0, errors: 0, cached: 0, p50_ms: null, p95_ms: null }
  })
}

export const Overview = () => {
  const { isAdmin } = useSession()
  const [name, setName] = useUrlState("period")
  const period = periodOf(name)
  const connections = useConnections()
  const keys = useKeys()
  const stats = useAnswer(["stats", name], ({ adminStats, stats }) => {
    const query = { since: new Date(startOf(period)), bucket: period.bucket }
    return isAdmin ? adminStats.read({ query }) : stats.read({ query })
  }, { live: true })
  const anyCall = useAnswer(["newest", "any"], ({ logs }) => logs.list({ query: { limit: 1 } }), { live: true })
  return (
    <Page
      title="Overview"
      about="What needs you, and how calls went."
      actions={
        <SelectFilter
          label="Period"
          all={periods[""].title}
          options={[{ value: "day", title: periods.day.title }, { value: "month", title: periods.month.title }]}
          value={name}
          onChange={setName}
        />
      }
    >
      <div className="stack-wide">
        {connections.error && <ErrorNotice error={connections.error} />}
        {connections.data && keys.data && <NeedsAttention connections={connections.data} keys={keys.data} />}
        {stats.error && <ErrorNotice error={stats.error} />}
        <section className="panel" aria-label="Calls" aria-busy={stats.isPending}>
          <div className="panel-head">
            <h2>Calls</h2>
          </div>
          <div className="panel-body stack">
            <Figures buckets={stats.data?.buckets} />
            <CallChart
              buckets={withEmpty(stats.data?.buckets ?? [], period)}
              format={(start) => formats[period.bucket].format(start)}
            />
          </div>
        </section>
        {connections.data && keys.data && anyCall.data && (
          <GettingStarted
            hasConnection={connections.data.length > 0}
            hasKey={keys.data.length > 0}
            hasCall={anyCall.data.calls.length > 0}
          />
        )}
      </div>
    </Page>
  )
}

const number = new Intl.NumberFormat()
const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 })
const dollars = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD", maximumFractionDigits: 4 })

const share = (part: number, whole: number) => whole === 0 ? "none" : percent.format(part / whole)

const Figures = ({ buckets }: { readonly buckets: ReadonlyArray<StatsBucket> | undefined }) => {
  const sum = (field: "calls" | "errors" | "cached" | "cost_usd") =>
    (buckets ?? []).reduce((total, bucket) => total + bucket[field], 0)
  const calls = sum("calls")
  const figures = [
    ["Calls", number.format(calls)],
    ["Failed", share(sum("errors"), calls)],
    ["From the cache", share(sum("cached"), calls)],
    ["Cost", dollars.format(sum("cost_usd"))]
  ] as const
  return (
    <dl className="figures">
      {figures.map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{buckets ? value : <span className="placeholder" />}</dd>
        </div>
      ))}
    </dl>
  )
}
