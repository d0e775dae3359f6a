import { Option, Schema } from "effect"
import { Link } from "wouter"
import type { LoggedCallDetail } from "../../../Api/Calls/LogsApi.ts"
import type { Connection } from "../../../Domain/Connection.ts"
import type { AboutCallProps } from "../../Frame/FeaturePages.ts"
import { aboutCall, refusals } from "../../Frame/ServedPages.ts"
import { Prose } from "../../Parts/Prose.tsx"
import { useProviderName } from "../../Parts/Provider.tsx"
import { accountFailure, ConnectionState, failureWords } from "../../Parts/Status.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useById } from "../../Service/ById.ts"
import { useConnections } from "../../Service/Lists.ts"
import { LimitNotice } from "./LimitNotice.tsx"

/** What can be done about the call, or was done. */
export const NextStep = ({ call, onSelect }: AboutCallProps) => {
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
      {aboutCall.map((About, index) => <About key={index} call={call} onSelect={onSelect} />)}
    </>
  )
}

const decodeError = Schema.decodeUnknownOption(
  Schema.Struct({ error: Schema.Struct({ message: Schema.String, details: Schema.optionalKey(Schema.Unknown) }) })
)

const isAboutResource = Schema.is(Schema.Struct({ reason: Schema.Literal("resource_not_shared") }))

const accountErrors = ["credentials_expired", "credentials_rejected", "connection_inactive"]

/** Whether the call has a button of its own for what can be done. */
export const hasOwnStep = (code: string | null): boolean =>
  code !== null && (accountErrors.includes(code) || Object.hasOwn(refusals, code))

/** Why the call failed: in the words of the response, or what its account needs now. */
const Failure = ({ call: { connection_id, error_code, provider, response } }: { readonly call: LoggedCallDetail }) => {
  const connection = useById(useConnections().data)(connection_id)
  const nameOf = useProviderName()
  const { details, message } = Option.getOrUndefined(decodeError(response))?.error ?? {}
  // The feature that has held the call shows its outcome.
  if (error_code === null || Object.hasOwn(refusals, error_code)) return null
  const works = connection?.status === "active" && connection.last_error === null
  if (accountErrors.includes(error_code) && connection && !isAboutResource(details)) {
    if (!works) return <AccountFailure connection={connection} />
    // A refusal of one resource has not stopped the connection.
    if (error_code !== "credentials_rejected") {
      return <p className="notice">The connection {connection.label} works again.</p>
    }
  }
  // Messages about sign-ins name the host that was asked, which does not help a reader.
  const words = error_code === "credentials_rejected" || provider === null
    ? undefined
    : accountFailure(error_code, nameOf(provider))
  return message === undefined ? null : (
    <p className="notice error">
      <strong>{words === undefined ? <Prose text={message} /> : `${words}.`}</strong>
      <code className="meta">{error_code}</code>
    </p>
  )
}

const AccountFailure = ({ connection }: { readonly connection: Connection }) => {
  const nameOf = useProviderName()
  const { id, label, last_error, provider } = connection
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
