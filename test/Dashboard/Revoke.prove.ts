import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestServer } from "../support/TestServer.ts"
import { connectSandbox, DashboardTest, promise, signedIn, visit } from "./Fixture.ts"

layer(DashboardTest, { excludeTestServices: true })("Revoking many connections in the dashboard", (it) => {
  it.effect("needs the name of what is revoked, and shows a line for each connection", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { client, connections } = yield* connectSandbox("Oak & Ivy")
      const other = yield* connectSandbox("Larchwood")
      const page = yield* signedIn({ email: "ivy@example.com", role: "admin" })
      yield* visit(page, "/settings?tab=revoke", "Settings")
      yield* promise(async () => {
        await page.getByLabel("Connections", { exact: true }).selectOption(`client:${client.id}`)
        await page.getByRole("button", { name: "Revoke them" }).click()
        const dialog = page.getByRole("dialog", { name: "Revoke these connections?" })
        const confirm = dialog.getByRole("button", { name: "Revoke them" })
        assert.isTrue(await confirm.isDisabled())
        await dialog.getByLabel("Type its name to confirm").fill("Oak & Ivy")
        await confirm.click()
        await page.getByText("Done.").waitFor()
      })
      const shown = yield* promise(() => page.getByRole("table", { name: "Connections" }).locator("tbody tr").count())
      assert.strictEqual(shown, connections.length)
      const statusesOf = (client_id: string) =>
        Effect.map(admin.managedConnections.list({ query: { client_id } }), ({ connections }) =>
          new Set(connections.map(({ status }) => status)))
      assert.deepStrictEqual(yield* statusesOf(client.id), new Set(["revoked"]))
      assert.deepStrictEqual(yield* statusesOf(other.client.id), new Set(["active"]))
    }).pipe(Effect.scoped))

  it.effect("is for admins", () =>
    Effect.gen(function*() {
      const page = yield* signedIn({ email: "member@example.com", client_ids: null })
      yield* visit(page, "/settings?tab=revoke", "Settings")
      assert.strictEqual(yield* promise(() => page.getByRole("button", { name: "Revoke them" }).count()), 0)
    }).pipe(Effect.scoped))
})
