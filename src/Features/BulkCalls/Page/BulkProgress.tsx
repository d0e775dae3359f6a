import { useQuery } from "@tanstack/react-query"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { loadLater } from "../../../Dashboard/Parts/LoadLater.tsx"
import { counted, number } from "../../../Dashboard/Parts/Numbers.ts"
import { useServiceMutation } from "../../../Dashboard/Service/Queries.ts"
import { run, service, type ServiceError } from "../../../Dashboard/Service/Service.ts"
import type { BulkCall } from "../Contract.ts"
import { ClientChart } from "./ClientChart.tsx"
import { Failures, Parts } from "./Failures.tsx"
import { Rows } from "./Rows.tsx"

const SqlPanel = loadLater(
  async () => (await import("../../Results/Page/SqlPanel.tsx")).SqlPanel,
  <span className="placeholder" />
)

const isOpen = ({ status }: BulkCall): boolean => status === "queued" || status === "running"

/** Seconds that the service waits for the end before it says how far it is. */
const wait = 1

const wordsOf = ({ done, failed, status, total, truncated }: BulkCall): string => {
  if (status === "queued") return "Waits for its turn."
  const counts = `${number.format(done)} of ${number.format(total)} asked, ${number.format(failed)} failed.`
  if (status === "cancelled") return `Cancelled. ${counts}`
  return truncated ? `${counts} Rows are missing: the table has as many as it may have.` : counts
}

/** A bulk call, from its start to its table. */
export const BulkProgress = ({ first }: { readonly first: BulkCall }) => {
  const { data: bulk, error } = useQuery<BulkCall, ServiceError>({
    queryKey: ["bulk call", first.id],
    queryFn: ({ signal }) => run(service.bulkCalls.get({ params: { id: first.id }, query: { wait } }), signal),
    initialData: first,
    refetchInterval: ({ state }) => state.data === undefined || isOpen(state.data) ? state.error ? 5000 : 100 : false
  })
  const cancel = useServiceMutation(({ bulkCalls }) => bulkCalls.cancel({ params: { id: first.id } }), ["bulk call"])
  const { result } = bulk
  return (
    <div className="stack">
      <div className="row-of spread">
        <p role="status">{wordsOf(bulk)}</p>
        {isOpen(bulk) && (
          <button
            type="button"
            className="small"
            disabled={cancel.isPending}
            onClick={() => cancel.mutate()}
          >
            Cancel
          </button>
        )}
      </div>
      {isOpen(bulk) && (
        <progress style={{ inlineSize: "100%" }} aria-label="Accounts asked" max={bulk.total} value={bulk.done} />
      )}
      {error && <ErrorNotice error={error} isRead />}
      {cancel.error && <ErrorNotice error={cancel.error} />}
      <Failures bulk={bulk} />
      <Parts bulk={bulk} />
      {result && result.rows === 0 && <p className="muted">No account has rows.</p>}
      {result && result.rows > 0 && (
        <>
          <ClientChart result={result} />
          <Rows result={result} />
          <details>
            <summary>Ask these {counted(result.rows, "row")} with SQL</summary>
            <SqlPanel part={undefined} result={result} />
          </details>
        </>
      )}
    </div>
  )
}
