import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestServer } from "../support/TestServer.ts"
import { connectSandbox, DashboardTest, promise, signedIn, visit } from "./Fixture.ts"

layer(DashboardTest, { excludeTestServices: true, timeout: 60_000 })("The dashboard", (it) => {
  it.effect("leads an admin from a key to a call and its log entry", () =>
    Effect.gen(function*() {
      yield* connectSandbox("Fernhill")
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

      yield* visit(page, "/playground", "Playground")
      yield* promise(async () => {
        await page.getByRole("button", { name: /^gsc_top_queries/ }).click()
        await page.getByLabel("site", { exact: true }).fill("fernhill.example")
        await page.getByRole("button", { name: "Call", exact: true }).click()
        await page.getByText("from the provider").waitFor()
      })
      yield* visit(page, "/logs", "Logs")
      yield* promise(async () => {
        await page.getByRole("button", { name: /gsc_top_queries/ }).first().click()
        await page.getByRole("tab", { name: "Request" }).click()
        await page.getByText("fernhill.example").first().waitFor()
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
})
