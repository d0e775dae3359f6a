import { needsAttention } from "../Parts/Status.tsx"
import { useConnections } from "../Service/Lists.ts"

export const FailingConnection = () =>
  useConnections().data?.some(needsAttention) && (
    <span className="mark" title="One needs attention">
      <span className="visually-hidden">, one needs attention</span>
    </span>
  )
