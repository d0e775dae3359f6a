import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { ManagedConnection } from "../../src/Domain/Connection.ts"
import { violations } from "../support/Axe.ts"
import { TestServer } from "../support/TestServer.ts"
import { connectSandbox, DashboardTest, insertGrant, promise, signedIn, visit } from "./Fixture.ts"

const siteOf = (connections: ReadonlyArray<ManagedConnection>) => {
  const found = connections.find(({ provider }) => provider === "gsc")
  if (found === undefined) throw new Error("The sandbox has no connection of Search Console")
  return found
}

layer(DashboardTest, { excludeTestServices: true })("What something may reach", (it) => {
  it.effect("limits a connection to a site that its account has", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { id, label } = siteOf((yield* connectSandbox("Bounded")).connections)
      const page = yield* signedIn({ email: "bounding@example.com", role: "admin" })
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
        await reach.getByText("Only this.").waitFor()
        await reach.getByText("old.fernhill.example").waitFor({ state: "detached" })
      })
      const { connections } = yield* admin.managedConnections.list({ query: { limit: 200 } })
      assert.deepStrictEqual(
        connections.find((each) => each.id === id)?.resources,
        ["gsc:sc-domain:fernhill.example"]
      )
    }).pipe(Effect.scoped))

  it.effect("shares a connection with a client in two steps, and the client reaches what was ticked", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { id, label } = siteOf((yield* connectSandbox("Agency")).connections)
      const client = yield* admin.clients.create({ payload: { name: "Customer" } })
      const page = yield* signedIn({ email: "sharing@example.com", role: "admin" })
      yield* visit(page, `/connections/${id}`, label)
      yield* promise(async () => {
        await page.getByRole("button", { name: "Share with a client" }).click()
        await page.getByLabel("Client", { exact: true }).selectOption("Customer")
        await page.getByRole("button", { name: "Next" }).click()
        await page.getByLabel("blog.fernhill.example").check()
        await page.getByRole("button", { name: "Share it" }).click()
        await page.getByRole("heading", { name: "Customer: Search Console", level: 1 }).waitFor()
        await page.getByText("It uses the sign-in of").getByRole("link", { name: label }).waitFor()
      })
      assert.strictEqual(yield* promise(() => page.getByRole("link", { name: "Reconnect" }).count()), 0)
      const { connections } = yield* admin.managedConnections.list({ query: { client_id: client.id } })
      assert.deepInclude(connections[0], { parent_id: id, resources: ["gsc:https://blog.fernhill.example/"] })
      yield* promise(async () => {
        await page.getByText("It uses the sign-in of").getByRole("link").click()
        await page.getByText("Shared with", { exact: true }).waitFor()
        await page.getByRole("link", { name: "Customer", exact: true }).waitFor()
      })
    }).pipe(Effect.scoped))

  it.effect("makes a key that asks before it writes, reaches one site and has a budget, and changes it", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      yield* connectSandbox("Keys")
      const page = yield* signedIn({ email: "limiting@example.com", role: "admin" })
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
      const made = (yield* admin.keys.list({ query: {} })).keys.find(({ name }) => name === "Careful")
      assert.deepInclude(made, {
        writes: "ask",
        undo: true,
        resources: ["gsheets:sheet-of-a-customer"],
        budget: { calls_per_day: 500 }
      })
      yield* promise(async () => {
        await page.getByRole("button", { name: "Change Careful" }).click()
        await page.getByLabel("Let it change data by itself").check()
        await page.getByLabel("Everything").check()
        await page.getByLabel("Calls a day, at most").fill("")
        await page.getByRole("button", { name: "Change the key" }).click()
        await page.getByText("asks before each change").waitFor({ state: "detached" })
      })
      const changed = (yield* admin.keys.list({ query: {} })).keys.find(({ name }) => name === "Careful")
      assert.deepInclude(changed, { writes: "allow", undo: true, resources: null, budget: null })
    }).pipe(Effect.scoped))

  it.effect("says at its field what a bound cannot be", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const member = yield* admin.members.create({ payload: { email: "agents@example.com" } })
      yield* insertGrant(member.id, "Helper")
      const page = yield* signedIn({ email: "granting@example.com", role: "admin" })
      yield* visit(page, "/agents", "Agents")
      yield* promise(async () => {
        await page.getByRole("button", { name: "Change Helper" }).click()
        await page.getByLabel("Only what I choose").check()
        await page.getByLabel("Add another one").fill("ga4:nothing")
        await page.getByRole("button", { name: "Add", exact: true }).click()
        await page.getByRole("button", { name: "Change the agent" }).click()
        await page.getByRole("dialog").locator(".field-error").waitFor()
      })
    }).pipe(Effect.scoped))

  it.effect("shows in the logs what a call was about, and filters by it", () =>
    Effect.gen(function*() {
      const { id } = siteOf((yield* connectSandbox("Logged")).connections)
      const page = yield* signedIn({ email: "logs@example.com", role: "admin" })
      yield* visit(page, "/", "Overview")
      const request = (site: string) =>
        JSON.stringify({
          provider: "gsc",
          endpoint: "sites.get",
          input: { path: { siteUrl: site } },
          connection_id: id
        })
      for (const site of ["sc-domain:fernhill.example", "https://blog.fernhill.example/"]) {
        yield* promise(() =>
          page.evaluate(`fetch("/v1/call", { method: "POST", body: ${JSON.stringify(request(site))} })`)
        )
      }
      yield* visit(page, `/logs?connection=${id}`, "Logs")
      const about = page.getByRole("list", { name: "Calls" }).getByTitle("blog.fernhill.example")
      yield* promise(async () => {
        await about.waitFor()
        await page.getByLabel("Find an operation, a resource or an id").fill("gsc:sc-domain:fernhill.example")
        await page.keyboard.press("Enter")
        await page.getByRole("button", { name: "Stop filtering by gsc:sc-domain:fernhill.example" }).waitFor()
        await about.waitFor({ state: "detached" })
        await page.getByRole("list", { name: "Calls" }).getByTitle("fernhill.example (domain)").click()
        await page.getByRole("tab", { name: "About" }).click()
        await page.getByRole("link", { name: "fernhill.example (domain)" }).waitFor()
      })
    }).pipe(Effect.scoped))
})
