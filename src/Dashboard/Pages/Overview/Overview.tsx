import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { SelectFilter } from "../../Parts/Filters.tsx"
import { Page } from "../../Parts/Page.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { ScarceQuotas } from "../../Quotas/Quotas.tsx"
import { listCalls } from "../../Service/Calls.ts"
import { useClients, useConnections, useGrants, useKeys, useWebhooks } from "../../Service/Lists.ts"
import { useServiceQuery } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"
import { periodNameOf, periodNames, periodOf } from "../../Usage/Periods.ts"
import { useStats } from "../../Usage/Stats.ts"
import { Usage } from "../../Usage/Usage.tsx"
import { GettingStarted } from "./GettingStarted.tsx"
import { NeedsAttention, useFailingClients } from "./NeedsAttention.tsx"
import { UsageBy } from "./UsageBy.tsx"

export const Overview = () => {
  const { isAdmin } = useSession()
  const [text, setText] = useUrlState("period")
  const name = periodNameOf(text)
  const now = Date.now()
  const period = periodOf(name, now)
  const clients = useClients()
  const connections = useConnections()
  const keys = useKeys()
  const grants = useGrants()
  const webhooks = useWebhooks(isAdmin)
  const failingClients = useFailingClients()
  const stats = useStats(name)
  const before = useStats(name, { isBefore: true })
  const anyCall = useServiceQuery(["newest", "any"], (service) => listCalls(service, isAdmin, { limit: 1 }), {
    live: true
  })
  const error = clients.error ?? connections.error ?? keys.error ?? grants.error ?? stats.error ?? before.error ??
    anyCall.error
  // Shows everything together, so that nothing moves while it loads.
  const isReady = clients.data && connections.data && keys.data && grants.data && stats.data && anyCall.data &&
    !failingClients.isPending && !before.isPending && !webhooks.isLoading
  const hasCall = anyCall.data !== undefined && anyCall.data.calls.length > 0
  const gettingStarted = (
    <GettingStarted
      hasClient={(clients.data ?? []).length > 0}
      hasConnection={(connections.data ?? []).length > 0}
      hasKey={(keys.data ?? []).length > 0}
      hasAgent={(grants.data ?? []).length > 0}
      hasCall={hasCall}
    />
  )
  return (
    <Page
      title="Overview"
      about="What needs attention, and how calls went."
      actions={hasCall && (
        <SelectFilter
          label="Period"
          all={periodOf("", now).title}
          options={periodNames.filter(Boolean).map((value) => ({ value, title: periodOf(value, now).title }))}
          value={name}
          onChange={setText}
        />
      )}
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
              <ScarceQuotas />
              {!hasCall && gettingStarted}
              {hasCall && (
                <>
                  <Usage
                    key={name}
                    buckets={stats.data.buckets}
                    before={before.isPlaceholderData ? undefined : before.data?.buckets}
                    period={period}
                    isReloading={stats.isPlaceholderData}
                  />
                  <UsageBy period={name} periodTitle={period.title} />
                  {gettingStarted}
                </>
              )}
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
