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

/** A webhook whose receiver is in the sandbox. Made first, so that it hears of what the demo makes. */
export const addWebhook = Effect.fnUntraced(function*(url: string) {
  const { eventReceiverUrl } = yield* Sandbox
  const admin = yield* adminClient(url)
  const { webhooks: [webhook] } = yield* admin.webhooks.list({ query: { limit: 1 } })
  if (webhook === undefined) return yield* admin.webhooks.create({ payload: { url: eventReceiverUrl, events } })
  // The sandbox has another port after each start.
  return yield* admin.webhooks.change({ params: { id: webhook.id }, payload: { url: eventReceiverUrl } })
})

/** An unused connect link of the demo's company. */
export const addConnectLink = Effect.fnUntraced(function*(url: string) {
  const admin = yield* adminClient(url)
  const { connect_links } = yield* admin.connectLinks.list({ query: { limit: 200 } })
  // Those that reconnect a connection come from its event.
  const link = connect_links.find(({ connection_id }) => connection_id === null)
  if (link !== undefined) return link
  const client = yield* findClient(admin, company.name)
  return yield* admin.connectLinks.create({ payload: { client_id: client.id, providers: ["gsc", "ga4"] } })
})
