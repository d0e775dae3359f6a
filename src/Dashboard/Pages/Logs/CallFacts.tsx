import { Link } from "wouter"
import type { LoggedCallDetail } from "../../../Api/Calls/LogsApi.ts"
import { CopyIconButton } from "../../Parts/CopyButton.tsx"
import { Fact } from "../../Parts/Fact.tsx"
import { Id } from "../../Parts/Id.tsx"
import { number } from "../../Parts/Numbers.ts"
import { Provider } from "../../Parts/Provider.tsx"
import { Time } from "../../Parts/Time.tsx"
import { resourceWords } from "../../Rights/ResourceWords.ts"
import { useById } from "../../Service/ById.ts"
import { useClientName } from "../../Service/ClientName.ts"
import { useConnections, useGrants, useKeys, useMembers } from "../../Service/Lists.ts"
import { useSession } from "../../Session/Session.tsx"

const viaWords = { key: "API key", session: "Dashboard", grant: "Agent" }

export const CallFacts = ({ call }: { readonly call: LoggedCallDetail }) => {
  const { isAdmin } = useSession()
  const connection = useById(useConnections().data)(call.connection_id)
  const clientName = useClientName()(call.client_id)
  const key = useById(useKeys().data)(call.key_id)
  const grant = useById(useGrants().data)(call.grant_id)
  const member = useById(useMembers(isAdmin).data)(call.member_id)
  const facts = [
    ["Connection", call.connection_id, connection?.label, `/connections/${call.connection_id}`],
    ["Client", call.client_id, clientName, `/clients/${call.client_id}`],
    ["Key", call.key_id, key?.name, `/keys?search=${call.key_id}&state=all`],
    ["Agent", call.grant_id, grant?.agent.name, `/agents?search=${call.grant_id}&state=all`],
    ["Member", call.member_id, member?.email, `/members?search=${call.member_id}`]
  ] as const
  return (
    <dl className="facts">
      <Fact name="Time">
        <Time at={call.created_at} /> <span className="meta">{call.created_at.toISOString()}</span>
      </Fact>
      <Fact name="Operation">
        <span className="row-of">
          {call.provider !== null && <Provider id={call.provider} />}
          <code>{call.target?.replace(/^\w+:/, "")}</code>
        </span>
      </Fact>
      <Fact name="Status">{call.http_status} {call.error_code && <code>{call.error_code}</code>}</Fact>
      <Fact name="Made with">
        {call.via === null ? <span className="muted">nothing that was accepted</span> : viaWords[call.via]}
      </Fact>
      {facts.map(([title, id, name, href]) =>
        id !== null && (
          <Fact key={title} name={title} className="row-of">
            {name !== undefined && <Link href={href}>{name}</Link>}
            <Id id={id} />
          </Fact>
        )
      )}
      {call.resource !== null && (
        <Fact name="About" className="row-of">
          <Link href={`/logs?resource=${encodeURIComponent(call.resource)}`}>{resourceWords(call.resource)}</Link>
          <CopyIconButton text={call.resource} what="the resource" />
        </Fact>
      )}
      <Fact name="Latency">{number.format(call.latency_ms)} ms{call.cached && ", from the cache"}</Fact>
      {call.undoable_until !== null && call.undone_by === null && (
        <Fact name="Can be undone">
          ends <Time at={call.undoable_until} />
        </Fact>
      )}
      <Fact name="Cost">{call.cost_usd} USD</Fact>
    </dl>
  )
}
