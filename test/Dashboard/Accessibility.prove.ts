import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { everyPage, isLoaded } from "../../scripts/dashboard/Walk.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { violations } from "../support/Axe.ts"
import { TestServer } from "../support/TestServer.ts"
import { connectSandbox, insertGrant, ownDashboard, promise, signedIn, visit } from "./Fixture.ts"

/** Pages that no link leads to, or not as they are here. */
const others = [
  "/dashboard/playground?operation=gsheets%20endpoint:values.get",
  "/dashboard/agents/add?agent=vscode",
  "/dashboard/nowhere"
]

/** Some that links, tabs and the dialogs of lists lead to. */
const linked = [
  ...["clients", "connections", "approvals", "datasets", "webhooks"].map((list) => `/dashboard/${list}/:id`),
  ...["client", "key", "dataset", "member", "webhook"].map((what) => `/dashboard/${what}s?make=${what}`),
  "/dashboard/connections/links?make=link",
  "/dashboard/settings?tab=audit"
]

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

const opensDialog = ["Change", "Revoke", "Share with a client", "Copy a connect link", "Rename", "Delete", "New secret"]

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
        const { connections: [connection], of } = yield* connectSandbox("Fernhill")
        const { admin, request } = yield* TestServer
        const { eventReceiverUrl } = yield* Sandbox
        yield* admin.webhooks.create({ payload: { url: eventReceiverUrl, events: ["key.created"] } })
        const member = yield* admin.members.create({ payload: { email: "agent@example.com" } })
        const { key } = yield* admin.keys.create({
          payload: { member_id: member.id, name: "Delivered", access: "read_write", writes: "ask" }
        })
        const unseen = yield* request("POST", "/v1/call", { key, body: { provider: "gsc", endpoint: "sites.list" } })
        // The longest code.
        yield* sql`UPDATE calls SET error_code = 'idempotency_in_progress' WHERE id = ${unseen.callId}`
        yield* insertGrant(member.id, "Claude Code")
        yield* admin.connectLinks.create({ payload: { connection_id: `${connection?.id}` } })
        const resource = "sc-domain:fernhill.example"
        const { id: connection_id } = of("gsc")
        const since = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)
        const report = { report: "gsc.searchanalytics", since, schedule: null } as const
        yield* admin.datasets.create({ payload: { connection_id, resource, ...report } })
        const asks = { name: "Asks", access: "read_write", writes: "ask" } as const
        const writer = yield* admin.members.create({ payload: { email: "writer@example.com", client_ids: null } })
        const { key: asking } = yield* admin.keys.create({ payload: { member_id: writer.id, ...asks } })
        const input = { spreadsheet: "sandbox-leads", range: "Leads!A2", values: [["Ada"]] }
        const body = { provider: "gsheets", tool: "sheets_update_range", connection_id: of("gsheets").id, input }
        assert.strictEqual((yield* request("POST", "/v1/call", { key: asking, body })).status, 409)
        const { page } = yield* signedIn({ role: "admin" })
        // A dialog that is fading in has less contrast.
        yield* promise(() => page.emulateMedia({ reducedMotion: "reduce" }))
        yield* visit(page, "/", "Overview")
        const pages = yield* promise(() => everyPage(page))
        assert.includeMembers([...pages.keys()], linked)
        const ofConnections = [narrow, connection].map((each) => `/dashboard/connections/${each?.id}`)
        const opened = new Set<string>()
        for (const path of new Set([...pages.values(), ...ofConnections, ...others])) {
          yield* promise(async () => {
            await page.setViewportSize({ width: 1280, height: 800 })
            await page.goto(path)
            await isLoaded(page)
          })
          assert.deepStrictEqual(yield* promise(() => page.locator(".notice.error").allInnerTexts()), [], path)
          const missing = yield* promise(() => page.getByRole("heading", { name: "There is no such page" }).count())
          assert.strictEqual(missing, path === "/dashboard/nowhere" ? 1 : 0, path)
          assert.deepStrictEqual(yield* violations(page), [], path)
          // A narrow screen, the last, has all actions in menus.
          for (const width of [1280, 360]) {
            yield* promise(() => page.setViewportSize({ width, height: 800 }))
            const needed = yield* promise(() => page.evaluate<number>("document.documentElement.scrollWidth"))
            assert.isAtMost(needed, width, path)
            assert.strictEqual(yield* promise(() => page.evaluate<number>(misfits)), 0, `${path} at ${width}`)
          }
          const newSecret = page.getByRole("button", { name: "New secret", exact: true })
          if (yield* promise(() => newSecret.isVisible())) {
            yield* promise(async () => {
              await newSecret.click()
              await page.getByRole("dialog").waitFor()
            })
            opened.add("New secret")
            assert.deepStrictEqual(yield* violations(page), [], `New secret of ${path}`)
          }
          const menu = page.locator("main [aria-haspopup=menu]:visible").first()
          const isCovered = (yield* promise(() => page.getByRole("dialog").count())) > 0
          if (isCovered || !(yield* promise(() => menu.isVisible()))) continue
          yield* promise(() => menu.click())
          yield* promise(() => page.getByRole("menuitem").first().waitFor())
          const titles = yield* promise(() => page.locator("[role=menuitem]:not(a)").allInnerTexts())
          assert.deepStrictEqual(yield* violations(page), [], `the menu of ${path}`)
          for (const title of titles.filter((each) => opensDialog.includes(each))) {
            yield* promise(async () => {
              await page.goto(path)
              await isLoaded(page)
              await menu.click()
              await page.getByRole("menu").getByText(title, { exact: true }).click()
              await page.getByRole("dialog").waitFor()
              await isLoaded(page)
            })
            opened.add(title)
            assert.deepStrictEqual(yield* violations(page), [], `${title} of ${path}`)
          }
        }
        assert.sameMembers([...opened], opensDialog)
      }))
  }
)
