import { type Connection, createClient, OpenAccountsError } from "openaccounts-client"
import { connect } from "openaccounts-client/connect"

declare const process: {
  readonly argv: ReadonlyArray<string>
  readonly stdout: { readonly write: (text: string) => void }
}

const print = (...words: ReadonlyArray<unknown>) => process.stdout.write(`${words.join(" ")}\n`)

const [, , baseUrl = "", apiKey = "", clientId = ""] = process.argv
const oa = createClient({ baseUrl, apiKey })

const { call_id, data } = await oa.gsc.topQueries({ site: "fernhill.example", days: 7, limit: 1 })
print(data.rows[0]?.query)
const logged = await oa.logs.get(call_id)
print(logged.target, logged.outcome)
const { connections } = await oa.connections.list({ provider: "gsc" })
const [connection]: ReadonlyArray<Connection> = connections
if (connection === undefined) throw new Error("No connection")
print((await oa.managedConnections.test(connection.id)).ok)

const link = await oa.connectLinks.create({ client_id: clientId, providers: ["gsc"], expires_in: 600 })
print(new URL(link.url).pathname.startsWith("/connect/"), (await oa.connectLinks.end(link.id)).status)

const webhook = await oa.webhooks.create({ url: "https://hooks.example.com/", events: ["connection.expired"] })
print((await oa.webhooks.update(webhook.id, { enabled: false })).enabled)
print(typeof await oa.webhooks.delete(webhook.id))
const error = await oa.webhooks.get(webhook.id).catch((cause: unknown) => cause)
print(error instanceof OpenAccountsError ? error.code : error)

// @ts-expect-error An event has a known type.
await oa.webhooks.create({ url: "https://hooks.example.com/", events: ["unknown"] }).catch(() => undefined)
// @ts-expect-error A call has an id.
await oa.logs.get().catch(() => undefined)
print(typeof connect)
