import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { DashboardTest, promise, signedIn, visit } from "./Fixture.ts"

layer(DashboardTest, { excludeTestServices: true })("A passkey", (it) => {
  it.effect("is added, signs its member in without a password, and is removed", () =>
    Effect.gen(function*() {
      const page = yield* signedIn({ email: "grace@example.com" })
      yield* visit(page, "/", "Overview")
      const devTools = yield* promise(() => page.context().newCDPSession(page))
      yield* promise(async () => {
        await devTools.send("WebAuthn.enable")
        await devTools.send("WebAuthn.addVirtualAuthenticator", {
          options: {
            protocol: "ctap2",
            transport: "internal",
            hasResidentKey: true,
            hasUserVerification: true,
            isUserVerified: true,
            automaticPresenceSimulation: true
          }
        })
      })
      yield* visit(page, "/settings", "Settings")
      yield* promise(async () => {
        await page.getByLabel("Name of the passkey").fill("Grace's laptop")
        await page.getByRole("button", { name: "Add a passkey" }).click()
        await page.getByRole("cell", { name: "Grace's laptop", exact: true }).waitFor()
        await page.getByRole("button", { name: "Sign out" }).click()
        await page.getByRole("button", { name: "Sign in with a passkey" }).click()
        await page.getByRole("heading", { name: "Settings" }).waitFor()
      })
      const { json } = yield* promise(async () => ({
        json: await page.evaluate(async (): Promise<unknown> => (await fetch("/auth/session")).json())
      }))
      assert.include(JSON.stringify(json), "\"methods\":[\"passkey\"]")
      yield* promise(async () => {
        await page.getByRole("button", { name: "Remove Grace's laptop" }).click()
        await page.getByRole("button", { name: "Remove it" }).click()
        await page.getByText("You have no passkey").waitFor()
        await page.getByRole("button", { name: "Sign out" }).click()
        await page.getByRole("button", { name: "Sign in with a passkey" }).click()
        await page.getByRole("alert").waitFor()
      })
    }).pipe(Effect.scoped))
})
