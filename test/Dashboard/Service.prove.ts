import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { violations } from "../support/Axe.ts"
import { connectSandbox, DashboardTest, opened, promise, signedIn, visit } from "./Fixture.ts"

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

layer(DashboardTest, { excludeTestServices: true })("The dashboard", (it) => {
  it.effect("shows a page as soon as its code is loaded, and says when it cannot be loaded", () =>
    Effect.gen(function*() {
      const { page } = yield* signedIn({ role: "admin" })
      const code = /Settings-.*\.js$/
      const link = (name: string) => page.getByRole("navigation").getByRole("link", { name })
      yield* promise(async () => {
        await page.clock.install()
        await page.goto("/dashboard/")
        await page.getByRole("heading", { name: "Overview" }).waitFor()
        // No timer ends from here on.
        await page.clock.pauseAt(Date.now() + 3_600_000)
        await link("Webhooks").click()
        await page.getByRole("heading", { name: "Webhooks" }).waitFor()
        await page.clock.resume()
        await page.route(code, (route) => route.abort())
        await link("Settings").click()
        await page.getByRole("alert").getByText("could not be loaded").waitFor()
        await page.unroute(code)
        await page.getByRole("button", { name: "Reload the page" }).click()
        await page.getByRole("heading", { name: "Settings" }).waitFor()
      })
    }))

  it.effect("says that the service does not answer, and keeps what it shows", () =>
    Effect.gen(function*() {
      yield* connectSandbox("Offline")
      const { page } = yield* opened("/clients", "Clients", { role: "admin" })
      yield* promise(async () => {
        await page.getByRole("link", { name: "Offline" }).waitFor()
        await page.context().setOffline(true)
        await page.getByText("The service does not answer.").waitFor()
        await page.getByRole("link", { name: "Offline" }).waitFor()
        await page.context().setOffline(false)
        await page.getByText("The service does not answer.").waitFor({ state: "detached" })
        // Reading the list again never ends.
        await page.route(/\/admin\/v1\/clients/, async (route) => {
          if (route.request().method() === "POST") await route.abort()
        })
        await page.getByRole("button", { name: "Add a client" }).click()
        await page.getByRole("dialog").getByRole("textbox").fill("Lost")
        await page.keyboard.press("Enter")
        await page.getByText("It may have been done").waitFor()
        await page.route(/\/google\/check/, (route) => route.abort())
      })
      yield* visit(page, "/settings?tab=google", "Settings")
      yield* promise(() => page.getByText("The page asks again by itself").waitFor())
    }))

  it.effect("shows the secret of a webhook once, its deliveries, and sends an event again", () =>
    Effect.gen(function*() {
      const { eventReceiverUrl } = yield* Sandbox
      const { page } = yield* opened("/webhooks?make=webhook", "Webhooks", { role: "admin" })
      const secretOf = async (button: string) => {
        await page.getByRole("button", { name: button }).click()
        const secret = await page.locator(".secret code").innerText()
        await page.getByRole("button", { name: "Done" }).click()
        await page.getByRole("button", { name: "Done" }).click()
        return secret
      }
      const secrets = yield* promise(async () => {
        await page.getByLabel("URL").fill(eventReceiverUrl)
        const secret = await secretOf("Make the webhook")
        await page.getByRole("link", { name: eventReceiverUrl }).first().click()
        await page.getByRole("heading", { name: "Deliveries of the last 30 days" }).waitFor()
        await page.getByRole("button", { name: "Test", exact: true }).click()
        await page.getByRole("row", { name: /Delivered.*test/ }).waitFor()
        await page.getByRole("button", { name: "Show test" }).click()
        await page.getByRole("dialog", { name: "test" }).getByText("timestamp").waitFor()
        await page.keyboard.press("Escape")
        await page.getByRole("button", { name: "Send again: test" }).click()
        await page.getByRole("row", { name: /Delivered.*test.*2/ }).waitFor()
        await page.getByRole("button", { name: "Send many again" }).click()
        await page.getByLabel("Until").fill("2026-01-01T08:00")
        await page.getByRole("button", { name: "Send them again" }).click()
        await page.getByText("This webhook has no event of that time.").waitFor()
        await page.getByRole("button", { name: "Done" }).click()
        await page.getByRole("button", { name: "Send many again" }).click()
        await page.getByRole("button", { name: "Send them again" }).click()
        await page.getByText("1 event is sent once more.").waitFor()
        await page.getByRole("button", { name: "Done" }).click()
        await page.getByRole("row", { name: /Delivered.*test.*3/ }).waitFor()
        await page.getByRole("button", { name: "New secret" }).click()
        const replaced = await secretOf("Make a new secret")
        await page.getByRole("button", { name: "Switch off" }).click()
        await page.getByText("Off", { exact: true }).waitFor()
        await page.getByRole("button", { name: "Delete" }).click()
        await page.getByRole("button", { name: "Delete the webhook" }).click()
        await page.getByRole("heading", { name: "Webhooks" }).waitFor()
        return [secret, replaced]
      })
      for (const secret of secrets) assert.match(secret, /^whsec_/)
      assert.strictEqual(new Set(secrets).size, 2)
      assert.notInclude(yield* promise(() => page.content()), "whsec_")
    }))

  it.effect("makes a dataset, shows what each day has, pauses and resumes, downloads and deletes", () =>
    Effect.gen(function*() {
      const { of } = yield* connectSandbox("Oak & Ivy")
      const { page } = yield* opened("/datasets", "Datasets", { role: "admin" })
      const calendar = page.getByRole("img", { name: /^Coverage of each day/ })
      yield* promise(async () => {
        await page.getByRole("button", { name: "Make a dataset" }).first().click()
        const dialog = page.getByRole("dialog", { name: "Make a dataset" })
        await dialog.getByLabel("Connection").selectOption(of("gsc").id)
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
        // The last day with rows is shown first. Which day is before it depends on the hour.
        await page.getByText(/, Fetched, [\d,]+ rows, [\d.]+% of the clicks, still changing$/).waitFor()
        await calendar.focus()
        await page.keyboard.press("ArrowLeft")
        for (let week = 0; week < 2; week++) await page.keyboard.press("ArrowUp")
        await page.getByText(/, Fetched, [\d,]+ rows, [\d.]+% of the clicks, final$/).waitFor()
        await page.emulateMedia({ reducedMotion: "reduce" })
      })
      for (const width of [360, 1280]) {
        yield* promise(() => page.setViewportSize({ width, height: 900 }))
        assert.deepStrictEqual(yield* violations(page), [], `${width}`)
        assert.isAtMost(yield* promise(() => page.evaluate<number>("document.documentElement.scrollWidth")), width)
      }
      const downloaded = yield* promise(async () => {
        await page.getByRole("button", { name: "Pause" }).click()
        await page.getByText("Paused", { exact: true }).waitFor()
        await page.getByRole("button", { name: "Resume" }).click()
        await page.getByText("Paused", { exact: true }).waitFor({ state: "detached" })
        await page.getByRole("button", { name: "Show the file of each day" }).click()
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
      yield* visit(page, "/datasets/dst_01k6a1b2c3d4e5f6g7h8j9k0mn", "Dataset")
      yield* promise(() => page.getByText("There is no dataset dst_01k6a1b2c3d4e5f6g7h8j9k0mn.").waitFor())
    }))

  it.effect("lets a member name the site of a dataset, since only admins see the list of an account", () =>
    Effect.gen(function*() {
      const { client } = yield* connectSandbox("Tidewell Spa")
      const { page } = yield* opened("/datasets?make=dataset", "Datasets", { client_ids: [client.id] })
      yield* promise(async () => {
        const dialog = page.getByRole("dialog", { name: "Make a dataset" })
        await dialog.getByLabel("Site").and(page.getByRole("textbox")).fill("sc-domain:tidewell.example")
        await dialog.getByLabel("From").fill(daysAgo(5))
        await dialog.getByRole("button", { name: "Make the dataset" }).click()
        await page.getByText(/^\d fetched$/).waitFor()
      })
    }))
})
