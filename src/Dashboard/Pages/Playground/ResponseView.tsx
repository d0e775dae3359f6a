import { Option, Schema } from "effect"
import { Link } from "wouter"
import type { CallRequest, CallResponse } from "../../../Api/Calls/CallApi.ts"
import { shownFields } from "../../../Domain/Calls/Change.ts"
import { UnkeptReason } from "../../../Domain/Calls/UndoReason.ts"
import { DataView } from "../../Data/DataView.tsx"
import { Changes } from "../../Parts/Changes.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Id } from "../../Parts/Id.tsx"
import { Json } from "../../Parts/Json.tsx"
import { millis, number } from "../../Parts/Numbers.ts"
import type { ServiceError } from "../../Service/Service.ts"

const decodePreview = Schema.decodeUnknownOption(
  Schema.Struct({ ...shownFields, undoable: Schema.Boolean, undoable_reason: Schema.optionalKey(UnkeptReason) })
)

const keepsNothing = " once it is written here. Only a key or an agent that keeps what it changes can take it back"

/** @param read the request of a read, whose table can be kept */
export const ResponseView = ({ error, name, read, request, response }: {
  readonly response: CallResponse | undefined
  readonly error: ServiceError | null
  readonly name: string
  readonly request: CallRequest
  readonly read: boolean
}) => {
  if (error) {
    return (
      <div className="stack">
        <ErrorNotice error={error} />
        {error.details !== undefined && <Json value={error.details} />}
      </div>
    )
  }
  if (!response) return <p className="muted">The response appears here.</p>
  const preview = request.dry_run === true ? Option.getOrUndefined(decodePreview(response.data)) : undefined
  const { cached, call_id, cost_usd, data, latency_ms } = response
  return (
    <div className="stack" key={call_id}>
      <p className="row-of meta">
        <span>{millis(latency_ms)}</span>
        <span>{number.format(JSON.stringify(data).length)} characters</span>
        <span>{cached ? "from the cache" : "from the provider"}</span>
        <span>{cost_usd} USD</span>
        <Id id={call_id} />
        <Link href={`/logs?call=${call_id}`}>In the logs</Link>
      </p>
      {preview
        ? (
          <>
            <p className="notice">
              A preview: nothing was written. {preview.undoable
                ? "This can be undone."
                : `This cannot be undone${preview.undoable_reason === "not_kept" ? keepsNothing : ""}.`}
            </p>
            <Changes {...preview} />
          </>
        )
        : <DataView data={data} isOwn name={name} read={read ? request : undefined} request={request} />}
    </div>
  )
}
