import { Link } from "wouter"
import { MakeLink } from "../../../Dashboard/Pages/Connections/MakeLink.tsx"
import { accessWords } from "../../../Dashboard/Parts/Access.ts"
import { Confirm } from "../../../Dashboard/Parts/Confirm.tsx"
import { confirming } from "../../../Dashboard/Parts/Form.ts"
import { ListPage } from "../../../Dashboard/Parts/ListPage.tsx"
import { madeColumn } from "../../../Dashboard/Parts/MadeColumn.tsx"
import { useProviderName } from "../../../Dashboard/Parts/Provider.tsx"
import { StatusOf } from "../../../Dashboard/Parts/Status.tsx"
import type { Column } from "../../../Dashboard/Parts/Table.tsx"
import { Time } from "../../../Dashboard/Parts/Time.tsx"
import { useUrlState } from "../../../Dashboard/Parts/UrlState.ts"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useClientName } from "../../../Dashboard/Service/ClientName.ts"
import { useConnections, useConnectLinks, useEndLink } from "../../../Dashboard/Service/Lists.ts"
import type { ConnectLink } from "../../../Domain/ConnectLink.ts"

const statusWords = {
  open: ["ok", "Open"],
  used: ["off", "Used up"],
  expired: ["off", "Expired"],
  ended: ["off", "Ended"]
} as const

export const ConnectLinks = () => {
  const [clientId] = useUrlState("client")
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
    madeColumn
  ]
  return (
    <ListPage
      title="Connect links"
      about="Pages where customers connect their own accounts. A link's address is shown once, when it is made."
      actions={<Link className="button" href="/connections">All connections</Link>}
      make={{
        title: "Make a connect link",
        preset: "client",
        dialog: (onClose) => <MakeLink clientId={clientId} onClose={onClose} />
      }}
      what="connect link"
      list={useConnectLinks()}
      columns={columns}
      nameOf={(link) => `the link for ${nameOf(link)}`}
      rowActions={(link) =>
        link.status !== "open" ? [] : [
          { title: "End", dialog: (onClose) => <EndLink link={link} name={nameOf(link)} onClose={onClose} /> }
        ]}
      searchedTexts={({ label }) => [label]}
      filters={[{
        name: "status",
        label: "Status",
        all: "All statuses",
        options: Object.entries(statusWords).map(([value, [, title]]) => ({ value, title })),
        keep: (link, status) => status === "" || link.status === status
      }]}
      empty="No connect links yet. With one, a customer connects an account without you."
    />
  )
}

const EndLink = ({ link, name, onClose }: {
  readonly link: ConnectLink
  readonly name: string
  readonly onClose: () => void
}) => (
  <Confirm
    title={`End the link for ${name}?`}
    action="End the link"
    {...confirming(useEndLink(), link.id, onClose)}
    onClose={onClose}
  >
    <p>Its page says that it has ended. Accounts that it connected stay connected.</p>
  </Confirm>
)
