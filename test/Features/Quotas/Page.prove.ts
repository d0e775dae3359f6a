import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connectSandbox, ownDashboard, promise, signedIn, visit } from "../../Dashboard/Fixture.ts"
import { violations } from "../../support/Axe.ts"
import { TestServer } from "../../support/TestServer.ts"

layer(ownDashboard({ QUOTAS: "{\"gsheets.read.account\":4}" }), { excludeTestServices: true })("Quotas", (it) => {
  it.effect("are shown with what is left, who uses them and when they are full again", () =>
    Effect.gen(function*() {
      const { admin, request } = yield* TestServer
      const { id: connection_id, label } = (yield* connectSandbox("Quotas")).of("gsheets")
      const member = yield* admin.members.create({ payload: { email: "calls@example.com", client_ids: null } })
      const { key } = yield* admin.keys.create({ payload: { member_id: member.id, name: "Busy import" } })
      const { page } = yield* signedIn({ role: "admin" })
      const read = (range: string) =>
        request("POST", "/v1/call", {
          key,
          headers: { prefer: "wait=0" },
          body: {
            provider: "gsheets",
            endpoint: "values.get",
            input: { path: { spreadsheetId: "sandbox-leads", range } },
            connection_id
          }
        })
      for (const range of ["A1", "A2", "A3", "A4"]) assert.strictEqual((yield* read(range)).status, 200)
      const refused = yield* read("A5")
      assert.strictEqual(refused.status, 429)

      yield* visit(page, `/connections/${connection_id}`, label)
      const panel = page.getByRole("region", { name: "Quotas of the provider" })
      yield* promise(async () => {
        await panel.getByText("Reads of spreadsheets a minute").first().waitFor()
        await panel.getByText("0 of 4 left").waitFor()
        await panel.getByText("full again").first().waitFor()
        // Not the call that was refused.
        await panel.getByText("4 calls in the last minute, by Busy import (4).").waitFor()
        await panel.getByRole("link", { name: "Busy import" }).waitFor()
      })
      assert.deepStrictEqual(yield* violations(page), [])
      // The log always has a further page.
      yield* promise(() =>
        page.route("**/admin/v1/logs?*", async (route) => {
          const url = new URL(route.request().url())
          url.searchParams.delete("cursor")
          const response = await route.fetch({ url: url.href })
          await route.fulfill({ response, json: { ...await response.json(), cursor: refused.callId } })
        })
      )
      yield* visit(page, `/connections/${connection_id}`, label)
      yield* promise(() => panel.getByText("More than 20 calls in the last minute, by Busy import (20).").waitFor())
      yield* promise(() => page.unrouteAll({ behavior: "wait" }))
      yield* visit(page, "/", "Overview")
      const scarce = page.getByRole("region", { name: "Scarce quotas" })
      yield* promise(() => scarce.getByText("0 of 4 left").waitFor())
      assert.deepStrictEqual(yield* violations(page), [])
      yield* visit(page, `/logs?call=${Object(refused.json).call_id}`, "Logs")
      yield* promise(async () => {
        await page.getByText("The provider's quota was used up, so nothing was sent.").waitFor()
        await page.getByText("gsheets.read.account, at most 4").waitFor()
      })
    }))

  it.effect("have budgets beside them, which an admin gives a member", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const member = yield* admin.members.create({ payload: { email: "spends@example.com" } })
      const { page } = yield* signedIn({ role: "admin" })
      yield* visit(page, "/members", "Members")
      yield* promise(async () => {
        await page.getByRole("button", { name: "Change spends@example.com" }).click()
        await page.getByText("More options").click()
        await page.getByLabel("Writes a day, at most").fill("20")
        await page.getByRole("button", { name: "Change the member" }).click()
        await page.getByText("20 writes a day").waitFor()
      })
      const { members } = yield* admin.members.list({ query: { limit: 200 } })
      assert.deepStrictEqual(members.find(({ id }) => id === member.id)?.budget, { writes_per_day: 20 })
    }))
})
