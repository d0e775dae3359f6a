import { Link } from "wouter"
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
import { LoggedResponse } from "./LoggedResponse.tsx"
import { NextStep } from "./NextStep.tsx"

const tabs = [
  { id: "request", title: "Request" },
  { id: "response", title: "Response" },
  { id: "about", title: "About" }
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
  const selected = tabs.find((each) => each.id === tab)?.id ?? "response"
  return (
    <section className="panel" aria-label="Call" aria-busy={!call && !error}>
      <header className="panel-head">
        <Id id={id} />
        <span className="row-of">
          <CopyButton
            className={call ? "small" : "small hidden-but-there"}
            label="Copy as curl"
            text={call ? curlOf(serviceUrl, call.request) : ""}
          />
          <Link
            className={call?.provider ? "button small" : "button small hidden-but-there"}
            href={`/playground?call=${id}`}
          >
            Open in playground
          </Link>
          <CopyButton className="small" label="Copy link" text={location.href} />
          <button type="button" className="icon quiet" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </span>
      </header>
      <div className="panel-body stack call-body">
        {error && <ErrorNotice error={error} isRead />}
        {call && <NextStep call={call} onSelect={onSelect} />}
        {call && (
          <Tabs
            label="Parts of the call"
            tabs={tabs}
            selected={selected}
            onChange={(next) => setTab(next === "response" ? "" : next)}
          >
            {selected === "about" && <CallFacts call={call} />}
            {selected === "request" && <JsonView name="request" value={call.request} />}
            {selected === "response" && <LoggedResponse call={call} />}
          </Tabs>
        )}
      </div>
    </section>
  )
}
