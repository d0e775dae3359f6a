import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { seed, TestServer } from "../support/TestServer.ts"
import { connectSandbox, DashboardTest, promise, signedIn, visit } from "./Fixture.ts"

layer(DashboardTest, { excludeTestServices: true })("The dashboard", (it) => {
  it.effect("says when a new link ends, and gives a deleted client a name", () =>
    Effect.gen(function*() {
      const { admin, call } = yield* TestServer
      const page = yield* signedIn({ email: "names@example.com", role: "admin" })
      const { client, readOnly } = yield* seed({ provider: "gsc" })
      assert.strictEqual((yield* call(readOnly, { provider: "gsc", tool: "gsc_list_sites" })).status, 404)
      yield* admin.connectLinks.create({ payload: { client_id: client.id, providers: ["gsc"] } })
      yield* visit(page, "/connections/links", "Connect links")
      yield* promise(() => page.getByText("in 7 days").first().waitFor())
      yield* call(readOnly, { provider: "gsc", endpoint: "sites.list" })
      yield* admin.clients.delete({ params: { id: client.id }, query: { revoke: "true" } })
      yield* visit(page, "/?by=client&period=day", "Overview")
      yield* promise(() => page.getByRole("link", { name: "deleted client" }).first().waitFor())
    }).pipe(Effect.scoped))

  it.effect("names the account of each connection in the filter of the log", () =>
    Effect.gen(function*() {
      yield* connectSandbox("Filtered")
      const page = yield* signedIn({ email: "filters@example.com", role: "admin" })
      yield* visit(page, "/logs", "Logs")
      yield* promise(async () => {
        await page.getByRole("button", { name: "More filters" }).click()
        await page.getByLabel("Connection", { exact: true }).click()
        await page.getByRole("option", { name: "· Search Console ·" }).first().waitFor()
      })
    }).pipe(Effect.scoped))

  it.effect("lists the connections that need a person first", () =>
    Effect.gen(function*() {
      const { client, connections } = yield* connectSandbox("Urgent")
      const sql = yield* SqlClient.SqlClient
      const label = connections[2]?.label ?? ""
      yield* sql`UPDATE connections SET status = 'expired' WHERE id = ${`${connections[2]?.id}`}`
      const page = yield* signedIn({ email: "urgent@example.com", client_ids: [client.id] })
      yield* visit(page, "/connections", "Connections")
      yield* promise(() => page.getByRole("row").nth(1).filter({ hasText: "Token expired" }).waitFor())
      yield* promise(() => page.getByRole("row").nth(1).getByRole("link", { name: label, exact: true }).waitFor())
    }).pipe(Effect.scoped))

  it.effect("opens a client as soon as it is added", () =>
    Effect.gen(function*() {
      const page = yield* signedIn({ email: "adds@example.com", role: "admin" })
      yield* visit(page, "/clients?make=client", "Clients")
      yield* promise(async () => {
        await page.getByRole("dialog").getByLabel("Name").fill("Just added")
        await page.getByRole("button", { name: "Add the client" }).click()
        await page.getByRole("heading", { name: "Just added", level: 1 }).waitFor()
        await page.getByRole("link", { name: "Make a connect link" }).waitFor()
      })
    }).pipe(Effect.scoped))

  it.effect("tells a member without a client why it sees no connection", () =>
    Effect.gen(function*() {
      const page = yield* signedIn({ email: "clientless@example.com", client_ids: [] })
      yield* visit(page, "/connections", "Connections")
      yield* promise(() => page.getByText("You have no client yet").waitFor())
    }).pipe(Effect.scoped))
})
