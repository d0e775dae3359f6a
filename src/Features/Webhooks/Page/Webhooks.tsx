import { Link } from "wouter"
import { ListPage } from "../../../Dashboard/Parts/ListPage.tsx"
import { madeColumn } from "../../../Dashboard/Parts/MadeColumn.tsx"
import type { Column } from "../../../Dashboard/Parts/Table.tsx"
import { timeColumn } from "../../../Dashboard/Parts/Time.tsx"
import { useWebhooks } from "../../../Dashboard/Service/Lists.ts"
import type { Webhook } from "../Webhook.ts"
import { WebhookForm } from "./WebhookForm.tsx"
import { WebhookState } from "./WebhookState.tsx"

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
  madeColumn
]

export const Webhooks = () => (
  <ListPage
    title="Webhooks"
    about="Webhooks inform your systems of changes to connections, keys and grants. Each event is signed."
    make={{ title: "Make a webhook", dialog: (onClose) => <WebhookForm onClose={onClose} /> }}
    what="webhook"
    list={useWebhooks()}
    columns={columns}
    nameOf={({ url }) => url}
    rowActions={(webhook) => [
      { title: "Change", dialog: (onClose) => <WebhookForm webhook={webhook} onClose={onClose} /> }
    ]}
    searchedTexts={({ events }) => events}
    empty="No webhooks yet. One tells your systems when an account expires."
  />
)
