import { Effect } from "effect"
import { company } from "../../../Sandbox/Data/Company.ts"
import { Sandbox } from "../../../Sandbox/Sandbox.ts"
import { adminClient, findClient } from "./Seed.ts"

const events = [
  "connection.created",
  "connection.expired",
  "connection.reconnected",
  "key.created",
  "grant.revoked"
] as const

/** The port of the sandbox changes with each start. */
const withoutPort = (url: string) => url.replace(/:\d+/, "")

/** Called before the other demo data is made, so that the webhook receives its events. */
export const addWebhook = Effect.fnUntraced(function*(url: string) {
  const { eventReceiverUrl } = yield* Sandbox
  const admin = yield* adminClient(url)
  const { webhooks } = yield* admin.webhooks.list({ query: { limit: 200 } })
  const webhook = webhooks.find(({ url }) => withoutPort(url) === withoutPort(eventReceiverUrl))
  if (webhook === undefined) return yield* admin.webhooks.create({ payload: { url: eventReceiverUrl, events } })
  return yield* admin.webhooks.change({ params: { id: webhook.id }, payload: { url: eventReceiverUrl } })
})

export const addConnectLink = Effect.fnUntraced(function*(url: string) {
  const admin = yield* adminClient(url)
  const { connect_links } = yield* admin.connectLinks.list({ query: { limit: 200 } })
  // Links that events contain reconnect a connection. This one does not.
  const link = connect_links.find(({ connection_id }) => connection_id === null)
  if (link !== undefined) return link
  const client = yield* findClient(admin, company.name)
  return yield* admin.connectLinks.create({ payload: { client_id: client.id, providers: ["gsc", "ga4"] } })
})
