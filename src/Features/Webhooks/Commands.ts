import { Effect, Option, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { adminApi } from "../../Cli/ApiClient.ts"
import { resource, resourceCommands } from "../../Cli/Commands/Resource.ts"
import { reportFailure, usageError } from "../../Cli/Failure.ts"
import { optionalFlag, repeatableFlag, switchFlag } from "../../Cli/Flags.ts"
import { decodeFlags } from "../../Cli/Input.ts"
import { formatTime, idArgument, pageFlags, printList } from "../../Cli/Lists.ts"
import { print } from "../../Cli/Output.ts"
import type { Column } from "../../Cli/Table.ts"
import { eventTypes } from "../../Declared/EventType.ts"
import { webhookFormats } from "../../Declared/WebhookFormat.ts"
import { PageRequest } from "../../Domain/Page.ts"
import { type Delivery, DeliveryPeriod, NewWebhook, type Webhook, WebhookChange } from "./Webhook.ts"

const webhooks = resource<Webhook>({
  one: "webhook",
  many: "webhooks",
  columns: [
    { head: "id", value: ({ id }) => id },
    { head: "url", value: ({ url }) => url },
    { head: "format", value: ({ format }) => format },
    { head: "events", value: ({ events }) => events.join("\n") },
    {
      head: "status",
      value: ({ enabled, failing_since }) =>
        `${enabled ? "on" : "off"}${failing_since === null ? "" : `, failing since ${formatTime(failing_since)}`}`,
      tone: ({ enabled, failing_since }) => !enabled ? "bad" : failing_since === null ? "good" : "warn"
    },
    { head: "last delivery", value: ({ last_delivery_at }) => formatTime(last_delivery_at) },
    { head: "created", value: ({ created_at }) => formatTime(created_at) }
  ]
})

const tones = { pending: "warn", delivered: "good", failed: "bad" } as const

const deliveryColumns: ReadonlyArray<Column<Delivery>> = [
  { head: "time", value: ({ at }) => formatTime(at) },
  { head: "type", value: ({ type }) => type },
  { head: "status", value: ({ status }) => status, tone: ({ status }) => tones[status] },
  { head: "attempts", value: ({ attempts }) => `${attempts}` },
  { head: "response", value: ({ error, http_status }) => `${http_status ?? error ?? "none"}` },
  {
    head: "next attempt",
    value: ({ next_attempt_at }) => next_attempt_at === null ? "" : formatTime(next_attempt_at)
  },
  { head: "delivery", value: ({ id }) => id }
]

const events = repeatableFlag("event", `Event that is sent; repeatable: ${eventTypes.join(", ")}`, "<type>")

const format = optionalFlag("format", `How events are written: ${webhookFormats.join(", ")}`)

const create = webhooks.create({
  description: "Create a webhook and show its secret once; it gets all events unless --event is given",
  examples: [
    { command: "oa webhook create https://hooks.acme.example/openaccounts" },
    {
      command: "oa webhook create https://hooks.acme.example/openaccounts --event connection.expired --json",
      description: "One event; the secret is in the field `secret`"
    },
    {
      command: "oa webhook create https://hooks.slack.com/services/… --format slack --event connection.expired",
      description: "A text in a channel of Slack when an account loses access"
    }
  ],
  flags: {
    url: Argument.String("url").pipe(Argument.withDescription("https URL that receives the events")),
    format,
    events
  },
  schema: NewWebhook,
  fields: ({ events, format, url }) => Effect.succeed({ url, format, events: events ?? eventTypes }),
  send: (api, request) => api.webhooks.create(request),
  secret: ({ format, secret }) => [
    secret,
    `The secret verifies the signatures${
      format === "standard" ? "" : " of the format standard"
    }. It is shown only once.`
  ]
})

const list = webhooks.list({
  fetch: (api, request) => api.webhooks.list(request),
  rows: (page) => page.webhooks,
  emptyMessage: "No webhooks; `oa webhook create` creates one."
})

const update = webhooks.change({
  name: "update",
  description: "Change a webhook, or switch it on or off",
  examples: [
    {
      command: "oa webhook update whk_… --event connection.expired --event connection.revoked",
      description: "Replace its events"
    },
    { command: "oa webhook update whk_… --on" }
  ],
  flags: {
    url: optionalFlag("url", "New URL"),
    format,
    events,
    on: switchFlag("on", "Switch the webhook on"),
    off: switchFlag("off", "Switch the webhook off; its pending deliveries fail")
  },
  schema: WebhookChange,
  names: "--url, --format, --event, --on or --off",
  fields: Effect.fnUntraced(function*({ events, format, off, on, url }) {
    if (on && off) return yield* usageError("Pass either --on or --off, not both")
    return { url, format, events, enabled: on || off ? on : undefined }
  }),
  send: (api, request) => api.webhooks.change(request)
})

const remove = webhooks.delete({
  description: "Delete a webhook and its deliveries",
  flags: {},
  send: (api, request) => api.webhooks.delete(request),
  after: () => "It gets no more events."
})

const onItsWay = ({ id }: Pick<Delivery, "id">, webhookId: string): string =>
  `${id} is on its way; \`oa webhook deliveries ${webhookId}\` shows the response.`

const test = webhooks.ask({
  name: "test",
  description: "Send an event of the type `test`, also while the webhook is off",
  send: (api, request) => api.webhooks.test(request),
  show: (sent, _, id) => onItsWay(sent, id)
})

const secret = webhooks.ask({
  name: "secret",
  description: "Replace a webhook's secret and show the new one once; the one before signs for another day",
  examples: [{ command: "oa webhook secret whk_…" }],
  send: (api, request) => api.webhooks.replaceSecret(request),
  show: ({ secret }) =>
    `${secret}\nThe new secret is shown only once. For 24 hours, events are signed with the one before too.`
})

const deliveries = Command.make(
  "deliveries",
  { id: idArgument("webhook"), ...pageFlags },
  Effect.fnUntraced(function*({ id, ...flags }) {
    const query = yield* decodeFlags(Schema.Struct(PageRequest), flags)
    const page = yield* (yield* adminApi).webhooks.deliveries({ params: { id }, query })
    yield* printList(page, { rows: page.deliveries, columns: deliveryColumns, emptyMessage: "No deliveries." })
  }, reportFailure)
).pipe(Command.withDescription("List the deliveries of the last 30 days, newest first; --json has what was sent"))

const redeliver = Command.make(
  "redeliver",
  {
    id: idArgument("webhook"),
    delivery: Argument.String("delivery").pipe(
      Argument.withDescription("Id of the delivery, unless a time is given"),
      Argument.optional
    ),
    since: optionalFlag("since", "All events from this time on"),
    until: optionalFlag("until", "Only events before this time")
  },
  Effect.fnUntraced(function*({ delivery, id, ...flags }) {
    const api = yield* adminApi
    if (Option.isSome(delivery)) {
      const sent = yield* api.webhooks.redeliver({ params: { id, delivery_id: delivery.value } })
      return yield* print(sent, () => onItsWay(sent, id))
    }
    const payload = yield* decodeFlags(DeliveryPeriod, flags)
    const sent = yield* api.webhooks.redeliverAll({ params: { id }, payload })
    yield* print(
      sent,
      () => `Events on their way: ${sent.deliveries}. \`oa webhook deliveries ${id}\` shows the responses.`
    )
  }, reportFailure)
).pipe(
  Command.withDescription("Send an event, or all events of a time, once more, with the same ids and texts"),
  Command.withExamples([
    { command: "oa webhook redeliver whk_… evt_…" },
    { command: "oa webhook redeliver whk_… --since 2026-11-24T08:00:00Z", description: "After a receiver was away" }
  ])
)

export const webhook = resourceCommands("webhook", "Webhooks: tell your systems what happens", [
  create,
  list,
  update,
  remove,
  test,
  secret,
  deliveries,
  redeliver
])
