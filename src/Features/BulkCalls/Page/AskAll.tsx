import { Effect } from "effect"
import { useState } from "react"
import type { AskAllProps } from "../../../Dashboard/Frame/FeaturePages.ts"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { issuesOf } from "../../../Dashboard/Parts/FieldErrors.ts"
import { counted } from "../../../Dashboard/Parts/Numbers.ts"
import { useConnections } from "../../../Dashboard/Service/Lists.ts"
import { useServiceMutation } from "../../../Dashboard/Service/Queries.ts"
import { ServiceError } from "../../../Dashboard/Service/Service.ts"
import type { NewBulkCall } from "../Contract.ts"
import { BulkProgress } from "./BulkProgress.tsx"

/** The operation is about no resource, such as a list of sites. */
const isAboutNone = (error: unknown): boolean =>
  error instanceof ServiceError && issuesOf(error).some(({ path: [field] }) => field === "resources")

export const AskAll = ({ request }: AskAllProps) => {
  const { connection_id: _, ...asked } = request
  const [asksEach, setAsksEach] = useState(true)
  const start = useServiceMutation(({ bulkCalls }, payload: NewBulkCall) => {
    const once = bulkCalls.start({ payload })
    return asksEach
      ? Effect.catchIf(bulkCalls.start({ payload: { ...payload, resources: "all" } }), isAboutNone, () => once)
      : once
  }, ["newest"])
  const accounts =
    useConnections().data?.filter(({ provider, status }) => provider === request.provider && status === "active") ?? []
  if (start.data) return <BulkProgress first={start.data} />
  const clients = new Set(accounts.map(({ client_id }) => client_id))
  return (
    <div className="stack">
      <p>
        One table from {counted(accounts.length, "active account")} of{" "}
        {counted(clients.size, "client")}. Accounts that fail are listed with the cause.
      </p>
      <label className="choice">
        <input type="checkbox" checked={asksEach} onChange={(event) => setAsksEach(event.target.checked)} />
        <span>Every site or property that each account lists, instead of the one in the input</span>
      </label>
      {start.error && <ErrorNotice error={start.error} />}
      <div>
        <button
          type="button"
          className="primary"
          disabled={start.isPending || accounts.length === 0}
          onClick={() => start.mutate(asked)}
        >
          Ask {counted(accounts.length, "account")}
        </button>
      </div>
    </div>
  )
}
