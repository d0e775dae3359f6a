import { FeatureParts } from "../../Frame/FeatureParts.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Page } from "../../Parts/Page.tsx"
import { useHasCall } from "../../Service/Calls.ts"
import { useClients, useConnections, useGrants, useKeys, useWebhooks } from "../../Service/Lists.ts"
import { featuresOff } from "../../Service/ServedPage.ts"
import { useSession } from "../../Session/Session.tsx"
import { GettingStarted } from "./GettingStarted.tsx"
import { NeedsAttention, useFailingClients } from "./NeedsAttention.tsx"

export const Overview = () => {
  const { isAdmin } = useSession()
  const clients = useClients()
  const connections = useConnections()
  const keys = useKeys()
  const grants = useGrants()
  const webhooks = useWebhooks(isAdmin)
  const failingClients = useFailingClients()
  const hasCall = useHasCall(isAdmin)
  const error = clients.error ?? connections.error ?? keys.error ?? grants.error ?? hasCall.error
  // Shows everything together, so that nothing moves while it loads.
  const isReady = clients.data && connections.data && keys.data && grants.data && hasCall.data !== undefined &&
    !failingClients.isPending && !webhooks.isLoading
  return (
    <Page
      title="Overview"
      about={featuresOff.includes("stats") ? "What needs attention." : "What needs attention, and how calls went."}
      actions={<FeatureParts place="overviewActions" />}
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
              <FeatureParts place="attention" />
              <FeatureParts place="overview" />
              <GettingStarted
                has={{
                  client: clients.data.length > 0,
                  connection: connections.data.length > 0,
                  key: keys.data.length > 0,
                  agent: grants.data.length > 0,
                  call: hasCall.data
                }}
              />
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
