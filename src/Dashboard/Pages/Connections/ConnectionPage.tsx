import { useState } from "react"
import { Link } from "wouter"
import type { LoggedCall } from "../../../Domain/Calls/Call.ts"
import type { Connection, ManagedConnection } from "../../../Domain/Connection.ts"
import { CallState } from "../../Frame/CallState.tsx"
import { FeatureParts } from "../../Frame/FeatureParts.tsx"
import { Actions } from "../../Parts/Actions.tsx"
import { CopyIconButton } from "../../Parts/CopyButton.tsx"
import { Empty } from "../../Parts/Empty.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Fact } from "../../Parts/Fact.tsx"
import { Id } from "../../Parts/Id.tsx"
import type { Action } from "../../Parts/Menu.tsx"
import { millis } from "../../Parts/Numbers.ts"
import { Page } from "../../Parts/Page.tsx"
import { Provider, useProviderName } from "../../Parts/Provider.tsx"
import { scopeWords } from "../../Parts/ScopeWords.ts"
import { ConnectionState, failureWords, riskTitles } from "../../Parts/Status.tsx"
import { type Column, Table } from "../../Parts/Table.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useById } from "../../Service/ById.ts"
import { useClientName } from "../../Service/ClientName.ts"
import { useConnections, useTestConnection } from "../../Service/Lists.ts"
import { useServiceQuery } from "../../Service/Queries.ts"
import { hasConnectLinks } from "../../Service/ServedPage.ts"
import { useSession } from "../../Session/Session.tsx"
import { ChangeConnection } from "./ChangeConnection.tsx"
import { MakeLink } from "./MakeLink.tsx"
import { Reach } from "./Reach.tsx"
import { RevokeConnection } from "./RevokeConnection.tsx"
import { ShareConnection } from "./ShareConnection.tsx"
import { Users } from "./Users.tsx"

const adviceByCode = {
  credentials_expired: hasConnectLinks
    ? "Reconnect the account, or send its owner a connect link."
    : "Reconnect the account.",
  credentials_rejected: "Reconnect the account with other credentials.",
  upstream_unreachable: "Test the connection again later."
}

const Failure = ({ connection }: { readonly connection: Connection }) => {
  const nameOf = useProviderName()
  const { last_error, provider, status } = connection
  if (status === "revoked" || last_error === null) return null
  return (
    <p className="notice attention">
      <strong>
        {failureWords(connection, nameOf(provider))} <Time at={last_error.at} />.
      </strong>
      <span>{adviceByCode[last_error.code]}</span>
    </p>
  )
}

/** What will break, or is already missing. `Failure` shows calls that fail. */
const Risks = ({ connection: { health, last_error, status } }: { readonly connection: Connection }) =>
  health.reasons.filter(({ code }) => code !== "failing" || status === "expired" && last_error === null).map((
    reason
  ) => (
    <p key={reason.code} className="notice attention">
      <strong>
        {riskTitles[reason.code]}
        {reason.expected_at && (
          <>
            : <Time at={reason.expected_at} />
          </>
        )}
      </strong>
      <span>{reason.message}</span>
    </p>
  ))

const authWords = { oauth: "Sign-in", service_account: "Service account", api_key: "API key" }

export const ConnectionPage = ({ id }: { readonly id: string }) => {
  const connections = useConnections()
  const connection = useById(connections.data)(id)
  if (connection) return <ConnectionDetail connection={connection} />
  return (
    <Page title="Connection" about="An account that calls can use.">
      {connections.error && <ErrorNotice error={connections.error} isRead />}
      {connections.data && (
        <Empty action={<Link href="/connections">All connections</Link>}>There is no connection {id}.</Empty>
      )}
    </Page>
  )
}

const ConnectionDetail = ({ connection }: { readonly connection: ManagedConnection }) => {
  const { auth_type, client_id, created_at, external_account, id, label, last_used_at, parent_id, scopes, status } =
    connection
  const { isAdmin } = useSession()
  const [open, setOpen] = useState<"link" | "change" | "revoke" | "share">()
  const close = () => setOpen(undefined)
  const clientName = useClientName()(client_id)
  const test = useTestConnection()
  const actions: ReadonlyArray<Action> = [
    ...status === "active" && !test.isPending ? [{ title: "Test", onSelect: () => test.mutate(id) }] : [],
    ...parent_id === null && status === "active"
      ? [{ title: "Share with a client", onSelect: () => setOpen("share") }]
      : [],
    ...parent_id === null && hasConnectLinks ? [{ title: "Copy a connect link", onSelect: () => setOpen("link") }] : [],
    ...parent_id === null && status === "active" ? [{ title: "Reconnect", href: `/connections/${id}/reconnect` }] : [],
    ...isAdmin ? [{ title: "Change", onSelect: () => setOpen("change") }] : [],
    ...isAdmin && status !== "revoked" ? [{ title: "Revoke", onSelect: () => setOpen("revoke") }] : []
  ]
  return (
    <Page
      title={label}
      about={<ConnectionState connection={connection} />}
      actions={
        <>
          {status === "active" && <Link className="button primary" href={`/playground?connection=${id}`}>Try it</Link>}
          {parent_id === null && status !== "active" && (
            <Link className="button primary" href={`/connections/${id}/reconnect`}>Reconnect</Link>
          )}
          <Actions of={label} actions={actions} />
        </>
      }
    >
      <div className="stack-wide in-order">
        <Failure connection={connection} />
        <Risks connection={connection} />
        {test.error && <ErrorNotice error={test.error} />}
        {test.data && <p className="notice" role="status">The provider answered in {millis(test.data.latency_ms)}.</p>}
        <dl className="facts wide in-order">
          <Fact name="Provider">
            <Provider id={connection.provider} />
          </Fact>
          <Fact name="Account">
            {external_account === null ? <span className="muted">not known</span> : (
              <span className="row-of">
                {external_account} <CopyIconButton text={external_account} what="the account" />
              </span>
            )}
          </Fact>
          <Fact name="Client">
            {client_id === null ? <span className="muted">belongs to no client</span> : (
              <span className="row-of">
                <Link href={`/clients/${client_id}`}>{clientName ?? client_id}</Link>
              </span>
            )}
          </Fact>
          <Fact name="Connected by">{authWords[auth_type]}</Fact>
          <Fact name="What it may do">
            {scopes.length === 0
              ? <span className="muted">what the credentials allow</span>
              : (
                <ul className="plain-list">
                  {scopes.map((each) => <li key={each} title={each}>{scopeWords(each)}</li>)}
                </ul>
              )}
          </Fact>
          <Fact name="Who may use it">
            <Users connection={connection} />
          </Fact>
          <Shared connectionId={id} />
          <Fact name="Last used">
            <Time at={last_used_at} never="never used" />
          </Fact>
          <Fact name="Connected">
            <Time at={created_at} />
          </Fact>
          <Fact name="Id">
            <Id id={id} />
          </Fact>
        </dl>
        <FeatureParts place="connection" id={id} />
        <Reach connection={connection} />
        <RecentCalls connectionId={id} />
      </div>
      {open === "change" && <ChangeConnection connection={connection} onClose={close} />}
      {open === "revoke" && <RevokeConnection connection={connection} onClose={close} />}
      {open === "share" && <ShareConnection connection={connection} onClose={close} />}
      {open === "link" && <MakeLink connection={connection} onClose={close} />}
    </Page>
  )
}

const Shared = ({ connectionId }: { readonly connectionId: string }) => {
  const nameOf = useClientName()
  const shared = (useConnections().data ?? []).filter(({ parent_id, status }) =>
    parent_id === connectionId && status !== "revoked"
  )
  if (shared.length === 0) return null
  return (
    <Fact name="Shared with">
      <ul className="plain-list">
        {shared.map(({ client_id, id, label }) => (
          <li key={id}>
            <Link href={`/connections/${id}`}>{nameOf(client_id) ?? label}</Link>
          </li>
        ))}
      </ul>
    </Fact>
  )
}

const RecentCalls = ({ connectionId }: { readonly connectionId: string }) => {
  const { isAdmin } = useSession()
  const recent = useServiceQuery(
    ["newest", connectionId],
    ({ logs }) => logs.list({ query: { connection_id: connectionId, limit: 10 } }),
    { live: true }
  )
  const columns: ReadonlyArray<Column<LoggedCall>> = [
    { title: "Outcome", cell: (call) => <CallState call={call} /> },
    {
      title: "Operation",
      cell: ({ id, target }) => (
        <Link href={`/logs?call=${id}`}>
          <code>{target?.replace(/^\w+:/, "")}</code>
        </Link>
      )
    },
    {
      title: "Latency",
      kind: "number",
      cell: ({ cached, latency_ms }) => `${cached ? "cached, " : ""}${millis(latency_ms)}`
    },
    { title: "Time", cell: ({ created_at }) => <Time at={created_at} /> }
  ]
  return (
    <section className="stack" aria-label="Recent calls">
      <div className="row-of">
        <h2>Recent calls</h2>
        <Link href={`/logs?connection=${connectionId}`}>All in the logs</Link>
        {isAdmin && <Link href={`/settings?tab=audit&subject=${connectionId}`}>What was changed</Link>}
      </div>
      <Table
        label="Recent calls"
        columns={columns}
        rows={recent.data?.calls}
        rowKey={({ id }) => id}
        error={recent.error}
        empty={<Empty>No call has used this connection yet.</Empty>}
      />
    </section>
  )
}
