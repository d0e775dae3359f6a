import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { violations } from "../support/Axe.ts"
import { connectSandbox, DashboardTest, promise, signedIn, visit } from "./Fixture.ts"

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

layer(DashboardTest, { excludeTestServices: true })("The page of datasets", (it) => {
  it.effect("makes a dataset, shows what each day has, pauses and resumes, downloads and deletes", () =>
    Effect.gen(function*() {
      const { connections } = yield* connectSandbox("Oak & Ivy")
      const connection = connections.find(({ provider }) => provider === "gsc")
      const page = yield* signedIn({ email: "ivy@example.com", role: "admin" })
      yield* visit(page, "/datasets", "Datasets")
      yield* promise(async () => {
        await page.getByRole("button", { name: "Make a dataset" }).first().click()
        const dialog = page.getByRole("dialog", { name: "Make a dataset" })
        await dialog.getByLabel("Connection").selectOption(`${connection?.id}`)
        await dialog.getByLabel("Site").selectOption({ label: "oakandivy.example (domain)" })
        await dialog.getByLabel("From").fill(daysAgo(40))
        await dialog.getByText("More options (3)").click()
        await dialog.getByLabel("Dimensions").fill("query, pages")
        await dialog.getByRole("button", { name: "Make the dataset" }).click()
        await dialog.getByText(/Expected one of query, page/).waitFor()
        await dialog.getByLabel("Dimensions").fill("query, page")
        await dialog.getByLabel("Name").fill("Searches of Oak & Ivy")
        await dialog.getByRole("button", { name: "Make the dataset" }).click()
        await page.getByRole("heading", { name: "Searches of Oak & Ivy", level: 1 }).waitFor()
        await page.getByText(/^\d\d fetched$/).waitFor()
      })

      const calendar = page.getByRole("img", { name: /^Coverage of each day/ })
      yield* promise(async () => {
        await calendar.focus()
        await page.keyboard.press("ArrowLeft")
        await page.getByText(/, Fetched, [\d,]+ rows, [\d.]+% of the clicks, still changing$/).waitFor()
        for (let week = 0; week < 2; week++) await page.keyboard.press("ArrowUp")
        await page.getByText(/, Fetched, [\d,]+ rows, [\d.]+% of the clicks, final$/).waitFor()
      })

      yield* promise(() => page.emulateMedia({ reducedMotion: "reduce" }))
      for (const width of [360, 1280]) {
        yield* promise(() => page.setViewportSize({ width, height: 900 }))
        assert.deepStrictEqual(yield* violations(page), [], `${width}`)
        const needed = yield* promise(() => page.evaluate<number>("document.documentElement.scrollWidth"))
        assert.isAtMost(needed, width)
      }

      yield* promise(async () => {
        await page.getByRole("button", { name: "Pause" }).click()
        await page.getByText("Paused", { exact: true }).waitFor()
        await page.getByRole("button", { name: "Resume" }).click()
        await page.getByText("Paused", { exact: true }).waitFor({ state: "detached" })
        await page.getByRole("button", { name: "Show the file of each day" }).click()
      })
      const downloaded = yield* promise(async () => {
        const download = page.waitForEvent("download")
        await page.getByRole("link", { name: /^day=.*\/data\.parquet$/ }).first().click()
        return readFile(await (await download).path(), "latin1")
      })
      assert.match(downloaded, /^PAR1.*PAR1$/s)

      yield* promise(async () => {
        await page.getByRole("button", { name: "Delete" }).click()
        const dialog = page.getByRole("dialog", { name: "Delete Searches of Oak & Ivy?" })
        await dialog.getByLabel("Delete them too").check()
        await dialog.getByLabel("Type its name to confirm").fill("Searches of Oak & Ivy")
        await dialog.getByRole("button", { name: "Delete the dataset and its files" }).click()
        await page.getByRole("heading", { name: "Datasets", level: 1 }).waitFor()
        await page.getByRole("link", { name: "Searches of Oak & Ivy" }).waitFor({ state: "detached" })
      })
    }).pipe(Effect.scoped))

  it.effect("lets a member name the site, whose list only admins see", () =>
    Effect.gen(function*() {
      const { client } = yield* connectSandbox("Tidewell Spa")
      const page = yield* signedIn({ email: "member@example.com", client_ids: [client.id] })
      yield* visit(page, "/datasets?make=dataset", "Datasets")
      yield* promise(async () => {
        const dialog = page.getByRole("dialog", { name: "Make a dataset" })
        await dialog.getByLabel("Site").and(page.getByRole("textbox")).fill("sc-domain:tidewell.example")
        await dialog.getByLabel("From").fill(daysAgo(5))
        await dialog.getByRole("button", { name: "Make the dataset" }).click()
        await page.getByText(/^\d fetched$/).waitFor()
      })
    }).pipe(Effect.scoped))

  it.effect("says that there is no such dataset", () =>
    Effect.gen(function*() {
      const page = yield* signedIn({ email: "nobody@example.com", role: "admin" })
      yield* visit(page, "/datasets/dst_01k6a1b2c3d4e5f6g7h8j9k0mn", "Dataset")
      yield* promise(() => page.getByText("There is no dataset dst_01k6a1b2c3d4e5f6g7h8j9k0mn.").waitFor())
    }).pipe(Effect.scoped))
})
