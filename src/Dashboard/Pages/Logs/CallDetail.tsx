import { Link } from "wouter"
import type { LoggedCallDetail } from "../../../Api/Calls/LogsApi.ts"
import { curlOf } from "../../Parts/CallText.ts"
import { CopyButton, CopyIconButton } from "../../Parts/CopyButton.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Icon } from "../../Parts/Icon.tsx"
import { Id } from "../../Parts/Id.tsx"
import { JsonView } from "../../Parts/JsonView.tsx"
import { Provider } from "../../Parts/Provider.tsx"
import { ConnectionState } from "../../Parts/Status.tsx"
import { Tabs } from "../../Parts/Tabs.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { resourceWords } from "../../Rights/ResourceWords.ts"
import { useById } from "../../Service/ById.ts"
import { getCall } from "../../Service/Calls.ts"
import { useClientName } from "../../Service/ClientName.ts"
import { useConnections, useGrants, useKeys, useMembers } from "../../Service/Lists.ts"
import { useServiceQuery } from "../../Service/Queries.ts"
import { serviceUrl } from "../../Service/ServedPage.ts"
import { useSession } from "../../Session/Session.tsx"

const tabs = [
  { id: "request", title: "Request" },
  { id: "response", title: "Response" },
  { id: "about", title: "About" }
] as const

export const CallDetail = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const [tab, setTab] = useUrlState("tab")
  const { isAdmin } = useSession()
  const { data: call, error } = useServiceQuery(
    ["call", id],
    (service) => getCall(service, isAdmin, id)
  )
  const selected = tabs.find((each) => each.id === tab)?.id ?? "response"
  return (
    <section className="panel" aria-label="Call" aria-busy={!call && !error}>
      <header className="panel-head">
        <Id id={id} />
        <span className="row-of">
          <CopyButton
            className={call ? "" : "hidden-but-there"}
            label="Copy as curl"
            text={call ? curlOf(serviceUrl, call.request) : ""}
          />
          <Link className={call?.provider ? "button" : "button hidden-but-there"} href={`/playground?call=${id}`}>
            Open in playground
          </Link>
          <CopyButton label="Copy link" text={location.href} />
          <button type="button" className="icon quiet" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </span>
      </header>
      <div className="panel-body stack call-body">
        {error && <ErrorNotice error={error} isRead />}
        {call && <NextStep call={call} />}
        {call && (
          <Tabs
            label="Parts of the call"
            tabs={tabs}
            selected={selected}
            onChange={(next) => setTab(next === "response" ? "" : next)}
          >
            {selected === "about"
              ? <CallFacts call={call} />
              : <JsonView key={selected} name={selected} value={call[selected]} />}
          </Tabs>
        )}
      </div>
    </section>
  )
}

const accountErrors = ["credentials_expired", "credentials_rejected", "connection_inactive"]

const NextStep = ({ call: { connection_id, error_code } }: { readonly call: LoggedCallDetail }) => {
  const connection = useById(useConnections().data)(connection_id)
  if (error_code === null || !accountErrors.includes(error_code) || !connection) return null
  if (connection.status === "active" && connection.last_error === null) {
    return <p className="notice">The connection {connection.label} works again.</p>
  }
  return (
    <div className="notice attention next-step">
      <span>
        <ConnectionState connection={connection} /> <bdi>{connection.label}</bdi>
      </span>
      <Link className="button primary" href={`/connections/${connection.id}/reconnect`}>Reconnect</Link>
    </div>
  )
}

const viaWords = { key: "API key", session: "Dashboard", grant: "Agent" }

const CallFacts = ({ call }: { readonly call: LoggedCallDetail }) => {
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
      <dt>Time</dt>
      <dd>
        <Time at={call.created_at} /> <span className="meta">{call.created_at.toISOString()}</span>
      </dd>
      <dt>Operation</dt>
      <dd>
        <span className="row-of">
          {call.provider !== null && <Provider id={call.provider} />}
          <code>{call.target?.replace(/^\w+:/, "")}</code>
        </span>
      </dd>
      <dt>Status</dt>
      <dd>{call.http_status} {call.error_code && <code>{call.error_code}</code>}</dd>
      <dt>Made with</dt>
      <dd>{call.via === null ? <span className="muted">nothing that was accepted</span> : viaWords[call.via]}</dd>
      {facts.map(([title, id, name, href]) =>
        id !== null && (
          <div key={title} className="fact">
            <dt>{title}</dt>
            <dd className="row-of">
              {name !== undefined && <Link href={href}>{name}</Link>}
              <Id id={id} />
            </dd>
          </div>
        )
      )}
      {call.resource !== null && (
        <>
          <dt>About</dt>
          <dd className="row-of">
            <Link href={`/logs?resource=${encodeURIComponent(call.resource)}`}>{resourceWords(call.resource)}</Link>
            <CopyIconButton text={call.resource} what="the resource" />
          </dd>
        </>
      )}
      <dt>Latency</dt>
      <dd>{call.latency_ms} ms{call.cached && ", from the cache"}</dd>
      <dt>Cost</dt>
      <dd>{call.cost_usd} USD</dd>
    </dl>
  )
}
