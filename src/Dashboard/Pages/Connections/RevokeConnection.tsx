import { Effect } from "effect"
import type { Connection } from "../../../Domain/Connection.ts"
import { Confirm } from "../../Parts/Confirm.tsx"
import { dayInMillis } from "../../Parts/Day.ts"
import { Fact } from "../../Parts/Fact.tsx"
import { confirming } from "../../Parts/Form.ts"
import { Time } from "../../Parts/Time.tsx"
import { useKeys, useRevokeConnection } from "../../Service/Lists.ts"
import { useServiceQuery } from "../../Service/Queries.ts"

const days = 7
const maxCalls = 200

const useRecentUse = (connectionId: string) =>
  useServiceQuery(["use", connectionId], ({ adminLogs }) =>
    Effect.map(
      adminLogs.list({
        query: {
          connection_id: connectionId,
          since: new Date(Date.now() - days * dayInMillis),
          limit: maxCalls
        }
      }),
      ({ calls }) => ({
        count: calls.length,
        keyIds: new Set(calls.flatMap(({ key_id }) => key_id === null ? [] : [key_id]))
      })
    ))

export const RevokeConnection = ({ connection, onClose }: {
  readonly connection: Connection
  readonly onClose: () => void
}) => {
  const revoke = useRevokeConnection()
  const use = useRecentUse(connection.id)
  const keys = useKeys()
  const names = keys.data?.filter(({ id, revoked_at }) => revoked_at === null && use.data?.keyIds.has(id))
  return (
    <Confirm
      title={`Revoke ${connection.label}?`}
      action="Revoke the connection"
      {...confirming(revoke, connection.id, onClose)}
      typed={use.data === undefined || use.data.count > 0 ? connection.label : undefined}
      onClose={onClose}
    >
      <p>
        Its credentials are deleted, and revoked at the provider if possible. Calls that name it fail with{" "}
        <code>connection_inactive</code>.
      </p>
      <dl className="facts" aria-label="What depends on it">
        <Fact name="Last used">
          <Time at={connection.last_used_at} never="never used" />
        </Fact>
        <Fact name={`Calls in ${days} days`}>
          {use.data ? use.data.count === maxCalls ? `${maxCalls} or more` : use.data.count : "…"}
        </Fact>
        <Fact name="Keys that used it">
          {names?.length === 0
            ? <span className="muted">none</span>
            : names?.map(({ id, name }) => <span key={id} className="name">{name}</span>)}
        </Fact>
      </dl>
    </Confirm>
  )
}
