import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { day, startOfDay } from "../../src/Calls/Log/Storage/LogDay.ts"
import { violations } from "../support/Axe.ts"
import { TestServer } from "../support/TestServer.ts"
import {
  callFrom,
  connectSandbox,
  DashboardTest,
  endedConnection,
  opened,
  promise,
  signedIn,
  visit
} from "./Fixture.ts"

/** The playground of a member of a new client, with the operation chosen. */
const playgroundOf = Effect.fnUntraced(function*(clientName: string, operation: string) {
  const { client } = yield* connectSandbox(clientName)
  const path = `/playground?${new URLSearchParams({ operation })}`
  return (yield* opened(path, "Playground", { client_ids: [client.id] })).page
})

layer(DashboardTest, { excludeTestServices: true })("The playground", (it) => {
  it.effect("shows a response as a table that sorts, narrows to a part and is saved as CSV, and answers SQL", () =>
    Effect.gen(function*() {
      const page = yield* playgroundOf("Tables", "gsc tool:gsc_top_queries")
      const rows = page.getByRole("region", { name: "Rows" })
      const firstOf = async (name: string) => {
        const heads = await rows.getByRole("columnheader").allInnerTexts()
        const column = heads.findIndex((head) => head.startsWith(name))
        return Number((await rows.locator("tbody tr").first().locator("td").nth(column).innerText()).replace(",", ""))
      }
      const most = yield* promise(async () => {
        await page.getByLabel("site", { exact: true }).fill("fernhill.example")
        await page.getByRole("button", { name: "Call", exact: true }).click()
        await rows.waitFor()
        await page.getByText("These rows are a part of what there is").waitFor()
        const most = await firstOf("clicks")
        await rows.getByRole("button", { name: "clicks" }).click()
        assert.strictEqual(await firstOf("clicks"), most)
        await rows.getByRole("button", { name: "clicks" }).click()
        assert.isBelow(await firstOf("clicks"), most)
        return most
      })
      assert.deepStrictEqual(yield* violations(page), [])

      const select = page.getByLabel("Select a part (JMESPath)")
      const saved = yield* promise(async () => {
        await select.fill("rows[0:1].{word: query, clicks: clicks}")
        await page.getByText("1 row", { exact: true }).waitFor()
        await rows.getByRole("button", { name: "word" }).waitFor()
        const download = page.waitForEvent("download")
        await page.getByRole("button", { name: "Download CSV" }).click()
        return readFileSync(await (await download).path(), "utf8")
      })
      assert.match(saved, /^word,clicks\r\n[^\r]+,\d+\r\n$/)
      const sql = page.getByLabel("SQL", { exact: true })
      yield* promise(async () => {
        await select.fill("rows[")
        await page.getByRole("region", { name: "Response" }).locator(".field-error").waitFor()
        await select.fill("")
        await page.getByRole("button", { name: "Ask with SQL" }).click()
        await sql.fill("SELECT max(clicks) AS best FROM result")
        await sql.press("Control+Enter")
        await page.getByRole("region", { name: "Answer" }).getByRole("cell", { name: most.toLocaleString("en") })
          .waitFor()
      })
      assert.deepStrictEqual(yield* violations(page), [])
      yield* promise(async () => {
        await sql.fill("DELETE FROM result")
        await page.getByRole("button", { name: "Ask", exact: true }).click()
        await page.getByRole("region", { name: "Ask with SQL" }).locator(".field-error").waitFor()
      })
    }))

  it.effect("completes the input of a raw endpoint, and shows what the service refuses in it", () =>
    Effect.gen(function*() {
      const page = yield* playgroundOf("Raw", "gsc endpoint:searchanalytics.query")
      const { keyboard } = page
      yield* promise(async () => {
        await page.getByRole("textbox", { name: "Input" }).click()
        await keyboard.press("Control+a")
        await keyboard.insertText("{ \"body\": { \"endDate\": 5, \"dataState\": ")
        await keyboard.press("Control+Space")
        await page.getByRole("option", { name: "\"all\"", exact: true }).click()
        // The editor checks the text some time after a change.
        const unfinished = page.locator(".cm-lintPoint-error")
        await unfinished.waitFor({ state: "attached" })
        await keyboard.insertText("}}")
        await unfinished.waitFor({ state: "detached" })
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
        await page.getByRole("button", { name: "Copy as curl" }).click()
        await page.getByRole("button", { name: "Copied" }).waitFor()
        assert.include(await page.evaluate<string>("navigator.clipboard.readText()"), "\"endDate\":5")
        await page.getByRole("button", { name: "Call", exact: true }).click()
        await page.getByLabel("Input", { exact: true }).getByText("body.endDate").waitFor()
        await page.locator(".cm-lintRange-error", { hasText: "5" }).waitFor()
        await page.getByRole("textbox", { name: "Input" }).click()
        await keyboard.press("Control+a")
        await keyboard.press("Delete")
        await keyboard.type("5")
        await page.getByRole("button", { name: "Call", exact: true }).click()
        await page.getByText("The input is an object").waitFor()
      })
    }))

  it.effect("drops a connection of a link that the member does not have", () =>
    Effect.gen(function*() {
      const { client } = yield* connectSandbox("Crafted")
      const { page } = yield* signedIn({ client_ids: [client.id] })
      const crafted = encodeURIComponent("con_1;touch$IFS/tmp/pwned")
      yield* visit(page, `/playground?operation=gsc%20endpoint:sites.list&connection=${crafted}`, "Playground")
      yield* promise(async () => {
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
        await page.getByText("The only connection of Google Search Console").waitFor({ state: "attached" })
        for (const copy of ["curl", "TypeScript", "oa"]) {
          await page.getByRole("button", { name: `Copy as ${copy}` }).click()
          const copied = await page.evaluate<string>("navigator.clipboard.readText()")
          assert.include(copied, copy === "TypeScript" ? "oa.gsc.sites.list()" : "sites.list")
          assert.notInclude(copied, "con_1")
        }
        await page.getByRole("button", { name: "Call", exact: true }).click()
        await page.getByText("from the provider").waitFor()
      })
    }))

  it.effect("sends no write until it is allowed, for one call", () =>
    Effect.gen(function*() {
      const page = yield* playgroundOf("Writes", "gsheets tool:sheets_append_rows")
      const input = { spreadsheet: "sandbox-leads", tab: "Leads", rows: [{ Name: "Ada" }] }
      yield* promise(async () => {
        await page.getByLabel("spreadsheet", { exact: true }).fill(input.spreadsheet)
        await page.getByText("More options").click()
        await page.getByLabel("tab", { exact: true }).fill(input.tab)
        await page.getByLabel("rows", { exact: true }).fill(JSON.stringify(input.rows))
        await page.getByRole("button", { name: "Call", exact: true, disabled: true }).waitFor()
        await page.getByLabel("Let this one call write").check()
        await page.getByRole("button", { name: "Call", exact: true }).click()
        await page.getByText("from the provider").waitFor()
        await page.getByRole("checkbox", { name: "Let this one call write", checked: false }).waitFor()
        await page.getByRole("button", { name: "Call", exact: true, disabled: true }).waitFor()
      })
    }))
})

layer(DashboardTest, { excludeTestServices: true })("The logs", (it) => {
  it.effect("find a failed call by keyboard, and say what to do", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const client = yield* admin.clients.create({ payload: { name: "Failing" } })
      const { id } = yield* endedConnection({ label: "Failing account", client_id: client.id })
      const { page } = yield* opened("/", "Overview", { client_ids: [client.id] })
      yield* callFrom(page, { provider: "gsc", endpoint: "sites.list" })
      yield* visit(page, `/logs?connection=${id}&outcome=error`, "Logs")
      const { keyboard } = page
      yield* promise(async () => {
        await page.getByRole("button", { name: /credentials_expired/ }).waitFor()
        await keyboard.press("j")
        await page.getByRole("strong").getByText("ended this access").waitFor()
        await page.getByRole("link", { name: "Reconnect" }).waitFor()
        await page.getByRole("heading", { name: "You asked to list the sites" }).waitFor()
        await page.getByRole("tab", { name: "Response" }).click()
        await keyboard.press("/")
        await keyboard.type("code")
        await page.getByRole("region", { name: "Matches" }).getByText("error.code:").waitFor()
        await page.getByRole("tab", { name: "About" }).click()
        await page.getByRole("link", { name: "Failing account" }).waitFor()
        assert.include(page.url(), "tab=about")
        await keyboard.press("Escape")
        await page.getByRole("tab", { name: "About" }).waitFor({ state: "detached" })
        const chart = page.getByRole("slider", { name: /^Calls over time/ })
        await page.locator(".histogram[aria-busy=false] .histogram-error:visible").waitFor()
        await chart.focus()
        const value = () => chart.getAttribute("aria-valuetext")
        await keyboard.press("End")
        // The call may be of yesterday.
        if ((await value())?.includes(", 0 calls, ")) await keyboard.press("ArrowDown")
        assert.match(await value() ?? "", /, 1 call, 1 failed or refused$/)
        await keyboard.press("Enter")
        await page.waitForURL(/since=.*until=/)
        await page.getByText("Calls an hour, UTC").waitFor()
        await page.getByRole("button", { name: /credentials_expired/ }).waitFor()
        await keyboard.press("/")
        await keyboard.type("call_unknown")
        await keyboard.press("Enter")
        await page.getByText("call_not_found").waitFor()
      })
    }))

  it.effect("show what a call was about, filter by it and by accounts, and have a table for a raw report", () =>
    Effect.gen(function*() {
      const { client, of } = yield* connectSandbox("Logged")
      const connection_id = of("gsc").id
      const { page } = yield* opened("/", "Overview", { client_ids: [client.id] })
      for (const siteUrl of ["sc-domain:fernhill.example", "https://blog.fernhill.example/"]) {
        yield* callFrom(page, { provider: "gsc", endpoint: "sites.get", input: { path: { siteUrl } }, connection_id })
      }
      yield* visit(page, "/logs", "Logs")
      const list = page.getByRole("list", { name: "Calls" })
      yield* promise(async () => {
        await page.getByRole("button", { name: "More filters" }).click()
        await page.getByLabel("Connection", { exact: true }).click()
        await page.getByRole("option", { name: "· Google Search Console ·" }).first().waitFor()
        await page.keyboard.press("Escape")
        await list.getByTitle("blog.fernhill.example").waitFor()
        await page.getByLabel("Find an operation, a resource or an id").fill("gsc:sc-domain:fernhill.example")
        await page.keyboard.press("Enter")
        await page.getByRole("button", { name: "Stop filtering by gsc:sc-domain:fernhill.example" }).waitFor()
        await list.getByTitle("blog.fernhill.example").waitFor({ state: "detached" })
        await list.getByTitle("fernhill.example (domain)").click()
        await page.getByRole("tab", { name: "About" }).click()
        await page.getByRole("link", { name: "fernhill.example (domain)" }).waitFor()
      })
      const body = { startDate: "2026-01-01", endDate: "2026-01-31", dimensions: ["query"], rowLimit: 5 }
      const input = { path: { siteUrl: "sc-domain:fernhill.example" }, body }
      const id = yield* callFrom(page, { provider: "gsc", endpoint: "searchanalytics.query", input, connection_id })
      yield* visit(page, `/logs?call=${id}`, "Logs")
      yield* promise(async () => {
        const rows = page.getByRole("region", { name: "Rows" })
        await rows.getByRole("columnheader", { name: "query" }).waitFor()
        await rows.getByRole("columnheader", { name: "impressions" }).waitFor()
        await page.getByRole("tab", { name: "JSON" }).click()
        await page.getByText("\"latency_ms\"").waitFor()
      })
      assert.deepStrictEqual(yield* violations(page), [])
    }))
})

layer(DashboardTest, { excludeTestServices: true })("The page of a dataset", (it) => {
  it.effect("shows the rows of the day that is chosen, and saves them as CSV", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { client, of } = yield* connectSandbox("Kept")
      const { page } = yield* signedIn({ client_ids: [client.id] })
      const since = new Date(startOfDay(Date.now()) - 6 * day).toISOString().slice(0, 10)
      const { id } = yield* admin.datasets.create({
        payload: {
          connection_id: of("gsc").id,
          report: "gsc.searchanalytics",
          resource: "sc-domain:fernhill.example",
          since,
          schedule: null
        }
      })
      yield* visit(page, `/datasets/${id}`, "Searches of fernhill.example (domain)")
      const saved = yield* promise(async () => {
        await page.locator(`[data-day="${since}"].done`).click()
        await page.getByRole("region", { name: /^Rows of/ }).getByRole("columnheader", { name: "clicks" }).waitFor()
        await page.getByText("The first 100 of").waitFor()
        const download = page.waitForEvent("download")
        await page.getByRole("button", { name: "Download CSV" }).click()
        return readFileSync(await (await download).path(), "utf8")
      })
      assert.match(saved, /^query,page,clicks,impressions,ctr,position\r\n/)
      assert.isAbove(saved.split("\r\n").length, 101)
      yield* visit(page, "/", "Overview")
      yield* promise(() =>
        page.getByRole("region", { name: "Datasets" }).getByRole("link", {
          name: "Searches of fernhill.example (domain)"
        })
          .waitFor()
      )
      assert.deepStrictEqual(yield* violations(page), [])
    }))
})

layer(DashboardTest, { excludeTestServices: true })("The overview", (it) => {
  it.effect("compares its figures with the period before", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const client = yield* admin.clients.create({ payload: { name: "Compared" } })
      const { page } = yield* signedIn({ client_ids: [client.id] })
      const sql = yield* SqlClient.SqlClient
      const today = startOfDay(Date.now())
      const ofDay = { scope: client.id, dimension: "all", hours: 24, value: "", latencies: "{100,100}" }
      yield* sql`INSERT INTO call_stats ${
        sql.insert([
          { ...ofDay, started_at: new Date(today - day), calls: 119, errors: 11, cached: 60, cost_usd: 0.01 },
          { ...ofDay, started_at: new Date(today - 9 * day), calls: 100, errors: 6, cached: 40, cost_usd: 0 }
        ])
      }`
      yield* sql`UPDATE call_stats_progress SET counted_until = ${new Date(today)}`
      yield* visit(page, "/", "Overview")
      yield* callFrom(page, { provider: "gsc", endpoint: "sites.list" })

      yield* visit(page, "/", "Overview")
      const says = (title: string, change: string) =>
        promise(() =>
          page.locator(".figures div", { has: page.getByText(title, { exact: true }) })
            .getByText(change, { exact: true }).waitFor({ state: "attached" })
        )
      yield* says("Calls", "up 20% from the 7 days before")
      yield* says("Calls", "↑ 20%")
      yield* says("Failed", "up 83% from the 7 days before")
      yield* says("Refused", "up from 0 in the 7 days before")
      yield* says("p50 latency", "the same as in the 7 days before")
      yield* says("From the cache", "up 10.0 points from the 7 days before")
      yield* says("Cost", "up from 0 in the 7 days before")
      assert.deepStrictEqual(yield* promise(() => page.locator(".worse").allInnerTexts()), [
        "↑ 83%\nup 83% from the 7 days before"
      ])
      const { page: arabic } = yield* signedIn({ client_ids: [client.id] }, { locale: "ar-EG" })
      yield* visit(arabic, "/", "Overview")
      yield* callFrom(arabic, { provider: "gsc", endpoint: "sites.list" })
      yield* visit(arabic, "/", "Overview")
      yield* promise(() => arabic.locator(".figures").getByText(/^↑ (?!from)/).first().waitFor())
      const usage = page.getByRole("table", { name: "Usage" })
      yield* promise(async () => {
        await usage.getByRole("row", { name: "Without a client 1 0 1" }).waitFor()
        const heads = await usage.getByRole("columnheader").allInnerTexts()
        assert.deepStrictEqual(heads.slice(1, 4), ["Calls", "Failed", "Refused"])
        await page.getByRole("button", { name: "Table", exact: true }).click()
        await page.getByRole("region", { name: "Calls over time" }).waitFor()
      })
      assert.deepStrictEqual(yield* violations(page), [])
      yield* visit(page, "/?period=last_month", "Overview")
      yield* promise(() => page.getByText(/^Without a comparison: there were no calls in/).waitFor())
    }))
})
