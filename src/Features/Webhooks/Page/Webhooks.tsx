import { useState } from "react"
import { Link } from "wouter"
import { actionsColumn } from "../../../Dashboard/Parts/Actions.tsx"
import { Empty } from "../../../Dashboard/Parts/Empty.tsx"
import { ListPage } from "../../../Dashboard/Parts/ListPage.tsx"
import { madeColumn } from "../../../Dashboard/Parts/MadeColumn.tsx"
import type { Column } from "../../../Dashboard/Parts/Table.tsx"
import { timeColumn } from "../../../Dashboard/Parts/Time.tsx"
import { useUrlState } from "../../../Dashboard/Parts/UrlState.ts"
import { useWebhooks } from "../../../Dashboard/Service/Lists.ts"
import type { Webhook } from "../Webhook.ts"
import { WebhookForm } from "./WebhookForm.tsx"
import { WebhookState } from "./WebhookState.tsx"

export const Webhooks = () => {
  const [make, setMake] = useUrlState("make")
  const [changed, setChanged] = useState<Webhook>()
  const webhooks = useWebhooks(true)
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
    timeColumn("Last delivery", ({ last_delivery_at }) => last_delivery_at),
    madeColumn,
    actionsColumn((webhook) => ({
      id: webhook.id,
      name: webhook.url,
      actions: [{ title: "Change", label: `Change ${webhook.url}`, onSelect: () => setChanged(webhook) }]
    }))
  ]
  const makeButton = (
    <button type="button" className="primary" onClick={() => setMake("webhook")}>Make a webhook</button>
  )
  return (
    <ListPage
      title="Webhooks"
      about="Webhooks inform your systems of changes to connections, keys and grants. Each event is signed."
      actions={makeButton}
      what="webhook"
      list={webhooks}
      columns={columns}
      searchedTexts={({ events, id, url }) => [url, id, ...events]}
      none={<Empty action={makeButton}>No webhooks yet. One tells your systems when an account expires.</Empty>}
    >
      {make !== "" && <WebhookForm webhook={undefined} onClose={() => setMake("")} />}
      {changed && <WebhookForm webhook={changed} onClose={() => setChanged(undefined)} />}
    </ListPage>
  )
}
