import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { violations } from "../support/Axe.ts"
import { newGrant } from "../support/NewGrant.ts"
import { TestServer } from "../support/TestServer.ts"
import { connectSandbox, DashboardTest, hasFocus, promise, signedIn, visit } from "./Fixture.ts"

layer(DashboardTest, { excludeTestServices: true })("In the dashboard", (it) => {
  it.effect("a key for a client is made once, sees that client alone, and belongs to nobody among the members", () =>
    Effect.gen(function*() {
      const { admin, request } = yield* TestServer
      const { client, connections } = yield* connectSandbox("Key & Client")
      const { page } = yield* signedIn({ role: "admin" })
      yield* visit(page, "/keys?make=key", "API keys")
      const key = yield* promise(async () => {
        await page.getByLabel("Name").fill("Of the website")
        await page.getByLabel("For", { exact: true }).click()
        await page.getByRole("option", { name: "Client: Key & Client" }).click()
        const clicked = Promise.withResolvers<void>()
        await page.route("/admin/v1/keys", async (route) => {
          await clicked.promise
          await route.continue()
        })
        await page.getByRole("button", { name: "Make the key" }).dblclick()
        clicked.resolve()
        const secret = await page.locator(".secret code").innerText()
        await page.getByRole("button", { name: "Done" }).click()
        await page.getByRole("button", { name: "Done" }).click()
        await page.getByRole("row", { name: /Of the website.*for Key & Client/ }).waitFor()
        return secret
      })
      const [connection] = connections
      yield* visit(page, `/connections/${connection?.id}`, connection?.label ?? "")
      yield* promise(() => page.getByRole("listitem").filter({ hasText: "API keys: Of the website" }).waitFor())
      yield* promise(() => page.route(/\/admin\/v1\/(clients|stats)/, () => {}))
      yield* visit(page, "/keys", "API keys")
      yield* promise(() => page.getByRole("row", { name: "Of the website" }).getByText("for …").waitFor())
      yield* promise(() => page.getByRole("link", { name: "Calls of Of the website: …" }).waitFor())
      const { json } = yield* request("GET", "/v1/connections", { key })
      const seen: ReadonlyArray<{ readonly id: string }> = Object(json).connections
      assert.sameMembers(seen.map(({ id }) => id), connections.map(({ id }) => id))
      const { keys } = yield* admin.keys.list({ query: { limit: 200 } })
      const [made, ...more] = keys.filter(({ name }) => name === "Of the website")
      assert.deepStrictEqual([made?.client_id, more], [client.id, []])
      const { members } = yield* admin.members.list({ query: { limit: 200 } })
      assert.notInclude(members.map(({ id }) => id), made?.member_id)
    }))

  it.effect("a key asks before it writes, reaches one site and has a budget, until it is changed", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { member, page } = yield* signedIn({ role: "admin" })
      const key = Effect.map(
        admin.keys.list({ query: { limit: 200 } }),
        ({ keys }) => keys.find(({ member_id }) => member_id === member.id)
      )
      yield* visit(page, "/keys?make=key", "API keys")
      yield* promise(async () => {
        await page.getByLabel("Name").fill("Careful")
        await page.getByLabel("Read and write").check()
        await page.getByLabel("Ask me before each change").check()
        await page.getByLabel("Keep what it changes for 72 hours").check()
        await page.getByText("More options").click()
        await page.getByLabel("Only what I choose").check()
        await page.getByLabel("Add another one").fill("https://docs.google.com/spreadsheets/d/sheet-of-a-customer/edit")
        await page.getByLabel("Add another one").press("Enter")
        await page.getByLabel("Calls a day, at most").fill("500")
        await page.getByRole("button", { name: "Make the key" }).click()
        await page.getByText("This is the only time it is shown.").waitFor()
        await page.getByRole("button", { name: "Done" }).click()
        await page.getByRole("button", { name: "Done" }).click()
        await page.getByText("asks before each change · 1 chosen · 500 calls a day").waitFor()
      })
      const resources = ["gsheets:sheet-of-a-customer"]
      assert.deepInclude(yield* key, { writes: "ask", undo: true, resources, budget: { calls_per_day: 500 } })
      yield* promise(async () => {
        await page.getByRole("button", { name: "Change Careful" }).click()
        await page.getByLabel("Let it change data by itself").check()
        await page.getByLabel("Everything").check()
        await page.getByLabel("Calls a day, at most").fill("")
        await page.getByRole("button", { name: "Change the key" }).click()
        await page.getByText("asks before each change · 1 chosen").waitFor({ state: "detached" })
      })
      assert.deepInclude(yield* key, { writes: "allow", undo: true, resources: null, budget: null })
    }))

  it.effect("the actions of a row are a menu on a phone, which works by keyboard and gives the focus back", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { member, page } = yield* signedIn({}, { width: 360 })
      yield* admin.keys.create({ payload: { member_id: member.id, name: "Phone" } })
      yield* visit(page, "/keys", "API keys")
      const { keyboard } = page
      const menu = page.getByRole("menu", { name: "Actions of Phone" })
      const opener = page.getByRole("button", { name: "Actions of Phone" })
      const focusIsOn = (name: string) => hasFocus(page, menu.getByRole("menuitem", { name }))
      yield* promise(async () => {
        await opener.focus()
        await keyboard.press("Enter")
        await menu.waitFor()
      })
      yield* focusIsOn("Change Phone")
      assert.deepStrictEqual(yield* violations(page), [])
      yield* promise(() => keyboard.press("ArrowDown"))
      yield* focusIsOn("Revoke Phone")
      yield* promise(() => keyboard.press("End"))
      yield* promise(() => keyboard.press("ArrowDown"))
      yield* focusIsOn("Change Phone")
      yield* promise(async () => {
        await keyboard.press("Escape")
        await menu.waitFor({ state: "hidden" })
      })
      yield* hasFocus(page, opener)
      yield* promise(async () => {
        await keyboard.press("Enter")
        await menu.getByRole("menuitem", { name: "Revoke Phone" }).click()
        await page.getByRole("dialog", { name: "Revoke Phone?" }).waitFor()
        await keyboard.press("Escape")
        await page.getByRole("dialog").waitFor({ state: "detached" })
      })
      yield* hasFocus(page, opener)
    }))

  it.effect("an agent is bound to what exists, narrowed to one connection, and revoked", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { client, connections: [connection] } = yield* connectSandbox("Agents")
      const { member, page } = yield* signedIn({ client_ids: [client.id] })
      const { grant: { id } } = yield* newGrant({ memberId: member.id, access: "read_write" })
      yield* visit(page, "/agents", "Agents")
      yield* promise(async () => {
        await page.getByRole("button", { name: "Change Reporter" }).click()
        await page.getByLabel("Only what I choose").check()
        await page.getByLabel("Add another one").fill("ga4:nothing")
        await page.getByRole("button", { name: "Add", exact: true }).click()
        await page.getByRole("button", { name: "Change the agent" }).click()
        await page.getByRole("dialog").locator(".field-error").waitFor()
        await page.getByLabel("Everything").check()
        await page.getByRole("radio", { name: /^Read-only/ }).check()
        await page.getByRole("radio", { name: /^Chosen connections/ }).check()
        await page.getByRole("checkbox", { name: connection?.label ?? "" }).check()
        await page.getByRole("button", { name: "Change the agent" }).click()
        await page.getByRole("row", { name: /Reporter.*Read-only/ }).getByText(connection?.label ?? "").waitFor()
      })
      const narrowed = yield* admin.grants.get({ params: { id } })
      assert.deepInclude(narrowed, { access: "read_only", connection_ids: connection ? [connection.id] : [] })
      yield* promise(async () => {
        await page.getByRole("button", { name: "Revoke Reporter" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Revoke Reporter" }).click()
        await page.getByText("No agent matches these filters.").waitFor()
        await page.getByRole("link", { name: "Add an agent" }).click()
        await page.getByLabel("Agent", { exact: true }).selectOption("Codex")
        await page.getByText("codex mcp login").waitFor()
      })
      assert.isNotNull((yield* admin.grants.get({ params: { id } })).revoked_at)
    }))

  it.effect("a member sees its own clients, and neither members nor what admins do", () =>
    Effect.gen(function*() {
      const { client } = yield* connectSandbox("Seen")
      yield* connectSandbox("Hidden")
      const { page } = yield* signedIn({ client_ids: [client.id] })
      const counts = (...roles: ReadonlyArray<readonly ["link" | "button" | "option", string]>) =>
        promise(() => Promise.all(roles.map(([role, name]) => page.getByRole(role, { name }).count())))
      yield* visit(page, "/clients", "Clients")
      yield* promise(() => page.getByRole("link", { name: "Seen" }).waitFor())
      const shown = yield* counts(["link", "Hidden"], ["link", "Members"], ["button", "Add a client"])
      assert.deepStrictEqual(shown, [0, 0, 0])
      yield* visit(page, "/connections/connect", "Connect an account")
      yield* promise(() => page.getByRole("option", { name: "Seen" }).waitFor({ state: "attached" }))
      assert.deepStrictEqual(yield* counts(["option", "Seen"], ["option", "No client"]), [1, 0])
      yield* visit(page, "/settings?tab=revoke", "Settings")
      assert.deepStrictEqual(yield* counts(["link", "Revoke"], ["button", "Revoke"]), [0, 0])
      const { page: without } = yield* signedIn({ client_ids: [] })
      yield* visit(without, "/connections", "Connections")
      yield* promise(() => without.getByText("You have no client yet").waitFor())
    }))

  it.effect("an admin invites a member, who sees no client until one is chosen, and gets the focus back", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { page } = yield* signedIn({ role: "admin" })
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
    }))

  it.effect("a passkey is added, signs its member in without a password, and is removed", () =>
    Effect.gen(function*() {
      const { page } = yield* signedIn()
      yield* visit(page, "/settings", "Settings")
      const devTools = yield* promise(() => page.context().newCDPSession(page))
      yield* promise(async () => {
        await devTools.send("WebAuthn.enable")
        await devTools.send("WebAuthn.addVirtualAuthenticator", {
          options: {
            protocol: "ctap2",
            transport: "internal",
            hasResidentKey: true,
            hasUserVerification: true,
            isUserVerified: true,
            automaticPresenceSimulation: true
          }
        })
        await page.getByLabel("Name of the passkey").fill("Grace's laptop")
        await page.getByRole("button", { name: "Add a passkey" }).click()
        await page.getByRole("cell", { name: "Grace's laptop", exact: true }).waitFor()
        await page.getByRole("button", { name: "Sign out" }).click()
        await page.getByRole("button", { name: "Sign in with a passkey" }).click()
        await page.getByRole("heading", { name: "Settings" }).waitFor()
      })
      const session = yield* promise(() => page.evaluate<string>("fetch('/auth/session').then((each) => each.text())"))
      assert.include(session, "\"methods\":[\"passkey\"]")
      yield* promise(async () => {
        await page.getByRole("button", { name: "Remove Grace's laptop" }).click()
        await page.getByRole("button", { name: "Remove it" }).click()
        await page.getByText("You have no passkey").waitFor()
        await page.getByRole("button", { name: "Sign out" }).click()
        await page.getByRole("button", { name: "Sign in with a passkey" }).click()
        await page.getByRole("alert").waitFor()
      })
    }))
})
