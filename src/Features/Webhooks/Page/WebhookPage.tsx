import { useState } from "react"
import { Link } from "wouter"
import { CopyIconButton } from "../../../Dashboard/Parts/CopyButton.tsx"
import { Dialog } from "../../../Dashboard/Parts/Dialog.tsx"
import { Empty } from "../../../Dashboard/Parts/Empty.tsx"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { Fact } from "../../../Dashboard/Parts/Fact.tsx"
import { Id } from "../../../Dashboard/Parts/Id.tsx"
import { JsonView } from "../../../Dashboard/Parts/JsonView.tsx"
import { OlderButton } from "../../../Dashboard/Parts/OlderButton.tsx"
import { Page } from "../../../Dashboard/Parts/Page.tsx"
import { StatusOf } from "../../../Dashboard/Parts/Status.tsx"
import { type Column, Table } from "../../../Dashboard/Parts/Table.tsx"
import { Time } from "../../../Dashboard/Parts/Time.tsx"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useWebhooks } from "../../../Dashboard/Service/Lists.ts"
import { useServiceMutation, useServicePages } from "../../../Dashboard/Service/Queries.ts"
import type { Delivery, Webhook } from "../Webhook.ts"
import { standard, titleOf } from "./Formats.ts"
import { SendManyAgain } from "./SendManyAgain.tsx"
import { WebhookActions } from "./WebhookActions.tsx"
import { WebhookState } from "./WebhookState.tsx"

export const WebhookPage = ({ id }: { readonly id: string }) => {
  const webhooks = useWebhooks()
  const webhook = useById(webhooks.data)(id)
  return (
    <Page
      title="Webhook"
      about={webhook?.url ?? "Events of this service, sent to one of yours."}
      actions={webhook && <WebhookActions webhook={webhook} />}
    >
      {webhooks.error && <ErrorNotice error={webhooks.error} isRead />}
      {webhook
        ? <WebhookDetail webhook={webhook} />
        : webhooks.data && <Empty action={<Link href="/webhooks">All webhooks</Link>}>There is no webhook {id}.</Empty>}
    </Page>
  )
}

const WebhookDetail = ({ webhook }: { readonly webhook: Webhook }) => (
  <div className="stack-wide in-order">
    {webhook.failing_since !== null && (
      <p className="notice attention">
        {webhook.enabled
          ? "The receiver does not accept events. They are sent again for 24 hours; after five days the webhook is switched off."
          : "It was switched off because the receiver accepted no event for five days. Repair the receiver, then switch it on."}
      </p>
    )}
    <dl className="facts">
      <Fact name="Id">
        <Id id={webhook.id} />
      </Fact>
      <Fact name="URL" className="row-of">
        {webhook.url} {webhook.format === standard && <CopyIconButton text={webhook.url} what="the URL" />}
      </Fact>
      <Fact name="Format">{titleOf(webhook.format)}</Fact>
      <Fact name="State">
        <WebhookState webhook={webhook} />
      </Fact>
      <Fact name="Events" className="row-of">{webhook.events.map((each) => <code key={each}>{each}</code>)}</Fact>
      <Fact name="Last delivery">
        <Time at={webhook.last_delivery_at} />
      </Fact>
      <Fact name="Made">
        <Time at={webhook.created_at} />
      </Fact>
    </dl>
    <Deliveries webhook={webhook} />
  </div>
)

const statusWords = {
  delivered: ["ok", "Delivered"],
  pending: ["attention", "Waiting"],
  failed: ["error", "Failed"]
} as const

const soonMillis = 5000

const isUnderWay = ({ next_attempt_at }: Delivery) =>
  next_attempt_at !== null && next_attempt_at.getTime() < Date.now() + soonMillis

const Deliveries = ({ webhook }: { readonly webhook: Webhook }) => {
  const webhookId = webhook.id
  const deliveries = useServicePages(
    ["deliveries", webhookId],
    "deliveries",
    ({ webhooks }, page) => webhooks.deliveries({ params: { id: webhookId }, query: page }),
    { live: true, isChanging: isUnderWay }
  )
  const redeliver = useServiceMutation(
    (service, delivery_id: string) => service.webhooks.redeliver({ params: { id: webhookId, delivery_id } }),
    ["deliveries"]
  )
  const [shown, setShown] = useState<Delivery>()
  const [sendsMany, setSendsMany] = useState(false)
  const columns: ReadonlyArray<Column<Delivery>> = [
    {
      title: "Status",
      cell: ({ next_attempt_at, status }) => (
        <>
          <StatusOf entry={statusWords[status]} />
          {next_attempt_at !== null && (
            <span className="meta">
              {" "}
              next attempt <Time at={next_attempt_at} />
            </span>
          )}
        </>
      )
    },
    { title: "Event", cell: ({ type }) => <code>{type}</code> },
    { title: "Happened", cell: ({ at }) => <Time at={at} /> },
    {
      title: "Response",
      cell: ({ attempts, error, http_status }) => http_status ?? error ?? (attempts > 0 ? "no response" : "none yet")
    },
    { title: "Attempts", kind: "number", minor: true, cell: ({ attempts }) => attempts },
    {
      title: "Actions",
      kind: "actions",
      cell: (delivery) => (
        <span className="row-of">
          <button type="button" aria-label={`Show ${delivery.type}`} onClick={() => setShown(delivery)}>Show</button>
          {delivery.status !== "pending" && (
            <button
              type="button"
              aria-label={`Send again: ${delivery.type}`}
              disabled={redeliver.isPending}
              onClick={() => redeliver.mutate(delivery.id)}
            >
              Send again
            </button>
          )}
          <CopyIconButton text={delivery.id} what={`the id of ${delivery.type}`} />
        </span>
      )
    }
  ]
  return (
    <section className="stack" aria-label="Deliveries">
      <div className="row-of spread">
        <h2>Deliveries of the last 30 days</h2>
        <button type="button" onClick={() => setSendsMany(true)}>Send many again</button>
      </div>
      {redeliver.error && <ErrorNotice error={redeliver.error} />}
      <Table
        label="Deliveries"
        columns={columns}
        rows={deliveries.data}
        rowKey={({ id }) => id}
        error={deliveries.error}
        reloading={deliveries.isRefetching}
        empty={<Empty>No event was sent yet. A test sends one.</Empty>}
      />
      {sendsMany && <SendManyAgain webhook={webhook} onClose={() => setSendsMany(false)} />}
      {shown && (
        <Dialog title={shown.type} onClose={() => setShown(undefined)}>
          <JsonView name="event" value={shown.payload} />
        </Dialog>
      )}
      <OlderButton pages={deliveries} what="deliveries" />
    </section>
  )
}
