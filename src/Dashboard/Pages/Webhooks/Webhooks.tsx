import { useState } from "react"
import { Link } from "wouter"
import type { Webhook } from "../../../Domain/Webhook.ts"
import { CopyIconButton } from "../../Parts/CopyButton.tsx"
import { Empty } from "../../Parts/Empty.tsx"
import { Filters, SearchField } from "../../Parts/Filters.tsx"
import { madeColumn } from "../../Parts/MadeColumn.tsx"
import { matches } from "../../Parts/Matches.ts"
import { Page } from "../../Parts/Page.tsx"
import { type Column, Table } from "../../Parts/Table.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { useWebhooks } from "../../Service/Lists.ts"
import { WebhookForm } from "./WebhookForm.tsx"
import { WebhookState } from "./WebhookState.tsx"

export const Webhooks = () => {
  const [search, setSearch] = useUrlState("search")
  const [make, setMake] = useUrlState("make")
  const [changed, setChanged] = useState<Webhook>()
  const webhooks = useWebhooks(true)
  const shown = webhooks.data?.filter(({ events, id, url }) => matches(search, [url, id, ...events]))
  const columns: ReadonlyArray<Column<Webhook>> = [
    {
      title: "URL",
      sortBy: ({ url }) => url,
      cell: ({ id, url }) => <Link className="name" href={`/webhooks/${id}`} title={url}>{url}</Link>
    },
    { title: "State", cell: (webhook) => <WebhookState webhook={webhook} /> },
    {
      title: "Events",
      minor: true,
      cell: ({ events }) => <span className="name plain" title={events.join(", ")}>{events.join(", ")}</span>
    },
    {
      title: "Last delivery",
      sortBy: ({ last_delivery_at }) => last_delivery_at,
      cell: ({ last_delivery_at }) => <Time at={last_delivery_at} />
    },
    madeColumn,
    {
      title: "Actions",
      kind: "actions",
      cell: (webhook) => (
        <span className="row-of">
          <button type="button" aria-label={`Change ${webhook.url}`} onClick={() => setChanged(webhook)}>Change</button>
          <CopyIconButton text={webhook.id} what={`the id of ${webhook.url}`} />
        </span>
      )
    }
  ]
  const makeButton = (
    <button type="button" className="primary" onClick={() => setMake("webhook")}>Make a webhook</button>
  )
  return (
    <Page
      title="Webhooks"
      about="Webhooks inform your systems of changes to connections, keys and grants. Each event is signed."
      actions={makeButton}
    >
      <Filters of={webhooks.data} shown={shown}>
        <SearchField label="Search webhooks" value={search} onChange={setSearch} />
      </Filters>
      <Table
        label="Webhooks"
        columns={columns}
        rows={shown}
        rowKey={({ id }) => id}
        error={webhooks.error}
        reloading={webhooks.isFetching}
        empty={webhooks.data?.length === 0
          ? <Empty action={makeButton}>No webhooks yet. One tells your systems when an account expires.</Empty>
          : <Empty>No webhook matches this search.</Empty>}
      />
      {make !== "" && <WebhookForm webhook={undefined} onClose={() => setMake("")} />}
      {changed && <WebhookForm webhook={changed} onClose={() => setChanged(undefined)} />}
    </Page>
  )
}
