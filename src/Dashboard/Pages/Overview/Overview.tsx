import { Page } from "../../Parts/Page.tsx"
import { useConnections, useKeys } from "../../Service/Lists.ts"
import { useAnswer } from "../../Service/Queries.ts"
import { GettingStarted } from "./GettingStarted.tsx"
import { NeedsAttention } from "./NeedsAttention.tsx"

export const Overview = () => {
  const connections = useConnections()
  const keys = useKeys()
  const calls = useAnswer(["newest", "any"], ({ logs }) => logs.list({ query: { limit: 1 } }), { live: true })
  return (
    <Page title="Overview" about="What needs you, and how calls went.">
      <div className="stack-wide">
        {connections.data && keys.data && <NeedsAttention connections={connections.data} keys={keys.data} />}
        {connections.data && keys.data && calls.data && (
          <GettingStarted
            hasConnection={connections.data.length > 0}
            hasKey={keys.data.length > 0}
            hasCall={calls.data.calls.length > 0}
          />
        )}
      </div>
    </Page>
  )
}
