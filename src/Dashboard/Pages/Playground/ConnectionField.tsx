import { Link } from "wouter"
import type { Connection } from "../../../Domain/Connection.ts"
import { useProviderName } from "../../Parts/Provider.tsx"
import { SelectField } from "../../Parts/Select.tsx"
import { ConnectionState } from "../../Parts/Status.tsx"

const titleOf = ({ external_account, label }: Connection) => external_account ? `${label} (${external_account})` : label

export const ConnectionField = ({ chosen, connections, error, onChange, provider }: {
  readonly provider: string
  readonly connections: ReadonlyArray<Connection> | undefined
  readonly chosen: Connection | undefined
  readonly error: string | undefined
  readonly onChange: (id: string) => void
}) => {
  const name = useProviderName()(provider)
  const usable = connections?.filter((each) => each.status === "active" || each === chosen)
  const needsChoice = usable !== undefined && usable.length > 1
  return (
    <div className="stack">
      <SelectField
        label="Connection"
        error={error}
        required={needsChoice}
        emptyTitle={usable === undefined
          ? "Loading"
          : usable.length === 0
          ? `No active connection of ${name}`
          : needsChoice
          ? `Choose a connection of ${name}`
          : `The only connection of ${name}`}
        options={(usable ?? []).map((each) => ({ value: each.id, title: titleOf(each) }))}
        value={chosen?.id ?? ""}
        onChange={onChange}
      />
      {usable?.length === 0 && <Link href={`/connections/connect?provider=${provider}`}>Connect an account</Link>}
      {chosen && chosen.status !== "active" && (
        <div className="notice attention next-step">
          <ConnectionState connection={chosen} />
          <Link className="button" href={`/connections/${chosen.id}/reconnect`}>Reconnect</Link>
        </div>
      )}
    </div>
  )
}
