import { useState } from "react"
import { Link } from "wouter"
import { MakeLink } from "../../../Dashboard/Pages/Connections/MakeLink.tsx"
import { accessWords } from "../../../Dashboard/Parts/Access.ts"
import { actionsColumn } from "../../../Dashboard/Parts/Actions.tsx"
import { Confirm } from "../../../Dashboard/Parts/Confirm.tsx"
import { Empty } from "../../../Dashboard/Parts/Empty.tsx"
import { SelectFilter } from "../../../Dashboard/Parts/Filters.tsx"
import { ListPage } from "../../../Dashboard/Parts/ListPage.tsx"
import { madeColumn } from "../../../Dashboard/Parts/MadeColumn.tsx"
import { useProviderName } from "../../../Dashboard/Parts/Provider.tsx"
import { StatusOf } from "../../../Dashboard/Parts/Status.tsx"
import type { Column } from "../../../Dashboard/Parts/Table.tsx"
import { Time } from "../../../Dashboard/Parts/Time.tsx"
import { useUrlState } from "../../../Dashboard/Parts/UrlState.ts"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useClientName } from "../../../Dashboard/Service/ClientName.ts"
import { useConnections, useConnectLinks } from "../../../Dashboard/Service/Lists.ts"
import { useServiceMutation } from "../../../Dashboard/Service/Queries.ts"
import type { ConnectLink } from "../../../Domain/ConnectLink.ts"

const statusWords = {
  open: ["ok", "Open"],
  used: ["off", "Used up"],
  expired: ["off", "Expired"],
  ended: ["off", "Ended"]
} as const

export const ConnectLinks = () => {
  const [status, setStatus] = useUrlState("status")
  const [make, setMake] = useUrlState("make")
  const [clientId] = useUrlState("client")
  const [ending, setEnding] = useState<ConnectLink>()
  const links = useConnectLinks()
  const clientName = useClientName()
  const connectionOf = useById(useConnections().data)
  const providerName = useProviderName()
  const namesOf = (ids: ReadonlyArray<string>) => ids.map(providerName).join(", ")
  const nameOf = ({ client_id, connection_id }: ConnectLink) =>
    connectionOf(connection_id)?.label ?? connection_id ?? clientName(client_id) ?? "none"
  const columns: ReadonlyArray<Column<ConnectLink>> = [
    { title: "Status", sortBy: (link) => link.status, cell: (link) => <StatusOf entry={statusWords[link.status]} /> },
    {
      title: "For",
      sortBy: nameOf,
      cell: (link) => (
        <Link
          className="name"
          title={nameOf(link)}
          href={link.connection_id === null
            ? `/connections?client=${link.client_id}`
            : `/connections/${link.connection_id}`}
        >
          {link.connection_id !== null && "Reconnect "}
          {nameOf(link)}
        </Link>
      )
    },
    {
      title: "Connected",
      cell: ({ connected, providers }) => (
        <span className="name plain" title={namesOf(providers)}>
          {connected.length === 0 ? `none of ${namesOf(providers)}` : (
            <>
              {connected.map(({ connection_id, provider }, index) => (
                <span key={connection_id}>
                  {index > 0 && ", "}
                  <Link href={`/connections/${connection_id}`}>{providerName(provider)}</Link>
                </span>
              ))} of {providers.length}
            </>
          )}
        </span>
      )
    },
    { title: "Asks for", minor: true, cell: ({ access }) => <span className="nowrap">{accessWords[access]}</span> },
    {
      title: "Ends",
      sortBy: ({ expires_at }) => expires_at,
      cell: ({ ended_at, expires_at }) => <Time at={ended_at ?? expires_at} />
    },
    madeColumn,
    actionsColumn((link) => ({
      id: link.id,
      name: `the link for ${nameOf(link)}`,
      actions: link.status !== "open" ? [] : [
        { title: "End", label: `End the link for ${nameOf(link)}`, onSelect: () => setEnding(link) }
      ]
    }))
  ]
  const makeButton = (
    <button type="button" className="primary" onClick={() => setMake("link")}>Make a connect link</button>
  )
  return (
    <ListPage
      title="Connect links"
      about="Pages where customers connect their own accounts. A link's address is shown once, when it is made."
      actions={
        <>
          <Link className="button" href="/connections">All connections</Link>
          {makeButton}
        </>
      }
      what="connect link"
      list={links}
      columns={columns}
      searchedTexts={(link) => [nameOf(link), link.label, link.id]}
      filters={
        <SelectFilter
          label="Status"
          all="All statuses"
          options={Object.entries(statusWords).map(([value, [, title]]) => ({ value, title }))}
          value={status}
          onChange={setStatus}
        />
      }
      keep={(link) => status === "" || link.status === status}
      none={
        <Empty action={makeButton}>
          No connect links yet. With one, a customer connects an account without you.
        </Empty>
      }
    >
      {make !== "" && <MakeLink clientId={clientId} onClose={() => setMake("")} />}
      {ending && <EndLink link={ending} name={nameOf(ending)} onClose={() => setEnding(undefined)} />}
    </ListPage>
  )
}

const EndLink = ({ link, name, onClose }: {
  readonly link: ConnectLink
  readonly name: string
  readonly onClose: () => void
}) => {
  const end = useServiceMutation((service, id: string) => service.connectLinks.end({ params: { id } }), [
    "connect_links"
  ])
  return (
    <Confirm
      title={`End the link for ${name}?`}
      action="End the link"
      busy={end.isPending}
      error={end.error}
      onClose={onClose}
      onConfirm={() => end.mutate(link.id, { onSuccess: onClose })}
    >
      <p>Its page says that it has ended. Accounts that it connected stay connected.</p>
    </Confirm>
  )
}
