import { useLocation } from "wouter"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { SelectFilter } from "../../Parts/Filters.tsx"
import { Page } from "../../Parts/Page.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { listCalls, readStats } from "../../Service/Calls.ts"
import { useClients, useConnections, useGrants, useKeys, useWebhooks } from "../../Service/Lists.ts"
import { useServiceQuery } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"
import { type Bucket, CallChart } from "./CallChart.tsx"
import { Figures } from "./Figures.tsx"
import { GettingStarted } from "./GettingStarted.tsx"
import { NeedsAttention, useFailingClients } from "./NeedsAttention.tsx"
import { formatStart, periodOf, periods, startOf, withEmptyBuckets } from "./Periods.ts"

export const Overview = () => {
  const { isAdmin } = useSession()
  const [, navigate] = useLocation()
  const [name, setName] = useUrlState("period")
  const period = periodOf(name)
  const clients = useClients()
  const connections = useConnections()
  const keys = useKeys()
  const grants = useGrants()
  const webhooks = useWebhooks(isAdmin)
  const failingClients = useFailingClients()
  const stats = useServiceQuery(
    ["stats", name],
    (service) => readStats(service, isAdmin, { since: new Date(startOf(period)), bucket: period.bucket }),
    { live: true }
  )
  const anyCall = useServiceQuery(["newest", "any"], (service) => listCalls(service, isAdmin, { limit: 1 }), {
    live: true
  })
  const error = clients.error ?? connections.error ?? keys.error ?? grants.error ?? stats.error ?? anyCall.error
  // Shows everything together, so that nothing moves while it loads.
  const isReady = clients.data && connections.data && keys.data && grants.data && stats.data && anyCall.data &&
    !failingClients.isPending && (!isAdmin || !webhooks.isPending)
  const format = (start: Date) => formatStart(period, start)
  const hasCall = anyCall.data !== undefined && anyCall.data.calls.length > 0
  const gettingStarted = (
    <GettingStarted
      hasConnection={(connections.data ?? []).length > 0}
      hasKey={(keys.data ?? []).length > 0}
      hasAgent={(grants.data ?? []).length > 0}
      hasCall={hasCall}
    />
  )
  const openLogs = ({ errors, start }: Bucket) => {
    const until = new Date(start.getTime() + period.step)
    navigate(
      `/logs?since=${start.toISOString()}&until=${until.toISOString()}${errors > 0 ? "&outcome=error" : ""}`
    )
  }
  return (
    <Page
      title="Overview"
      about="What needs attention, and how calls went."
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
        {error && <ErrorNotice error={error} isRead />}
        {isReady
          ? (
            <>
              <NeedsAttention
                connections={connections.data}
                keys={keys.data}
                clients={failingClients.data ?? []}
                webhooks={webhooks.data ?? []}
              />
              {!hasCall && gettingStarted}
              <section className={stats.isPlaceholderData ? "panel reloading" : "panel"} aria-label="Calls">
                <div className="panel-head">
                  <h2>Calls</h2>
                </div>
                <div className="panel-body stack">
                  <Figures buckets={stats.data.buckets} format={format} />
                  {stats.data.buckets.length === 0
                    ? <p className="muted">No calls in this time.</p>
                    : (
                      <CallChart
                        buckets={withEmptyBuckets(stats.data.buckets, period)}
                        format={format}
                        onOpen={openLogs}
                      />
                    )}
                </div>
              </section>
              {hasCall && gettingStarted}
            </>
          )
          : !error && (
            <section className="panel" aria-label="Calls" aria-busy="true">
              <div className="panel-body stack overview-placeholder">
                <span className="placeholder" />
                <span className="placeholder" />
                <span className="placeholder" />
              </div>
            </section>
          )}
      </div>
    </Page>
  )
}
