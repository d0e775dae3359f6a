import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { violations } from "../support/Axe.ts"
import { connectSandbox, DashboardTest, promise, signedIn, visit } from "./Fixture.ts"

layer(DashboardTest, { excludeTestServices: true })("A response", (it) => {
  it.effect("is a table that sorts, narrows to a part and is saved as CSV, and answers SQL", () =>
    Effect.gen(function*() {
      const { client } = yield* connectSandbox("Tables")
      const page = yield* signedIn({ email: "tables@example.com", client_ids: [client.id] })
      yield* visit(page, "/playground?operation=gsc%20tool:gsc_top_queries", "Playground")
      const rows = page.getByRole("region", { name: "Rows" })
      const firstOf = (name: string) =>
        promise(async () => {
          const heads = await rows.getByRole("columnheader").allInnerTexts()
          const column = heads.findIndex((head) => head.startsWith(name))
          return Number((await rows.locator("tbody tr").first().locator("td").nth(column).innerText()).replace(",", ""))
        })
      yield* promise(async () => {
        await page.getByLabel("site", { exact: true }).fill("fernhill.example")
        await page.getByRole("button", { name: "Call", exact: true }).click()
        await rows.waitFor()
      })
      const most = yield* firstOf("clicks")
      yield* promise(() => rows.getByRole("button", { name: "clicks" }).click())
      assert.strictEqual(yield* firstOf("clicks"), most)
      yield* promise(() => rows.getByRole("button", { name: "clicks" }).click())
      assert.isBelow(yield* firstOf("clicks"), most)
      assert.deepStrictEqual(yield* violations(page), [])

      const select = page.getByLabel("Select a part (JMESPath)")
      yield* promise(async () => {
        await select.fill("rows[0:2].{word: query, clicks: clicks}")
        await page.getByText("2 rows", { exact: true }).waitFor()
        await rows.getByRole("button", { name: "word" }).waitFor()
      })
      const saved = yield* promise(async () => {
        const download = page.waitForEvent("download")
        await page.getByRole("button", { name: "Download CSV" }).click()
        return readFileSync(await (await download).path(), "utf8")
      })
      assert.match(saved, /^word,clicks\r\n[^\r]+,\d+\r\n[^\r]+,\d+\r\n$/)
      yield* promise(async () => {
        await select.fill("rows[")
        await page.getByRole("region", { name: "Response" }).locator(".field-error").waitFor()
        await select.fill("")
      })

      yield* promise(async () => {
        await page.getByRole("button", { name: "Ask with SQL" }).click()
        await page.getByLabel("SQL", { exact: true }).fill("SELECT max(clicks) AS best FROM result")
        await page.getByLabel("SQL", { exact: true }).press("Control+Enter")
        await page.getByRole("region", { name: "Answer" }).getByRole("cell", { name: most.toLocaleString("en") })
          .waitFor()
      })
      assert.deepStrictEqual(yield* violations(page), [])
      yield* promise(async () => {
        await page.getByLabel("SQL", { exact: true }).fill("DELETE FROM result")
        await page.getByRole("button", { name: "Ask", exact: true }).click()
        await page.getByRole("region", { name: "Ask with SQL" }).locator(".field-error").waitFor()
      })
    }).pipe(Effect.scoped))

  it.effect("of a raw report is a table with the names of its dimensions, in the logs too", () =>
    Effect.gen(function*() {
      const { client, connections } = yield* connectSandbox("Reports")
      const page = yield* signedIn({ email: "reports@example.com", client_ids: [client.id] })
      yield* visit(page, "/", "Overview")
      const request = {
        provider: "gsc",
        endpoint: "searchanalytics.query",
        input: {
          path: { siteUrl: "sc-domain:fernhill.example" },
          body: { startDate: "2026-01-01", endDate: "2026-01-31", dimensions: ["query"], rowLimit: 5 }
        },
        connection_id: connections.find(({ provider }) => provider === "gsc")?.id
      }
      const id = yield* promise(() =>
        page.evaluate<string>(
          `fetch("/v1/call", { method: "POST", body: ${JSON.stringify(JSON.stringify(request))} })
            .then((response) => response.json()).then(({ call_id }) => call_id)`
        )
      )
      yield* visit(page, `/logs?call=${id}`, "Logs")
      yield* promise(async () => {
        const rows = page.getByRole("region", { name: "Rows" })
        await rows.getByRole("columnheader", { name: "query" }).waitFor()
        await rows.getByRole("columnheader", { name: "impressions" }).waitFor()
        await page.getByRole("tab", { name: "JSON" }).click()
        await page.getByText("\"latency_ms\"").waitFor()
      })
      assert.deepStrictEqual(yield* violations(page), [])
    }).pipe(Effect.scoped))
})
