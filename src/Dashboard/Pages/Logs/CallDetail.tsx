import { X } from "lucide-react"
import { Link } from "wouter"
import type { LoggedCallDetail } from "../../../Api/Calls/LogsApi.ts"
import { curlOf } from "../../Parts/CallText.ts"
import { CopyButton } from "../../Parts/CopyButton.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Icon } from "../../Parts/Icon.tsx"
import { Id } from "../../Parts/Id.tsx"
import { JsonView } from "../../Parts/JsonView.tsx"
import { Tabs } from "../../Parts/Tabs.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { getCall } from "../../Service/Calls.ts"
import { useServiceQuery } from "../../Service/Queries.ts"
import { serviceUrl } from "../../Service/ServedPage.ts"
import { useSession } from "../../Session/Session.tsx"
import { CallFacts } from "./CallFacts.tsx"
import { CallSentence } from "./CallSentence.tsx"
import { LoggedResponse } from "./LoggedResponse.tsx"
import { hasOwnStep, NextStep } from "./NextStep.tsx"

const tabs = [
  { id: "about", title: "About" },
  { id: "response", title: "Response" },
  { id: "request", title: "Request" }
] as const

export const CallDetail = ({ id, onClose, onSelect }: {
  readonly id: string
  readonly onClose: () => void
  readonly onSelect: (id: string) => void
}) => {
  const [tab, setTab] = useUrlState("tab")
  const { isAdmin } = useSession()
  const { data: call, error } = useServiceQuery(
    ["call", id],
    (service) => getCall(service, isAdmin, id)
  )
  const selected = tabs.find((each) => each.id === tab)?.id ?? (call?.outcome === "error" ? "about" : "response")
  return (
    <section className="panel" aria-label="Call" aria-busy={!call && !error}>
      <header className="panel-head call-head">
        {call ? <CallSentence call={call} /> : <Id id={id} />}
        <button type="button" className="icon quiet" aria-label="Close" onClick={onClose}>
          <Icon of={X} />
        </button>
      </header>
      <div className="panel-body stack call-body in-order">
        {error && <ErrorNotice error={error} isRead />}
        {call && <NextStep call={call} onSelect={onSelect} />}
        {call && <CallButtons call={call} />}
        {call && (
          <Tabs label="Parts of the call" tabs={tabs} selected={selected} onChange={setTab}>
            {selected === "about" && <CallFacts call={call} />}
            {selected === "request" && <JsonView name="request" value={call.request} />}
            {selected === "response" && <LoggedResponse call={call} />}
          </Tabs>
        )}
      </div>
    </section>
  )
}

const CallButtons = ({ call: { error_code, id, provider, request } }: { readonly call: LoggedCallDetail }) => (
  <div className="row-of call-buttons">
    {provider !== null && (
      <Link
        className={hasOwnStep(error_code) ? "button small" : "button small primary"}
        href={`/playground?call=${id}`}
      >
        Open in playground
      </Link>
    )}
    <CopyButton className="small" label="Copy as curl" text={curlOf(serviceUrl, request)} />
    <CopyButton className="small" label="Copy link" text={location.href} />
    <span className="meta row-of">
      <Id id={id} />
    </span>
  </div>
)
