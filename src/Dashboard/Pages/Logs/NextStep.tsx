import { Option, Schema } from "effect"
import { useState } from "react"
import { Link } from "wouter"
import type { LoggedCallDetail } from "../../../Api/Calls/LogsApi.ts"
import type { Connection } from "../../../Domain/Connection.ts"
import { UndoCall } from "../../../Features/Undo/Page/UndoCall.tsx"
import { Prose } from "../../Parts/Prose.tsx"
import { useProviderName } from "../../Parts/Provider.tsx"
import { ConnectionState, failureWords } from "../../Parts/Status.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useById } from "../../Service/ById.ts"
import { useConnections } from "../../Service/Lists.ts"
import { useSession } from "../../Session/Session.tsx"
import { LimitNotice } from "./LimitNotice.tsx"

/** What can be done about the call, or was done. */
export const NextStep = ({ call, onSelect }: {
  readonly call: LoggedCallDetail
  readonly onSelect: (callId: string) => void
}) => {
  const { dry_run, undo_of, undone_by } = call
  return (
    <>
      <Failure call={call} />
      <LimitNotice call={call} />
      {dry_run && <p className="notice">A preview: nothing was written.</p>}
      {!dry_run && undo_of !== null && (
        <p className="notice">
          This call has undone <Link href={`/logs?call=${undo_of}`}>an earlier one</Link>.
        </p>
      )}
      {undone_by !== null && (
        <p className="notice">
          It was undone by <Link href={`/logs?call=${undone_by}`}>a later call</Link>.
        </p>
      )}
      <Undo call={call} onSelect={onSelect} />
    </>
  )
}

const Undo = ({ call: { id, member_id, undoable_until, undone_by }, onSelect }: {
  readonly call: LoggedCallDetail
  readonly onSelect: (callId: string) => void
}) => {
  const { isAdmin, member } = useSession()
  const [isOpen, setOpen] = useState(false)
  const isLate = undoable_until === null || undoable_until.getTime() <= Date.now()
  // The dialog stays until the new call is shown, although the old one is read again before.
  if (!isOpen && (isLate || undone_by !== null || !isAdmin && member_id !== member.id)) return null
  return (
    <div className="notice next-step">
      <span>
        What it changed can be undone until <Time at={undoable_until} />.
      </span>
      <button type="button" onClick={() => setOpen(true)}>Undo</button>
      {isOpen && (
        <UndoCall
          id={id}
          onClose={() => setOpen(false)}
          onUndone={(callId) => {
            setOpen(false)
            onSelect(callId)
          }}
        />
      )}
    </div>
  )
}

const decodeError = Schema.decodeUnknownOption(
  Schema.Struct({ error: Schema.Struct({ message: Schema.String, details: Schema.optionalKey(Schema.Unknown) }) })
)

const isAboutResource = Schema.is(Schema.Struct({ reason: Schema.Literal("resource_not_shared") }))

const accountErrors = ["credentials_expired", "credentials_rejected", "connection_inactive"]

/** Why the call failed: in the words of the response, or what its account needs now. */
const Failure = ({ call: { connection_id, error_code, response } }: { readonly call: LoggedCallDetail }) => {
  const connection = useById(useConnections().data)(connection_id)
  const { details, message } = Option.getOrUndefined(decodeError(response))?.error ?? {}
  if (error_code === null) return null
  if (accountErrors.includes(error_code) && connection && !isAboutResource(details)) {
    return <AccountFailure connection={connection} />
  }
  return message === undefined ? null : (
    <p className="notice error">
      <strong>
        <Prose text={message} />
      </strong>
      <code className="meta">{error_code}</code>
    </p>
  )
}

const AccountFailure = ({ connection }: { readonly connection: Connection }) => {
  const nameOf = useProviderName()
  const { id, label, last_error, provider, status } = connection
  if (status === "active" && last_error === null) {
    return <p className="notice">The connection {label} works again.</p>
  }
  return (
    <div className="notice attention next-step">
      <span>
        {last_error === null ? <ConnectionState connection={connection} /> : (
          <strong>
            {failureWords(connection, nameOf(provider))} <Time at={last_error.at} />
          </strong>
        )}
        <bdi className="name plain">{label}</bdi>
      </span>
      <Link className="button primary" href={`/connections/${id}/reconnect`}>Reconnect</Link>
    </div>
  )
}
