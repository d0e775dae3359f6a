import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { violations } from "../support/Axe.ts"
import { TestServer } from "../support/TestServer.ts"
import { DashboardTest, hasFocus, promise, signedIn, visit } from "./Fixture.ts"

layer(DashboardTest, { excludeTestServices: true })("On a phone", (it) => {
  it.effect("the actions of a row are a menu, which works by keyboard and gives the focus back", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const member = yield* admin.members.create({ payload: { email: "rows@example.com" } })
      yield* admin.keys.create({ payload: { member_id: member.id, name: "Phone" } })
      const page = yield* signedIn({ email: "phone@example.com", role: "admin" }, { width: 360 })
      yield* visit(page, "/keys", "API keys")
      const { keyboard } = page
      const menu = page.getByRole("menu", { name: "Actions of Phone" })
      const opener = page.getByRole("button", { name: "Actions of Phone" })
      const focusIsOn = (name: string) => hasFocus(page, menu.getByRole("menuitem", { name }))
      yield* promise(async () => {
        await opener.focus()
        await keyboard.press("Enter")
        await menu.waitFor()
      })
      yield* focusIsOn("Change Phone")
      assert.deepStrictEqual(yield* violations(page), [])
      yield* promise(() => keyboard.press("ArrowDown"))
      yield* focusIsOn("Revoke Phone")
      yield* promise(() => keyboard.press("End"))
      yield* promise(() => keyboard.press("ArrowDown"))
      yield* focusIsOn("Change Phone")
      yield* promise(async () => {
        await keyboard.press("Escape")
        await menu.waitFor({ state: "hidden" })
      })
      yield* hasFocus(page, opener)
      yield* promise(async () => {
        await keyboard.press("Enter")
        await menu.getByRole("menuitem", { name: "Revoke Phone" }).click()
        await page.getByRole("dialog", { name: "Revoke Phone?" }).waitFor()
        await keyboard.press("Escape")
        await page.getByRole("dialog").waitFor({ state: "detached" })
      })
      yield* hasFocus(page, opener)
    }).pipe(Effect.scoped))
})
