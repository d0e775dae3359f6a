import type { LoggedCallDetail } from "../../../Api/Calls/LogsApi.ts"
import { AskWithSql } from "../../../Features/Results/Page/AskWithSql.tsx"
import { DataView } from "../../Data/DataView.tsx"
import { JsonView } from "../../Parts/JsonView.tsx"
import { useSession } from "../../Session/Session.tsx"

const dataIn = (response: unknown): unknown =>
  typeof response === "object" && response !== null && "data" in response ? response.data : undefined

/** A result belongs to the key, agent or session that has kept it. */
export const LoggedResponse = ({ call: { id, member_id, request, response, via } }: {
  readonly call: LoggedCallDetail
}) => {
  const { member } = useSession()
  const data = dataIn(response)
  if (data === undefined) return <JsonView name="response" value={response} />
  return (
    <div className="stack">
      <DataView data={data} json={response} name={id} request={request} />
      {via === "session" && member_id === member.id && <AskWithSql data={data} request={undefined} />}
    </div>
  )
}
