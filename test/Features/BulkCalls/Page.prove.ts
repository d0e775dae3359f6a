import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import type * as playwright from "playwright-core"
import { connectSandbox, DashboardTest, promise, signedIn, visit } from "../../Dashboard/Fixture.ts"
import { violations } from "../../support/Axe.ts"
import { TestServer } from "../../support/TestServer.ts"

const traffic = "/playground?operation=sitesearch%20endpoint:GetRankAndTrafficStats"

const askAll = Effect.fnUntraced(function*(page: playwright.Page) {
  yield* visit(page, traffic, "Playground")
  yield* promise(async () => {
    await page.getByRole("button", { name: "Ask all clients" }).click()
    await page.getByText("One table from 3 active accounts of 3 clients.").waitFor()
    await page.getByRole("button", { name: "Ask 3 accounts" }).click()
    await page.getByText(/^23 of 23 asked, 3 failed/).waitFor()
  })
})

layer(DashboardTest, { excludeTestServices: true })("The playground", (it) => {
  it.effect("asks the accounts of all clients, says which fail, and makes a table, a chart and a CSV", () =>
    Effect.gen(function*() {
      const acorn = yield* connectSandbox("Acorn Foods")
      const birch = yield* connectSandbox("Birch & Sons")
      const { admin } = yield* TestServer
      const cedar = yield* admin.clients.create({ payload: { name: "Cedar Hotels" } })
      yield* admin.managedConnections.create({
        payload: {
          provider: "sitesearch",
          auth_type: "api_key",
          label: "Cedar's former key",
          client_id: cedar.id,
          credentials: { api_key: "0123456789abcdef0123456789abcdef" }
        }
      })
      const { page } = yield* signedIn({ client_ids: [acorn.client.id, birch.client.id, cedar.id] })
      yield* askAll(page)
      const rows = page.getByRole("region", { name: "Rows of all clients" })
      yield* promise(async () => {
        await page.getByText("1 failed:").click()
        await page.getByRole("link", { name: "Cedar's former key" }).first().waitFor()
        await rows.getByRole("cell", { name: "Acorn Foods" }).first().waitFor()
        await page.getByRole("meter", { name: "Clicks of Acorn Foods" }).waitFor()
      })
      assert.deepStrictEqual(yield* violations(page), [])
      const saved = yield* promise(async () => {
        const download = page.waitForEvent("download")
        await page.getByRole("button", { name: "Download CSV" }).click()
        return readFileSync(await (await download).path(), "utf8")
      })
      assert.match(saved, /^client,client_id,connection_id,account,resource,/)

      // The table of the second question is joined with that of the first.
      yield* askAll(page)
      const panel = page.getByRole("region", { name: "Ask with SQL" })
      const sql = page.getByLabel("SQL", { exact: true })
      yield* promise(async () => {
        await page.getByText(/^Ask these .* rows with SQL$/).click()
        await page.getByLabel("Join another kept table").selectOption({ index: 1 })
        await sql.fill("")
        await panel.getByRole("button", { name: "client", exact: true }).first().click()
      })
      assert.strictEqual(yield* promise(() => sql.inputValue()), "result.client")
      yield* promise(async () => {
        await sql.fill("SELECT count(*) AS both FROM result JOIN t2 USING (client, resource, Date)")
        await page.getByRole("button", { name: "Ask", exact: true }).click()
        await page.getByRole("region", { name: "Answer" }).getByRole("cell").waitFor()
      })
      assert.deepStrictEqual(yield* violations(page), [])
    }))
})
