import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { opened, promise } from "../../Dashboard/Fixture.ts"
import { violations } from "../../support/Axe.ts"
import { Browser } from "../../support/Browser.ts"
import { TestServer } from "../../support/TestServer.ts"
import { clientId, connectAll, play, refusal } from "./ScriptedGoogle.ts"

const Connected = Layer.effectDiscard(connectAll).pipe(
  Layer.provideMerge(TestServer.make({ GOOGLE_CLIENT_ID: clientId })),
  Layer.provideMerge(Browser.layer)
)

layer(Connected, { excludeTestServices: true })("The settings of an admin", (it) => {
  it.effect("have the checks of the project at Google, the first thing to do on top", () =>
    Effect.gen(function*() {
      yield* play({
        authorize: "redirect_uri_mismatch",
        assertion: refusal(400, "invalid_grant", "Invalid JWT Signature.")
      })
      const { page } = yield* opened("/settings?tab=google", "Settings", { role: "admin" }, { width: 390 })
      const rows = page.getByRole("region", { name: "Checks" }).getByRole("listitem")
      yield* promise(async () => {
        await page.getByText("2 checks are wrong. Begin with the first.").waitFor()
        await rows.first().getByText("Add exactly").waitFor()
      })
      assert.match(yield* promise(() => rows.first().innerText()), /redirect_uri/)
      const link = rows.first().getByRole("link")
      assert.match(
        `${yield* promise(() => link.getAttribute("href"))}`,
        /^https:\/\/console\.cloud\.google\.com\/auth\/clients/
      )
      for (const colorScheme of ["light", "dark"] as const) {
        yield* promise(() => page.emulateMedia({ colorScheme, reducedMotion: "reduce" }))
        assert.deepStrictEqual(yield* violations(page), [])
      }
      assert.isAtMost(yield* promise(() => page.evaluate<number>("document.documentElement.scrollWidth")), 390)
      yield* play({})
      yield* promise(async () => {
        await page.getByRole("button", { name: "Check again" }).click()
        await page.getByText("Everything that can be seen from here is right.").waitFor()
      })
    }))
})
