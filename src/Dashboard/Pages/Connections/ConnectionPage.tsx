import { useState } from "react"
import { Link } from "wouter"
import type { LoggedCall } from "../../../Domain/Call.ts"
import type { Connection } from "../../../Domain/Connection.ts"
import { CopyIconButton } from "../../Parts/CopyButton.tsx"
import { Empty } from "../../Parts/Empty.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Id } from "../../Parts/Id.tsx"
import { Page } from "../../Parts/Page.tsx"
import { Provider } from "../../Parts/Provider.tsx"
import { ConnectionState, Status } from "../../Parts/Status.tsx"
import { type Column, Table } from "../../Parts/Table.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useById } from "../../Service/ById.ts"
import { useClients, useConnections } from "../../Service/Lists.ts"
import { useServiceMutation, useServiceQuery } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"
import { MakeLink } from "../ConnectLinks/MakeLink.tsx"
import { ChangeConnection } from "./ChangeConnection.tsx"
import { RevokeConnection } from "./RevokeConnection.tsx"

const failures = {
  credentials_expired: "The provider ended the access, or the account's owner took it back. Reconnect the account.",
  credentials_rejected: "The provider refuses the stored credentials. Reconnect the account with others.",
  upstream_unreachable: "The provider could not be reached. Test the connection again later."
}

const Failure = ({ connection: { last_error, status } }: { readonly connection: Connection }) => {
  if (status === "revoked" || last_error === null) return null
  return (
    <p className="notice attention">
      <strong>{failures[last_error.code]}</strong>
      <span className="meta">
        <code>{last_error.code}</code>, <Time at={last_error.at} />
      </span>
    </p>
  )
}

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

const ConnectionDetail = ({ connection }: { readonly connection: Connection }) => {
  const { auth_type, client_id, created_at, external_account, id, label, last_used_at, scopes, status } = connection
  const { isAdmin } = useSession()
  const [open, setOpen] = useState<"link" | "change" | "revoke">()
  const close = () => setOpen(undefined)
  const client = useById(useClients().data)(client_id)
  const test = useServiceMutation((service, id: string) => service.managedConnections.test({ params: { id } }), [
    "connections"
  ])
  return (
    <Page
      title={label}
      about={<ConnectionState connection={connection} />}
      actions={
        <>
          {status === "active" && (
            <button type="button" disabled={test.isPending} onClick={() => test.mutate(id)}>Test</button>
          )}
          <button type="button" onClick={() => setOpen("link")}>Copy a connect link</button>
          <Link className={status === "active" ? "button" : "button primary"} href={`/connections/${id}/reconnect`}>
            Reconnect
          </Link>
          {isAdmin && <button type="button" onClick={() => setOpen("change")}>Change</button>}
          {isAdmin && status !== "revoked" && <button type="button" onClick={() => setOpen("revoke")}>Revoke</button>}
        </>
      }
    >
      <div className="stack-wide">
        <Failure connection={connection} />
        {test.error && <ErrorNotice error={test.error} />}
        {test.data && (
          <p className="notice" role="status">The provider answered in {Math.round(test.data.latency_ms)} ms.</p>
        )}
        <dl className="facts">
          <dt>Id</dt>
          <dd>
            <Id id={id} />
          </dd>
          <dt>Provider</dt>
          <dd>
            <Provider id={connection.provider} />
          </dd>
          <dt>Account</dt>
          <dd>
            {external_account === null ? <span className="muted">not known</span> : (
              <span className="row-of">
                {external_account} <CopyIconButton text={external_account} what="the account" />
              </span>
            )}
          </dd>
          <dt>Client</dt>
          <dd>
            {client_id === null ? <span className="muted">none</span> : (
              <span className="row-of">
                {client && <Link href={`/connections?client=${client_id}`}>{client.name}</Link>}
                <Id id={client_id} />
              </span>
            )}
          </dd>
          <dt>Connected by</dt>
          <dd>{authWords[auth_type]}</dd>
          <dt>Scopes</dt>
          <dd className="row-of">
            {scopes.length === 0
              ? <span className="muted">none named</span>
              : scopes.map((each) => <code key={each}>{each}</code>)}
          </dd>
          <dt>Last used</dt>
          <dd>
            <Time at={last_used_at} never="never used" />
          </dd>
          <dt>Connected</dt>
          <dd>
            <Time at={created_at} />
          </dd>
        </dl>
        <RecentCalls connectionId={id} />
      </div>
      {open === "change" && <ChangeConnection connection={connection} onClose={close} />}
      {open === "revoke" && <RevokeConnection connection={connection} onClose={close} />}
      {open === "link" && <MakeLink connection={connection} onClose={close} />}
    </Page>
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
    {
      title: "Outcome",
      cell: ({ error_code, http_status, outcome }) => (
        <Status state={outcome === "ok" ? "ok" : "error"}>{http_status} {error_code}</Status>
      )
    },
    {
      title: "Operation",
      cell: ({ id, target }) => (
        <Link href={`/logs?call=${id}`}>
          <code>{target}</code>
        </Link>
      )
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
