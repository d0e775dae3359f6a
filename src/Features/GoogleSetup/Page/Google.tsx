import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { Panel } from "../../../Dashboard/Parts/Panel.tsx"
import { useProviderName } from "../../../Dashboard/Parts/Provider.tsx"
import { Status } from "../../../Dashboard/Parts/Status.tsx"
import { useServiceQuery } from "../../../Dashboard/Service/Queries.ts"
import type { GoogleCheck } from "../Contract.ts"

const titles: Readonly<Record<string, string>> = {
  base_url: "The address of this service",
  egress: "The way to Google",
  clock: "The clock of this machine",
  client_id: "The client ID",
  client_secret: "The client secret",
  client_deleted: "The client exists",
  redirect_uri: "The redirect address",
  consent_testing: "The app is published",
  consent_user: "Who may sign in",
  admin_policy: "Rules of a Google Workspace",
  scopes_granted: "What people allowed",
  service_account_key: "The keys of service accounts",
  service_account_deleted: "The service accounts exist",
  delegation: "Domain-wide delegation",
  resource_shared: "Properties and files are shared"
}

const words = {
  wrong: ["error", "Wrong"],
  todo: ["attention", "To do"],
  unknown: ["off", "Not known yet"],
  ok: ["ok", "Right"]
} as const

const summaryOf = (checks: ReadonlyArray<GoogleCheck>): string => {
  const wrong = checks.filter(({ status }) => status === "wrong").length
  if (wrong > 0) return `${wrong === 1 ? "One check is" : `${wrong} checks are`} wrong. Begin with the first.`
  return checks.some(({ status }) => status === "todo")
    ? "The set-up is not finished. Begin with the first."
    : "Everything that can be seen from here is right."
}

export const Google = () => {
  const { data, error, isFetching, refetch } = useServiceQuery(["google"], ({ googleSetup }) => googleSetup.check())
  return (
    <div className="stack">
      <p className="muted">
        People connect Google accounts through a client in your own project at Google. This asks Google what is missing
        there, and changes nothing. <code>oa google</code> leads through the whole set-up.
      </p>
      {error && <ErrorNotice error={error} isRead />}
      <Panel
        title="Checks"
        isList
        busy={data === undefined}
        isReloading={isFetching && data !== undefined}
        beside={
          <button type="button" disabled={isFetching} onClick={() => refetch()}>
            {isFetching ? "Checking" : "Check again"}
          </button>
        }
      >
        <p className="panel-body" role="status">{data === undefined ? "Asking Google" : summaryOf(data.checks)}</p>
        <ol className="steps">
          {data?.checks.map((check) => <Check key={check.id} check={check} isFirst={check === data.checks[0]} />)}
        </ol>
      </Panel>
    </div>
  )
}

const Check = ({ check: { fix, found, id, status, url }, isFirst }: {
  readonly check: GoogleCheck
  readonly isFirst: boolean
}) => {
  const providerName = useProviderName()
  const [state, word] = words[status]
  const isOpen = status === "wrong" || status === "todo"
  const api = /^api_enabled\.(.+)$/.exec(id)?.[1]
  return (
    <li>
      <Status state={state} />
      <span className="step-words">
        <strong>{api === undefined ? titles[id] ?? id : `The API of ${providerName(api)}`}</strong>
        {found !== null && <span>{found}</span>}
        {isOpen && fix !== null && <span>{fix}</span>}
        <span className="meta">
          {word}. <code>{id}</code>
        </span>
      </span>
      {isOpen && url !== null && (
        <a className={isFirst ? "button primary" : "button"} href={url} target="_blank" rel="noreferrer">
          Open the page<span className="visually-hidden">for {id}</span>
        </a>
      )}
    </li>
  )
}
