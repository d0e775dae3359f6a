import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { violations } from "../support/Axe.ts"
import { Browser } from "../support/Browser.ts"
import { originOf } from "../support/SignedIn.ts"
import { TestServer } from "../support/TestServer.ts"
import {
  allowInNewTab,
  callFrom,
  connectSandbox,
  DashboardTest,
  endedConnection,
  opened,
  promise,
  signedIn,
  visit,
  withPassword
} from "./Fixture.ts"

layer(DashboardTest, { excludeTestServices: true })("The dashboard", (it) => {
  it.effect("shows why a test of an account failed, reconnects it under its id, and revokes it", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { page } = yield* signedIn({ role: "admin" })
      const { id } = yield* endedConnection({ label: "Larchwood", external_account: "old@example.com" })
      yield* visit(page, `/connections/${id}`, "Larchwood")
      yield* promise(async () => {
        await page.getByRole("button", { name: "Test" }).click()
        await page.getByRole("alert").waitFor()
      })
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

      yield* callFrom(page, { provider: "gsc", endpoint: "sites.list", connection_id: id })
      const revoke = page.getByRole("button", { name: "Revoke the connection" })
      yield* promise(async () => {
        await page.getByRole("button", { name: "Actions of Larchwood" }).click()
        await page.getByRole("menuitem", { name: "Revoke" }).click()
        await page.getByRole("heading", { name: "Revoke Larchwood?" }).waitFor()
        await page.getByText("Keys that used it").waitFor()
        assert.isTrue(await revoke.isDisabled())
        await page.getByLabel("Type its name to confirm").fill("Larchwood")
        await revoke.click()
        await page.getByText("Revoked", { exact: true }).waitFor()
      })
    }))

  it.effect("limits a connection to a site that its account has", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { client, of } = yield* connectSandbox("Bounded")
      const { id, label } = of("gsc")
      const { page } = yield* signedIn({ role: "admin" })
      const reach = page.getByRole("region", { name: "What it may reach" })
      yield* visit(page, `/connections/${id}`, label)
      yield* promise(async () => {
        await reach.getByText("Every site of the account").waitFor()
        await reach.getByText("old.fernhill.example").waitFor()
        await page.getByRole("button", { name: "Change what it may reach" }).click()
        await page.getByLabel("Only what I choose").check()
        await page.getByLabel("fernhill.example (domain)").check()
      })
      assert.deepStrictEqual(yield* violations(page), [])
      yield* promise(async () => {
        await page.getByRole("dialog").getByRole("button", { name: "Change what it may reach" }).click()
        await page.getByRole("dialog").waitFor({ state: "detached" })
        await reach.getByText("Only this.").waitFor()
        await reach.getByText("old.fernhill.example").waitFor({ state: "detached" })
      })
      const query = { client_id: client.id, provider: "gsc" }
      const { connections: [bound] } = yield* admin.managedConnections.list({ query })
      assert.deepStrictEqual(bound?.resources, ["gsc:sc-domain:fernhill.example"])
    }))

  it.effect("shares a connection with a client in two steps, and the client reaches what was ticked", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { id, label } = (yield* connectSandbox("Agency")).of("gsc")
      const client = yield* admin.clients.create({ payload: { name: "Customer" } })
      const { page } = yield* opened(`/connections/${id}`, label, { role: "admin" })
      yield* promise(async () => {
        await page.getByRole("button", { name: "Share with a client" }).click()
        await page.getByLabel("Client", { exact: true }).selectOption("Customer")
        await page.getByRole("button", { name: "Next" }).click()
        await page.getByLabel("blog.fernhill.example").check()
        await page.getByRole("button", { name: "Share it" }).click()
        await page.getByRole("heading", { name: "Customer: Google Search Console", level: 1 }).waitFor()
        await page.getByText("It uses the sign-in of").getByRole("link", { name: label }).waitFor()
        assert.strictEqual(await page.getByRole("link", { name: "Reconnect" }).count(), 0)
      })
      const { connections } = yield* admin.managedConnections.list({ query: { client_id: client.id } })
      assert.deepInclude(connections[0], { parent_id: id, resources: ["gsc:https://blog.fernhill.example/"] })
      yield* promise(async () => {
        await page.getByText("It uses the sign-in of").getByRole("link").click()
        await page.getByText("Shared with", { exact: true }).waitFor()
        await page.getByRole("link", { name: "Customer", exact: true }).waitFor()
      })
    }))

  it.effect("makes connect links, which open the customer's page, and ends them", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { client } = yield* connectSandbox("Linked")
      const { page } = yield* opened("/connections/connect", "Connect an account", { client_ids: [client.id] })
      yield* promise(async () => {
        await page.getByRole("radio", { name: /^Connect link/ }).check()
        await page.getByRole("button", { name: "Make a connect link" }).click()
        await page.getByRole("dialog", { name: "The connect link is ready" }).waitFor()
      })
      const { connect_links } = yield* admin.connectLinks.list({ query: {} })
      const made = connect_links.find(({ client_id }) => client_id === client.id)
      assert.deepInclude(made, { label: null, status: "open" })
      yield* admin.connectLinks.end({ params: { id: `${made?.id}` } })
      yield* visit(page, "/connections/links?make=link", "Connect links")
      yield* promise(async () => {
        await page.getByLabel("Client").selectOption("Linked")
        for (const provider of ["Google Analytics", "Bing Webmaster Tools", "Google Sheets", "Google Docs"]) {
          await page.getByRole("checkbox", { name: provider }).uncheck()
        }
        await page.getByRole("button", { name: "Make the link" }).click()
      })
      const url = yield* promise(() => page.getByRole("dialog").locator(".code code").innerText())
      const response = yield* promise(() => page.request.get(new URL(url).pathname))
      assert.strictEqual(response.status(), 200)
      assert.include(yield* promise(() => response.text()), "Linked")
      yield* promise(async () => {
        await page.getByRole("button", { name: "Done" }).click()
        await page.getByText("in 7 days").first().waitFor()
        await page.getByRole("button", { name: "End the link for Linked" }).click()
        await page.getByRole("button", { name: "End the link", exact: true }).click()
        await page.getByRole("button", { name: "End the link for Linked" }).waitFor({ state: "detached" })
      })
      assert.strictEqual(yield* promise(async () => (await page.request.get(new URL(url).pathname)).status()), 410)
    }))

  it.effect("revokes all connections of a client after its name was typed, and shows a line for each", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { client, connections } = yield* connectSandbox("Oak & Ash")
      const other = yield* connectSandbox("Beech")
      const action = `Revoke ${connections.length} connections`
      const { page } = yield* opened("/settings?tab=revoke", "Settings", { role: "admin" })
      yield* promise(async () => {
        const choice = page.getByLabel("Connections", { exact: true })
        await choice.locator(`option[value="client:${client.id}"]`).waitFor({ state: "attached" })
        assert.strictEqual(await page.locator("button.danger").count(), 0)
        await choice.selectOption(`client:${client.id}`)
        const named = page.getByRole("list", { name: "Connections that would be revoked" })
        await named.getByText(connections[0]?.label ?? "").waitFor()
        assert.strictEqual(await named.getByRole("listitem").count(), connections.length)
        await page.getByRole("button", { name: action }).click()
        const dialog = page.getByRole("dialog", { name: "Revoke these connections?" })
        const confirm = dialog.getByRole("button", { name: action })
        assert.isTrue(await confirm.isDisabled())
        await dialog.getByLabel("Type its name to confirm").fill("Oak & Ash")
        await confirm.click()
        await page.getByText("Done.").waitFor()
      })
      const shown = yield* promise(() => page.getByRole("table", { name: "Connections" }).locator("tbody tr").count())
      assert.strictEqual(shown, connections.length)
      const statusesOf = (client_id: string) =>
        Effect.map(
          admin.managedConnections.list({ query: { client_id } }),
          ({ connections }) => connections.map(({ status }) => status)
        )
      assert.deepStrictEqual(yield* statusesOf(client.id), connections.map(() => "revoked"))
      assert.deepStrictEqual(yield* statusesOf(other.client.id), connections.map(() => "active"))
    }))

  it.effect("opens the page of a missing connection's error after the sign-in, and connects the account", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const client = yield* server.admin.clients.create({ payload: { name: "Acme" } })
      const { member, password } = yield* withPassword("ivy@example.com", [client.id])
      const { key } = yield* server.admin.keys.create({ payload: { member_id: member.id, name: "Script" } })
      const list = { provider: "ga4", tool: "ga4_list_properties", input: {} }
      const { error } = JSON.parse((yield* server.call(key, list)).text)

      const page = yield* (yield* Browser).open(originOf(server))
      yield* promise(async () => {
        // The clock of this browser is an hour ahead.
        await page.clock.setFixedTime(Date.now() + 3_600_000)
        await page.goto(error.details.connect_url)
        await page.getByLabel("E-mail").fill(member.email)
        await page.getByLabel("Password").fill(password)
        await page.getByRole("button", { name: "Sign in", exact: true }).click()
        await page.getByLabel("Name").fill("Figures")
      })
      yield* allowInNewTab(page, "Sign in at the provider")
      const called = yield* server.call(key, list)
      assert.strictEqual(called.status, 200, called.text)
      yield* promise(async () => {
        await page.getByRole("button", { name: "Open the connection" }).click()
        await page.getByRole("heading", { name: "Figures" }).waitFor()
      })
    }))
})
