import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type * as playwright from "playwright-core"
import { everyPage, isLoaded } from "../../scripts/dashboard/Walk.ts"
import { newId } from "../../src/Domain/NewId.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { hashToken } from "../../src/Secrets/IssuedSecrets.ts"
import { violations } from "../support/Axe.ts"
import { Browser } from "../support/Browser.ts"
import { newGrant } from "../support/NewGrant.ts"
import { originOf } from "../support/SignedIn.ts"
import { TestServer } from "../support/TestServer.ts"
import { connectSandbox, ownDashboard, promise, signedIn, visit } from "./Fixture.ts"

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

const isClean = Effect.fnUntraced(function*(page: playwright.Page, what: string) {
  assert.deepStrictEqual(yield* violations(page), [], what)
  for (const width of [1280, 1024, 801, 360]) {
    yield* promise(() => page.setViewportSize({ width, height: 800 }))
    const needed = yield* promise(() => page.evaluate<number>("document.documentElement.scrollWidth"))
    assert.isAtMost(needed, width, what)
    assert.strictEqual(yield* promise(() => page.evaluate<number>(misfits)), 0, `${what} at ${width}`)
  }
})

const press = (name: string) => (page: playwright.Page) => page.getByRole("button", { name }).first().click()

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
        yield* newGrant({ memberId: member.id })
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
          // A narrow screen, the last, has all actions in menus.
          yield* isClean(page, path)
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

    it.effect("neither do doors, menus, errors and links that have ended", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { admin } = server
        const sql = yield* SqlClient.SqlClient
        const client = yield* admin.clients.create({ payload: { name: "Ended" } })
        const link = yield* admin.connectLinks.create({ payload: { client_id: client.id } })
        yield* admin.connectLinks.end({ params: { id: link.id } })
        const { member, page: own } = yield* signedIn({ role: "admin" })
        const { url } = yield* admin.memberLinks.create({ params: { id: member.id } })
        const welcome = `/dashboard/link${new URL(url).hash}`
        const mailId = yield* newId("mdl")
        const mail = { id: mailId, member_id: member.id, type: "connection.expired", status: "delivered" }
        yield* sql`INSERT INTO mail_deliveries ${
          sql.insert({ ...mail, stop_hashes: [hashToken(Redacted.make("it"))] })
        }`
        const anonymous = yield* (yield* Browser).open(originOf(server))
        const cases: ReadonlyArray<
          readonly [
            page: playwright.Page,
            path: string,
            title: string,
            act?: (page: playwright.Page) => Promise<unknown>
          ]
        > = [
          [anonymous, "/dashboard/", "Sign in to OpenAccounts"],
          [anonymous, "/dashboard/keys", "Sign in to OpenAccounts", async (page) => {
            await page.getByLabel("E-mail").fill(member.email)
            await page.getByLabel("Password").fill("not the password")
            await press("Sign in")(page)
            await page.getByRole("alert").waitFor()
          }],
          [anonymous, "/auth/oidc/callback", "You are not signed in"],
          [anonymous, "/oauth/authorize?client_id=unknown", "Sign in to continue"],
          [anonymous, "/connect/unknown", "This link is unknown"],
          [anonymous, new URL(link.url).pathname, "This link has ended"],
          [anonymous, "/connect/callback?state=unknown", "This sign-in has ended"],
          [anonymous, "/alerts/stop/unknown/it", "This link is too old"],
          [anonymous, `/alerts/stop/${mailId}/it`, "Stop this mail?"],
          [anonymous, `/alerts/stop/${mailId}/it`, "Stop this mail?", async (page) => {
            await press("Stop it")(page)
            await page.getByRole("heading", { name: "It is stopped" }).waitFor()
          }],
          [anonymous, welcome, "Welcome to OpenAccounts"],
          [anonymous, welcome, "Welcome to OpenAccounts", async (page) => {
            await press("Continue")(page)
            await page.getByLabel("New password").waitFor()
          }],
          [own, welcome, "Welcome to OpenAccounts", async (page) => {
            await press("Continue")(page)
            await page.getByRole("link", { name: "Sign in" }).waitFor()
          }],
          [own, "/oauth/authorize?client_id=unknown", "The agent's request was refused"],
          [own, "/dashboard/", "Overview", async (page) => {
            await page.keyboard.press("Control+k")
            await page.getByRole("dialog").getByRole("option").first().waitFor()
          }],
          [own, "/dashboard/clients", "Clients", async (page) => {
            await page.setViewportSize({ width: 360, height: 800 })
            await press("Menu")(page)
            await page.getByRole("dialog").waitFor()
          }],
          [own, "/dashboard/logs?call=call_unknown", "Logs", (page) => page.getByRole("alert").waitFor()],
          ...Object.entries({
            "clients/unknown": "Client",
            "connections/unknown": "Connection",
            "connections/unknown/reconnect": "Reconnect",
            "datasets/unknown": "Dataset",
            "webhooks/unknown": "Webhook",
            "approvals/unknown": "Approval"
          }).map(([path, title]) => [own, `/dashboard/${path}`, title] as const)
        ]
        for (const [page, path, title, act] of cases) {
          yield* promise(async () => {
            await page.emulateMedia({ reducedMotion: "reduce" })
            await page.setViewportSize({ width: 1280, height: 800 })
            // A path that differs in its hash alone would load nothing.
            await page.goto("about:blank")
            await page.goto(path)
            await page.getByRole("heading", { name: title, level: 1 }).waitFor()
            if (path.startsWith("/dashboard")) await isLoaded(page)
            await act?.(page)
          })
          yield* isClean(page, `${title} at ${path}`)
        }
      }))
  }
)
