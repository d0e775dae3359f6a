import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { violations } from "../support/Axe.ts"
import { DashboardTest, promise, startWrites, visit } from "./Fixture.ts"

layer(DashboardTest, { excludeTestServices: true })("Writes", (it) => {
  it.effect("wait in the inbox, are shown before they are sent, and are sent once they are approved", () =>
    Effect.gen(function*() {
      const { ask, file, name, page, read, write } = yield* startWrites({})
      yield* write("before", "kept")
      yield* ask("after\u202e", "kept")
      yield* visit(page, "/approvals", "Approvals")
      const row = page.getByRole("row", {
        name: new RegExp(`Overwrite cells in Untitled spreadsheet.*Waits for you.*${name}`)
      })
      yield* promise(async () => {
        await page.getByRole("navigation").getByRole("link", { name: /Approvals\s*1\s*waiting/ }).waitFor()
        await row.getByRole("link", { name: "Overwrite cells" }).click()
        await page.getByRole("heading", { name: /^Overwrite Tab!A1 in / }).waitFor()
        await page.getByText("nothing is left out").waitFor()
        await page.locator("del", { hasText: "before" }).waitFor()
        await page.locator("ins", { hasText: "after\\u202e" }).waitFor()
        await page.getByRole("columnheader", { name: "A", exact: true }).waitFor()
        await page.getByRole("rowheader", { name: "1", exact: true }).waitFor()
        await page.locator(`a[href="https://docs.google.com/spreadsheets/d/${file}/edit"]`).waitFor()
      })
      assert.deepStrictEqual(yield* violations(page), [])
      assert.deepStrictEqual(yield* read, [["before", "kept"]])
      yield* promise(async () => {
        await page.getByRole("button", { name: "Approve" }).click()
        await page.getByText("Approved and sent").waitFor()
        await page.getByRole("button", { name: "Approve" }).waitFor({ state: "detached" })
      })
      assert.deepStrictEqual(yield* read, [["after\u202e", "kept"]])
    }))

  it.effect("of which not everything is shown are asked about twice, and again once another has changed the cells", () =>
    Effect.gen(function*() {
      const { allow, ask, page, read, write } = yield* startWrites({})
      const long = ["a", "b", "c"].map((letter) => letter.repeat(49_000))
      yield* visit(page, yield* ask(...long), "Overwrite Tab!A1 in Untitled spreadsheet")
      const approve = async () => {
        await page.getByRole("button", { name: "Approve, though not everything is shown" }).click()
        const dialog = page.getByRole("dialog", { name: "Approve what you have not seen?" })
        await dialog.getByText(/47,00\d characters/).waitFor()
        await dialog.getByRole("button", { name: "Approve all of it" }).click()
      }
      yield* promise(() => page.getByText("Missing are 47,001 characters.").waitFor())
      assert.deepStrictEqual(yield* violations(page), [])

      yield* allow
      yield* write("theirs")
      yield* promise(async () => {
        await approve()
        await page.getByText("It was changed since you were shown it, so nothing was sent.").waitFor()
        await page.locator("del", { hasText: "theirs" }).waitFor()
      })
      assert.deepStrictEqual(yield* violations(page), [])
      assert.deepStrictEqual(yield* read, [["theirs"]])
      yield* promise(async () => {
        await approve()
        await page.getByText("Approved and sent").waitFor()
      })
      assert.strictEqual(Object(yield* read)[0].join().length, 2 * 49_000 + 1)
    }))

  it.effect("are shown in the playground before they are sent", () =>
    Effect.gen(function*() {
      const { connection_id, file, page, read, write } = yield* startWrites({})
      yield* write("before")
      yield* visit(page, "/playground?operation=gsheets%20tool:sheets_update_range", "Playground")
      yield* promise(async () => {
        await page.getByLabel("Connection").selectOption(connection_id)
        await page.getByLabel("spreadsheet", { exact: true }).fill(file)
        await page.getByLabel("range", { exact: true }).fill("Tab!A1")
        await page.getByLabel("values", { exact: true }).fill("[[\"after\"]]")
        await page.getByRole("button", { name: "Preview" }).click()
        const response = page.getByRole("region", { name: "Response" })
        await response.getByText("A preview: nothing was written.").waitFor()
        await response.locator("del", { hasText: "before" }).waitFor()
        await response.locator("ins", { hasText: "after" }).waitFor()
      })
      assert.deepStrictEqual(yield* violations(page), [])
      assert.deepStrictEqual(yield* read, [["before"]])
    }))

  it.effect("are undone from the logs, after what comes back was shown", () =>
    Effect.gen(function*() {
      const { page, read, write } = yield* startWrites({ undo: true })
      yield* write("first")
      const second = yield* write("second")
      yield* visit(page, `/logs?call=${Object(second.json).call_id}`, "Logs")
      yield* promise(async () => {
        await page.getByRole("button", { name: "Undo", exact: true }).click()
        const dialog = page.getByRole("dialog", { name: "Undo this call?" })
        await dialog.locator("del", { hasText: "second" }).waitFor()
        await dialog.locator("ins", { hasText: "first" }).waitFor()
      })
      assert.deepStrictEqual(yield* violations(page), [])
      assert.deepStrictEqual(yield* read, [["second"]])
      yield* promise(async () => {
        await page.getByRole("button", { name: "Undo the call" }).click()
        await page.getByRole("link", { name: "an earlier one" }).click()
        await page.getByText("It was undone by").waitFor()
      })
      assert.strictEqual(yield* promise(() => page.getByRole("button", { name: "Undo", exact: true }).count()), 0)
      assert.deepStrictEqual(yield* read, [["first"]])
    }))

  it.effect("are explained in the log when a budget refuses them", () =>
    Effect.gen(function*() {
      const { page, write } = yield* startWrites({ budget: { writes_per_day: 1 } })
      const refused = yield* write("too much")
      assert.strictEqual(refused.status, 429)
      yield* visit(page, `/logs?call=${Object(refused.json).call_id}`, "Logs")
      yield* promise(() => page.getByText("The budget of the day was used up.").waitFor())
    }))
})
