import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestServer } from "../support/TestServer.ts"
import { allowInNewTab, connectSandbox, DashboardTest, promise, signedIn, visit } from "./Fixture.ts"

layer(DashboardTest, { excludeTestServices: true, timeout: 60_000 })("The dashboard", (it) => {
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

      yield* promise(async () => {
        await page.getByRole("button", { name: "Revoke" }).click()
        await page.getByRole("heading", { name: "Revoke Larchwood?" }).waitFor()
        await page.getByText("Keys that used it").waitFor()
        await page.getByRole("button", { name: "Keep it" }).click()
      })
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
        await page.getByLabel("tab (optional)", { exact: true }).fill("Leads")
        await page.getByLabel("rows", { exact: true }).fill("[{\"Name\":\"Ada\"}]")
      })
      assert.isTrue(yield* promise(() => call.isDisabled()))
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
      assert.isFalse(yield* promise(() => allow.isChecked()))
      assert.isTrue(yield* promise(() => call.isDisabled()))
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
})
