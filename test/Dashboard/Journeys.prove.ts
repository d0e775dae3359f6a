import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { Browser } from "../support/Browser.ts"
import { originOf, withSession } from "../support/SignedIn.ts"
import { TestServer } from "../support/TestServer.ts"
import {
  allowInNewTab,
  connectSandbox,
  DashboardTest,
  hasFocus,
  insertGrant,
  promise,
  signedIn,
  visit
} from "./Fixture.ts"

layer(DashboardTest, { excludeTestServices: true })("The dashboard", (it) => {
  it.effect("shows the secret of a key once", () =>
    Effect.gen(function*() {
      const page = yield* signedIn({ email: "ada@example.com", role: "admin" })
      yield* visit(page, "/keys", "API keys")
      yield* promise(async () => {
        await page.getByRole("button", { name: "Make a key" }).first().click()
        await page.getByLabel("Name").fill("Nightly report")
        await page.getByRole("button", { name: "Make the key" }).click()
      })
      const secret = yield* promise(() => page.locator(".secret code").innerText())
      assert.match(secret, /^oa_\w{38}$/)
      yield* promise(async () => {
        await page.reload()
        await page.getByRole("cell", { name: "Nightly report", exact: true }).waitFor()
      })
      assert.notInclude(yield* promise(() => page.content()), secret)
    }).pipe(Effect.scoped))

  it.effect("shows a page as soon as its code is loaded, and says when it cannot be loaded", () =>
    Effect.gen(function*() {
      const page = yield* signedIn({ email: "lea@example.com", role: "admin" })
      const code = /Settings-.*\.js$/
      const link = (name: string) => page.getByRole("navigation").getByRole("link", { name })
      yield* promise(async () => {
        await page.clock.install()
        await page.goto("/dashboard/")
        await page.getByRole("heading", { name: "Overview" }).waitFor()
        // No timer ends from here on.
        await page.clock.pauseAt(Date.now() + 3_600_000)
        await link("Webhooks").click()
        await page.getByRole("heading", { name: "Webhooks" }).waitFor()
        await page.clock.resume()
        await page.route(code, (route) => route.abort())
        await link("Settings").click()
        await page.getByRole("alert").getByText("could not be loaded").waitFor()
        await page.unroute(code)
        await page.getByRole("button", { name: "Reload the page" }).click()
        await page.getByRole("heading", { name: "Settings" }).waitFor()
      })
    }).pipe(Effect.scoped))

  it.effect("tests a connection, and shows why the provider refuses it", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const page = yield* signedIn({ email: "bob@example.com", role: "admin" })
      const made = yield* admin.managedConnections.create({
        payload: { provider: "sitesearch", auth_type: "api_key", credentials: { api_key: "wrong" }, label: "Dead" }
      })
      yield* visit(page, `/connections/${made.id}`, "Dead")
      yield* promise(async () => {
        await page.getByRole("button", { name: "Test" }).click()
        await page.getByRole("alert").waitFor()
      })
    }).pipe(Effect.scoped))

  it.effect("shows a member its own keys and its clients, and no members", () =>
    Effect.gen(function*() {
      const { client } = yield* connectSandbox("Seen")
      yield* connectSandbox("Hidden")
      const page = yield* signedIn({ email: "eve@example.com", client_ids: [client.id] })
      yield* visit(page, "/clients", "Clients")
      yield* promise(() => page.getByRole("link", { name: "Seen" }).waitFor())
      assert.strictEqual(yield* promise(() => page.getByRole("link", { name: "Hidden" }).count()), 0)
      assert.strictEqual(yield* promise(() => page.getByRole("link", { name: "Members" }).count()), 0)
      assert.strictEqual(yield* promise(() => page.getByRole("button", { name: "Add a client" }).count()), 0)
    }).pipe(Effect.scoped))

  it.effect("lets a member change the own name", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const page = yield* signedIn({ email: "named@example.com" })
      yield* visit(page, "/settings", "Settings")
      yield* promise(async () => {
        await page.getByRole("button", { name: "Change your name" }).click()
        await page.getByLabel("Name", { exact: true }).fill("Nina Namesake")
        await page.getByRole("button", { name: "Change the name" }).click()
        await page.getByText("Nina Namesake", { exact: true }).waitFor()
      })
      const { members } = yield* admin.members.list({ query: { limit: 200 } })
      const member = members.find(({ email }) => email === "named@example.com")
      assert.strictEqual(member?.name, "Nina Namesake")
      const { entries } = yield* admin.audit.list({ query: {} })
      assert.deepInclude(entries.find(({ subject }) => subject.id === member?.id && subject.type === "member"), {
        action: "member.changed",
        actor: { type: "member", member_id: member?.id ?? null }
      })
    }).pipe(Effect.scoped))

  it.effect("reconnects an expired account under its id, by sign-in", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const page = yield* signedIn({ email: "rosa@example.com", role: "admin" })
      const { id } = yield* admin.managedConnections.create({
        payload: {
          provider: "gsc",
          auth_type: "oauth",
          credentials: { refresh_token: "1//ended" },
          label: "Larchwood",
          external_account: "old@example.com"
        }
      })
      yield* Effect.flip(admin.managedConnections.test({ params: { id } }))
      yield* visit(page, "/connections?status=expired", "Connections")
      yield* promise(async () => {
        await page.getByRole("row", { name: /Token expired.*Larchwood/ }).waitFor()
        await page.getByRole("link", { name: "Reconnect Larchwood" }).click()
        await page.getByRole("heading", { name: "Reconnect Larchwood" }).waitFor()
      })
      yield* allowInNewTab(page, "Sign in at the provider")
      yield* promise(async () => {
        await page.getByText("demo@fernhill.example is connected again").waitFor()
        await page.getByRole("link", { name: "Open the connection" }).click()
        await page.getByRole("heading", { name: "Larchwood", level: 1 }).waitFor()
        await page.getByText("Active", { exact: true }).waitFor()
      })
      const { connections } = yield* admin.managedConnections.list({ query: { provider: "gsc", limit: 200 } })
      const found = connections.find((each) => each.id === id)
      assert.deepInclude(found, { status: "active", label: "Larchwood", external_account: "demo@fernhill.example" })

      const request = JSON.stringify({ provider: "gsc", endpoint: "sites.list", connection_id: id })
      yield* promise(async () => {
        await page.evaluate(`fetch("/v1/call", { method: "POST", body: ${JSON.stringify(request)} })`)
        await page.getByRole("button", { name: "Actions of Larchwood" }).click()
        await page.getByRole("menuitem", { name: "Revoke" }).click()
        await page.getByRole("heading", { name: "Revoke Larchwood?" }).waitFor()
        await page.getByText("Keys that used it").waitFor()
      })
      const revoke = page.getByRole("button", { name: "Revoke the connection" })
      assert.isTrue(yield* promise(() => revoke.isDisabled()))
      yield* promise(async () => {
        await page.getByLabel("Type its name to confirm").fill("Larchwood")
        await revoke.click()
        await page.getByText("Revoked", { exact: true }).waitFor()
      })
    }).pipe(Effect.scoped))

  it.effect("completes the input of a raw endpoint, and shows what the service refuses in it", () =>
    Effect.gen(function*() {
      const { client } = yield* connectSandbox("Raw")
      const page = yield* signedIn({ email: "raw@example.com", client_ids: [client.id] })
      yield* visit(page, "/playground?operation=gsc%20endpoint:searchanalytics.query", "Playground")
      const editor = page.getByRole("textbox", { name: "Input" })
      const { keyboard } = page
      yield* promise(async () => {
        await editor.click()
        await keyboard.press("Control+a")
        await keyboard.insertText("{ \"body\": { \"endDate\": 5, \"dataState\": ")
        await keyboard.press("Control+Space")
        await page.getByRole("option", { name: "\"all\"", exact: true }).click()
        // The editor checks the text some time after a change.
        const unfinished = page.locator(".cm-lintPoint-error")
        await unfinished.waitFor({ state: "attached" })
        await keyboard.insertText("}}")
        await unfinished.waitFor({ state: "detached" })
        await page.getByRole("button", { name: "Call", exact: true }).click()
        await page.getByLabel("Input", { exact: true }).getByText("body.endDate").waitFor()
        await page.locator(".cm-lintRange-error", { hasText: "5" }).waitFor()
      })
    }).pipe(Effect.scoped))

  it.effect("drops a connection of a link that the member does not have", () =>
    Effect.gen(function*() {
      const { client } = yield* connectSandbox("Crafted")
      const page = yield* signedIn({ email: "crafted@example.com", client_ids: [client.id] })
      const crafted = encodeURIComponent("con_1;touch$IFS/tmp/pwned")
      yield* visit(page, `/playground?operation=gsc%20endpoint:sites.list&connection=${crafted}`, "Playground")
      const call = page.getByRole("button", { name: "Call", exact: true })
      yield* promise(async () => {
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
        await page.getByText("The only connection of Search Console").waitFor({ state: "attached" })
      })
      for (const copy of ["curl", "TypeScript", "oa"]) {
        yield* promise(() => page.getByRole("button", { name: `Copy as ${copy}` }).click())
        const copied = yield* promise(() => page.evaluate<string>("navigator.clipboard.readText()"))
        assert.include(copied, copy === "TypeScript" ? "oa.gsc.sites.list()" : "sites.list")
        assert.notInclude(copied, "con_1")
      }
      yield* promise(async () => {
        await call.click()
        await page.getByText("from the provider").waitFor()
      })
    }).pipe(Effect.scoped))

  it.effect("invites a member, who sees no client until one is chosen, and gives the focus back", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const page = yield* signedIn({ email: "inviting@example.com", role: "admin" })
      yield* visit(page, "/members", "Members")
      yield* promise(async () => {
        await page.getByRole("button", { name: "Add a member" }).click()
        await page.getByLabel("E-mail").fill("invited@example.com")
        await page.getByRole("button", { name: "Add the member" }).click()
        await page.getByRole("dialog", { name: "invited@example.com is added" }).getByText("/dashboard/link#").waitFor()
        await page.keyboard.press("Escape")
        await page.getByRole("dialog").waitFor({ state: "detached" })
      })
      yield* hasFocus(page, page.getByRole("button", { name: "Add a member" }))
      const { members } = yield* admin.members.list({ query: { limit: 200 } })
      assert.deepStrictEqual(members.find(({ email }) => email === "invited@example.com")?.client_ids, [])
    }).pipe(Effect.scoped))

  it.effect("refuses a write until it is allowed, for one call", () =>
    Effect.gen(function*() {
      const { client } = yield* connectSandbox("Writes")
      const page = yield* signedIn({ email: "write@example.com", client_ids: [client.id] })
      yield* visit(page, "/playground?operation=gsheets%20tool:sheets_append_rows", "Playground")
      const call = page.getByRole("button", { name: "Call", exact: true })
      const allow = page.getByLabel("Let this one call write")
      yield* promise(async () => {
        await page.getByLabel("spreadsheet", { exact: true }).fill("sandbox-leads")
        await page.getByText("More options").click()
        await page.getByLabel("tab", { exact: true }).fill("Leads")
        await page.getByLabel("rows", { exact: true }).fill("[{\"Name\":\"Ada\"}]")
      })
      yield* promise(() => page.getByRole("button", { name: "Call", exact: true, disabled: true }).waitFor())
      const refused = yield* promise(() =>
        page.evaluate<number>(`fetch("/v1/call", { method: "POST", body: JSON.stringify({
          provider: "gsheets", tool: "sheets_append_rows",
          input: { spreadsheet: "sandbox-leads", tab: "Leads", rows: [{ Name: "Ada" }] }
        }) }).then((response) => response.status)`)
      )
      assert.strictEqual(refused, 403)
      yield* promise(async () => {
        await allow.check()
        await call.click()
        await page.getByText("from the provider").waitFor()
      })
      yield* promise(async () => {
        await page.getByRole("checkbox", { name: "Let this one call write", checked: false }).waitFor()
        await page.getByRole("button", { name: "Call", exact: true, disabled: true }).waitFor()
      })
    }).pipe(Effect.scoped))

  it.effect("makes a key and changes the page by keyboard alone", () =>
    Effect.gen(function*() {
      const page = yield* signedIn({ email: "keys@example.com" })
      yield* visit(page, "/keys", "API keys")
      const { keyboard } = page
      const focused = () => page.evaluate<string>("document.activeElement.textContent")
      yield* promise(async () => {
        for (let presses = 0; presses < 30 && await focused() !== "Make a key"; presses++) await keyboard.press("Tab")
        await keyboard.press("Enter")
        await page.getByRole("heading", { name: "Make a key" }).waitFor()
        await keyboard.type("By keyboard")
        await keyboard.press("Enter")
        await page.locator(".secret code").waitFor()
        // The first Escape warns that the secret was not copied.
        await keyboard.press("Escape")
        await page.getByText("The key was not copied").waitFor()
        await keyboard.press("Escape")
        await page.getByRole("cell", { name: "By keyboard", exact: true }).waitFor()
        await keyboard.press("Control+k")
        await page.getByRole("combobox", { name: "Area, connection or client" }).waitFor()
        await keyboard.type("Logs")
        await keyboard.press("Enter")
        await page.getByRole("heading", { name: "Logs", level: 1 }).waitFor()
      })
    }).pipe(Effect.scoped))

  it.effect("narrows an agent to one connection, and revokes it", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { client, connections: [connection] } = yield* connectSandbox("Agents")
      const page = yield* signedIn({ email: "agents@example.com", client_ids: [client.id] })
      const { members } = yield* admin.members.list({ query: { limit: 200 } })
      const member = members.find(({ email }) => email === "agents@example.com")
      const id = yield* insertGrant(`${member?.id}`, "Report helper")
      yield* visit(page, "/agents", "Agents")
      yield* promise(async () => {
        await page.getByRole("button", { name: "Change Report helper" }).click()
        await page.getByRole("radio", { name: /^Read-only/ }).check()
        await page.getByRole("radio", { name: /^Chosen connections/ }).check()
        await page.getByRole("checkbox", { name: connection?.label ?? "" }).check()
        await page.getByRole("button", { name: "Change the agent" }).click()
        await page.getByRole("row", { name: /Report helper.*Read-only/ }).getByText(connection?.label ?? "").waitFor()
      })
      const narrowed = yield* admin.grants.get({ params: { id } })
      assert.deepInclude(narrowed, { access: "read_only", connection_ids: connection ? [connection.id] : [] })
      yield* promise(async () => {
        await page.getByRole("button", { name: "Revoke Report helper" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Revoke Report helper" }).click()
        await page.getByText("No agent matches these filters.").waitFor()
        await page.getByRole("link", { name: "Add an agent" }).click()
        await page.getByLabel("Agent", { exact: true }).selectOption("Codex")
        await page.getByText("codex mcp login").waitFor()
      })
      assert.isNotNull((yield* admin.grants.get({ params: { id } })).revoked_at)
    }).pipe(Effect.scoped))

  it.effect("shows the secret of a webhook once, its deliveries, and sends an event again", () =>
    Effect.gen(function*() {
      const { eventReceiverUrl } = yield* Sandbox
      const page = yield* signedIn({ email: "hooks@example.com", role: "admin" })
      yield* visit(page, "/webhooks?make=webhook", "Webhooks")
      yield* promise(async () => {
        await page.getByLabel("URL").fill(eventReceiverUrl)
        await page.getByRole("button", { name: "Make the webhook" }).click()
      })
      const secret = yield* promise(() => page.locator(".secret code").innerText())
      assert.match(secret, /^whsec_/)
      yield* promise(async () => {
        await page.getByRole("button", { name: "Done" }).click()
        await page.getByRole("button", { name: "Done" }).click()
        await page.getByRole("link", { name: eventReceiverUrl }).first().click()
        await page.getByRole("heading", { name: "Deliveries of the last 30 days" }).waitFor()
        await page.getByRole("button", { name: "Test", exact: true }).click()
        await page.getByRole("row", { name: /Delivered.*test/ }).waitFor()
        await page.getByRole("button", { name: "Show test" }).click()
        await page.getByRole("dialog", { name: "test" }).getByText("timestamp").waitFor()
        await page.keyboard.press("Escape")
        await page.getByRole("button", { name: "Send again: test" }).click()
        await page.getByRole("row", { name: /Delivered.*test.*2/ }).waitFor()
        await page.getByRole("button", { name: "Send many again" }).click()
        await page.getByLabel("Until").fill("2026-01-01T08:00")
        await page.getByRole("button", { name: "Send them again" }).click()
        await page.getByText("This webhook has no event of that time.").waitFor()
        await page.getByRole("button", { name: "Done" }).click()
        await page.getByRole("button", { name: "Send many again" }).click()
        await page.getByRole("button", { name: "Send them again" }).click()
        await page.getByText("1 event is sent once more.").waitFor()
        await page.getByRole("button", { name: "Done" }).click()
        await page.getByRole("row", { name: /Delivered.*test.*3/ }).waitFor()
        await page.getByRole("button", { name: "New secret" }).click()
        await page.getByRole("button", { name: "Make a new secret" }).click()
      })
      const replaced = yield* promise(() => page.locator(".secret code").innerText())
      assert.match(replaced, /^whsec_/)
      assert.notStrictEqual(replaced, secret)
      yield* promise(async () => {
        await page.getByRole("button", { name: "Done" }).click()
        await page.getByRole("button", { name: "Done" }).click()
        await page.getByRole("button", { name: "Switch off" }).click()
        await page.getByText("Off", { exact: true }).waitFor()
        await page.getByRole("button", { name: "Delete" }).click()
        await page.getByRole("button", { name: "Delete the webhook" }).click()
        await page.getByRole("heading", { name: "Webhooks" }).waitFor()
      })
      assert.notInclude(yield* promise(() => page.content()), secret)
    }).pipe(Effect.scoped))

  it.effect("makes a connect link for a member's only client, without a name", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const client = yield* admin.clients.create({ payload: { name: "Alone" } })
      const page = yield* signedIn({ email: "alone@example.com", client_ids: [client.id] })
      yield* visit(page, "/connections/connect", "Connect an account")
      yield* promise(async () => {
        await page.getByRole("radio", { name: /^Connect link/ }).check()
        await page.getByRole("button", { name: "Make a connect link" }).click()
        await page.getByRole("dialog", { name: "The connect link is ready" }).waitFor()
      })
      const { connect_links } = yield* admin.connectLinks.list({ query: {} })
      assert.deepInclude(connect_links.find(({ client_id }) => client_id === client.id), { label: null })
    }).pipe(Effect.scoped))

  it.effect("makes a connect link, which opens the customer's page, and ends it", () =>
    Effect.gen(function*() {
      const { client } = yield* connectSandbox("Linked")
      const page = yield* signedIn({ email: "links@example.com", client_ids: [client.id] })
      yield* visit(page, "/connections/links?make=link", "Connect links")
      yield* promise(async () => {
        await page.getByLabel("Client").selectOption("Linked")
        for (const provider of ["Analytics", "Site Search Webmaster", "Spreadsheets", "Documents"]) {
          await page.getByRole("checkbox", { name: provider }).uncheck()
        }
        await page.getByRole("button", { name: "Make the link" }).click()
      })
      const url = yield* promise(() => page.getByRole("dialog").locator(".code code").innerText())
      const opened = yield* promise(() => page.request.get(new URL(url).pathname))
      assert.strictEqual(opened.status(), 200)
      assert.include(yield* promise(() => opened.text()), "Linked")
      yield* promise(async () => {
        await page.getByRole("button", { name: "Done" }).click()
        await page.getByRole("button", { name: "End the link for Linked" }).click()
        await page.getByRole("button", { name: "End the link", exact: true }).click()
        await page.getByRole("row", { name: /Ended.*Linked/ }).waitFor()
      })
      assert.strictEqual(yield* promise(async () => (await page.request.get(new URL(url).pathname)).status()), 410)
    }).pipe(Effect.scoped))

  it.effect("finds a failed call in the logs by keyboard, and says what to do", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const client = yield* admin.clients.create({ payload: { name: "Failing" } })
      const { id } = yield* admin.managedConnections.create({
        payload: {
          provider: "gsc",
          auth_type: "oauth",
          credentials: { refresh_token: "1//ended" },
          label: "Failing account",
          client_id: client.id
        }
      })
      const page = yield* signedIn({ email: "logs@example.com", client_ids: [client.id] })
      yield* visit(page, "/", "Overview")
      yield* promise(() =>
        page.evaluate(
          `fetch("/v1/call", { method: "POST", body: JSON.stringify({ provider: "gsc", endpoint: "sites.list" }) })`
        )
      )
      yield* visit(page, `/logs?connection=${id}&outcome=error`, "Logs")
      const { keyboard } = page
      yield* promise(async () => {
        await page.getByRole("button", { name: /credentials_expired/ }).waitFor()
        await keyboard.press("j")
        await page.getByRole("strong").getByText("ended this access").waitFor()
        await page.getByRole("link", { name: "Reconnect" }).waitFor()
        await keyboard.press("/")
        await keyboard.type("code")
        await page.getByRole("region", { name: "Matches" }).getByText("error.code:").waitFor()
        await page.getByRole("tab", { name: "About" }).click()
        await page.getByRole("link", { name: "Failing account" }).waitFor()
      })
      assert.include(page.url(), "tab=about")
      yield* promise(async () => {
        await keyboard.press("Escape")
        await page.getByRole("tab", { name: "About" }).waitFor({ state: "detached" })
        await keyboard.press("/")
        await keyboard.type("call_unknown")
        await keyboard.press("Enter")
        await page.getByText("call_not_found").waitFor()
      })
    }).pipe(Effect.scoped))

  it.effect("says that the service does not answer, and keeps what it shows", () =>
    Effect.gen(function*() {
      const { client } = yield* connectSandbox("Offline")
      const page = yield* signedIn({ email: "offline@example.com", client_ids: [client.id] })
      yield* visit(page, "/clients", "Clients")
      yield* promise(async () => {
        await page.getByRole("link", { name: "Offline" }).waitFor()
        await page.context().setOffline(true)
        await page.getByText("The service does not answer.").waitFor()
        await page.getByRole("link", { name: "Offline" }).waitFor()
        await page.context().setOffline(false)
        await page.getByText("The service does not answer.").waitFor({ state: "detached" })
      })
    }).pipe(Effect.scoped))

  it.effect("opens the page of a missing connection's error after the sign-in, and connects the account", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const [client, password] = [
        yield* server.admin.clients.create({ payload: { name: "Acme" } }),
        "three quiet harbours"
      ]
      const { cookie, member, request } = yield* withSession(
        yield* server.admin.members.create({ payload: { email: "ivy@example.com", client_ids: [client.id] } })
      )
      const origin = originOf(server)
      const body = { password }
      assert.strictEqual((yield* request("PUT", "/auth/password", { body, headers: { cookie, origin } })).status, 204)
      const { key } = yield* server.admin.keys.create({ payload: { member_id: member.id, name: "Script" } })
      const list = { provider: "ga4", tool: "ga4_list_properties", input: {} }
      const { error } = JSON.parse((yield* server.call(key, list)).text)

      const page = yield* (yield* Browser).open(origin)
      yield* promise(async () => {
        await page.goto(error.details.connect_url)
        await page.getByLabel("E-mail").fill(member.email)
        await page.getByLabel("Password").fill(password)
        await page.getByRole("button", { name: "Sign in", exact: true }).click()
        await page.getByLabel("Name").fill("Figures")
      })
      yield* allowInNewTab(page, "Sign in at the provider")
      const called = yield* server.call(key, list)
      assert.strictEqual(called.status, 200, called.text)
    }).pipe(Effect.scoped))
})
