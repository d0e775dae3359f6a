import { useState } from "react"
import { Link } from "wouter"
import type { LoggedCallDetail } from "../../../Api/LogsApi.ts"
import { curlOf } from "../../Parts/CallText.ts"
import { CopyButton } from "../../Parts/CopyButton.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { SearchField } from "../../Parts/Filters.tsx"
import { Icon } from "../../Parts/Icon.tsx"
import { Id } from "../../Parts/Id.tsx"
import { Json, JsonMatches } from "../../Parts/Json.tsx"
import { Tabs } from "../../Parts/Tabs.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useConnections } from "../../Service/Lists.ts"
import { useAnswer } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"

const tabs = [
  { id: "response", title: "Response" },
  { id: "request", title: "Request" },
  { id: "about", title: "About" }
] as const

/** One call, with its redacted request and response. */
export const CallDetail = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const [tab, setTab] = useState<typeof tabs[number]["id"]>("response")
  const { isAdmin } = useSession()
  const [words, setWords] = useState("")
  const { data: call, error } = useAnswer(
    ["call", id],
    ({ adminLogs, logs }) => (isAdmin ? adminLogs : logs).get({ params: { call_id: id } })
  )
  const body = call && (tab === "request" ? call.request : call.response)
  return (
    <section className="panel" aria-label="Call">
      <header className="panel-head">
        <Id id={id} />
        <span className="row-of">
          {call && <CopyButton label="Copy as curl" text={curlOf(location.origin, call.request)} />}
          {call && <Link className="button" href={`/playground?call=${id}`}>Open in playground</Link>}
          <CopyButton label="Copy link" text={location.href} />
          <button type="button" className="icon quiet" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </span>
      </header>
      <div className="panel-body stack">
        {error && <ErrorNotice error={error} />}
        {call && (
          <Tabs label="Parts of the call" tabs={tabs} selected={tab} onChange={setTab}>
            {tab === "about" ? <CallFacts call={call} /> : (
              <div className="stack">
                <div className="filters">
                  <SearchField label={`Search the ${tab}`} value={words} onChange={setWords} />
                  <CopyButton text={JSON.stringify(body, null, 2)} what={`the ${tab}`} />
                </div>
                {words === "" ? <Json value={body} /> : <JsonMatches value={body} words={words} />}
              </div>
            )}
          </Tabs>
        )}
      </div>
    </section>
  )
}

const CallFacts = ({ call }: { readonly call: LoggedCallDetail }) => {
  const connections = useConnections()
  const label = connections.data?.find(({ id }) => id === call.connection_id)?.label
  return (
    <dl className="facts">
      <dt>Time</dt>
      <dd>
        <Time at={call.created_at} /> <span className="meta">{call.created_at.toISOString()}</span>
      </dd>
      <dt>Operation</dt>
      <dd>
        <code>{call.provider} {call.target}</code>
      </dd>
      <dt>Answer</dt>
      <dd>{call.http_status} {call.error_code && <code>{call.error_code}</code>}</dd>
      <dt>Connection</dt>
      <dd>
        {call.connection_id === null
          ? <span className="muted">none</span>
          : <Link href={`/connections/${call.connection_id}`}>{label ?? call.connection_id}</Link>}
      </dd>
      <dt>Key</dt>
      <dd>{call.key_id === null ? <span className="muted">none</span> : <Id id={call.key_id} />}</dd>
      <dt>Latency</dt>
      <dd>{call.latency_ms} ms{call.cached && ", from the cache"}</dd>
      <dt>Cost</dt>
      <dd>{call.cost_usd} USD</dd>
    </dl>
  )
}
