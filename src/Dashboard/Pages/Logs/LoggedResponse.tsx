import type { LoggedCallDetail } from "../../../Api/Calls/LogsApi.ts"
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
  const isOwn = via === "session" && member_id === member.id
  return <DataView data={data} isOwn={isOwn} json={response} name={id} read={undefined} request={request} />
}
