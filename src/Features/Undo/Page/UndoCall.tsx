import { Option, Schema } from "effect"
import { Changes } from "../../../Dashboard/Parts/Changes.tsx"
import { Dialog } from "../../../Dashboard/Parts/Dialog.tsx"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { useServiceMutation, useServiceQuery } from "../../../Dashboard/Service/Queries.ts"
import { writingService } from "../../../Dashboard/Service/Service.ts"
import { shownFields } from "../../../Domain/Calls/Change.ts"

const decodeConflict = Schema.decodeUnknownOption(Schema.Struct(shownFields))

/** Shows what comes back before anything is written. */
export const UndoCall = ({ id, onClose, onUndone }: {
  readonly id: string
  readonly onClose: () => void
  readonly onUndone: (callId: string) => void
}) => {
  const params = { call_id: id }
  const preview = useServiceQuery(["undo", id], () => writingService.undo.undo({ params, query: { dry_run: true } }), {
    fresh: true
  })
  const undo = useServiceMutation(() => writingService.undo.undo({ params, query: {} }), ["call", "logs", "newest"])
  const error = undo.error ?? preview.error
  const conflict = error?.code === "undo_conflict" ? Option.getOrUndefined(decodeConflict(error.details)) : undefined
  const data = preview.data?.data
  return (
    <Dialog title="Undo this call?" className="wide" onClose={onClose}>
      {preview.isPending && <span className="placeholder" />}
      {error && !conflict && <ErrorNotice error={error} />}
      {conflict && (
        <>
          <p className="notice attention">
            <strong>It was changed since, so nothing was written.</strong>
            <span>Marked red is what the call left, green what is there now.</span>
          </p>
          <Changes {...conflict} />
        </>
      )}
      {data && !error && (
        <>
          <p className="muted">
            This comes back, as a call of its own. Nothing else is touched; if somebody changes it meanwhile, nothing is
            written.
          </p>
          <Changes {...data} />
        </>
      )}
      <div className="dialog-actions">
        <button type="button" onClick={onClose}>{error ? "Close" : "Keep it as it is"}</button>
        {!error && (
          <button
            type="button"
            className="primary"
            disabled={!data || undo.isPending}
            onClick={() => undo.mutate(undefined, { onSuccess: ({ call_id }) => onUndone(call_id) })}
          >
            Undo the call
          </button>
        )}
      </div>
    </Dialog>
  )
}
