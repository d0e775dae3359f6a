import { Status } from "../../../Dashboard/Parts/Status.tsx"
import { Time } from "../../../Dashboard/Parts/Time.tsx"
import type { Webhook } from "../Webhook.ts"

export const WebhookState = ({ webhook: { enabled, failing_since } }: { readonly webhook: Webhook }) => {
  if (!enabled) return <Status state="off">Off</Status>
  if (failing_since === null) return <Status state="ok">On</Status>
  return (
    <Status state="error">
      <span>
        Failing since <Time at={failing_since} />
      </span>
    </Status>
  )
}
