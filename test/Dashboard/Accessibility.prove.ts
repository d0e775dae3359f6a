import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { violations } from "../support/Axe.ts"
import { TestServer } from "../support/TestServer.ts"
import { connectSandbox, insertGrant, ownDashboard, promise, signedIn, visit } from "./Fixture.ts"

const pages = [
  ["/", "Overview"],
  ["/connections", "Connections"],
  ["/connections/connect", "Connect an account"],
  ["/keys", "API keys"],
  ["/keys?make=key", "API keys"],
  ["/logs", "Logs"],
  ["/playground?operation=gsc%20tool:gsc_top_queries", "Playground"],
  ["/playground?operation=gsheets%20endpoint:values.get", "Playground"],
  ["/connections/links", "Connect links"],
  ["/connections/links?make=link", "Connect links"],
  ["/agents", "Agents"],
  ["/agents/add?agent=vscode", "Add an agent"],
  ["/webhooks", "Webhooks"],
  ["/webhooks?make=webhook", "Webhooks"],
  ["/datasets", "Datasets"],
  ["/datasets?make=dataset", "Datasets"],
  ["/clients", "Clients"],
  ["/members", "Members"],
  ["/settings", "Settings"],
  ["/settings?tab=sessions", "Settings"],
  ["/settings?tab=audit", "Settings"],
  ["/settings?tab=alerts", "Settings"],
  ["/settings?tab=mail", "Settings"],
  ["/settings?tab=google", "Settings"],
  ["/settings?tab=encryption", "Settings"],
  ["/settings?tab=revoke", "Settings"],
  ["/nowhere", "There is no such page"]
] as const

/** Tables that are wider than their frame, tabs whose text takes more than a line, and calls that take more than two. */
const misfits = `(() => {
  const lines = (element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return range.getClientRects().length
  }
  const all = (selector) => [...document.querySelectorAll(selector)]
  return all(".table").filter((table) => table.scrollWidth > table.clientWidth).length +
    all(".tabs button").filter((tab) => lines(tab) > 1).length +
    all(".calls button").filter((call) => call.clientHeight > 60).length
})()`

/** Nothing is sent: no member chooses mail. */
const mail = { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "accounts@example.com" }

layer(ownDashboard({ WEBHOOK_ALLOW_PRIVATE: "true", ...mail }), { excludeTestServices: true })(
  "Every page of the dashboard",
  (it) => {
    it.effect("breaks no rule of WCAG 2.2 AA in either theme, and fits screens of 360 and of 1280 pixels", () =>
      Effect.gen(function*() {
        const { connections: [narrow] } = yield* connectSandbox(
          "A client whose name is as long as names of clients may become in practice, and longer"
        )
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE connections SET status = 'expired', external_account = 'somebody.with.a.long.address@example.com'
        WHERE id = ${`${narrow?.id}`}`
        const { client, connections: [connection] } = yield* connectSandbox("Fernhill")
        const path = `/connections/${connection?.id}`
        const { admin, request } = yield* TestServer
        const { eventReceiverUrl } = yield* Sandbox
        const webhook = yield* admin.webhooks.create({ payload: { url: eventReceiverUrl, events: ["key.created"] } })
        const member = yield* admin.members.create({ payload: { email: "agent@example.com" } })
        const { key } = yield* admin.keys.create({
          payload: { member_id: member.id, name: "Delivered", access: "read_write", writes: "ask" }
        })
        const unseen = yield* request("POST", "/v1/call", { key, body: { provider: "gsc", endpoint: "sites.list" } })
        // The longest code.
        yield* sql`UPDATE calls SET error_code = 'idempotency_in_progress' WHERE id = ${unseen.callId}`
        yield* insertGrant(member.id, "Claude Code")
        yield* admin.connectLinks.create({ payload: { connection_id: `${connection?.id}` } })
        const ofResources = [
          [path, `${connection?.label}`],
          [`/clients/${client.id}`, client.name],
          [`${path}/reconnect`, `Reconnect ${connection?.label}`],
          [`/webhooks/${webhook.id}`, "Webhook"]
        ] as const
        const { page } = yield* signedIn({ role: "admin" })
        // A dialog that is fading in has less contrast.
        yield* promise(() => page.emulateMedia({ reducedMotion: "reduce" }))
        for (const [path, heading] of [...pages, ...ofResources]) {
          yield* visit(page, path, heading)
          yield* promise(() => page.locator("[aria-busy=true]").first().waitFor({ state: "detached" }))
          assert.deepStrictEqual(yield* violations(page), [], path)
          for (const width of [360, 1280]) {
            yield* promise(() => page.setViewportSize({ width, height: 800 }))
            const needed = yield* promise(() => page.evaluate<number>("document.documentElement.scrollWidth"))
            assert.isAtMost(needed, width, path)
            assert.strictEqual(yield* promise(() => page.evaluate<number>(misfits)), 0, `${path} at ${width}`)
          }
        }
      }))
  }
)
