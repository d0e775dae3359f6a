import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { violations } from "../support/Axe.ts"
import { connectSandbox, DashboardTest, promise, signedIn, visit } from "./Fixture.ts"

const pages = [
  ["/", "Overview"],
  ["/connections", "Connections"],
  ["/connections/connect", "Connect an account"],
  ["/keys", "API keys"],
  ["/keys?make=key", "API keys"],
  ["/logs", "Logs"],
  ["/playground?operation=gsc%20tool:gsc_top_queries", "Playground"],
  ["/playground?operation=gsheets%20endpoint:values.get", "Playground"],
  ["/clients", "Clients"],
  ["/members", "Members"],
  ["/settings", "Settings"],
  ["/settings?tab=sessions", "Settings"],
  ["/settings?tab=audit", "Settings"],
  ["/nowhere", "There is no such page"]
] as const

layer(DashboardTest, { excludeTestServices: true, timeout: 60_000 })("Every page of the dashboard", (it) => {
  it.effect("breaks no rule of WCAG 2.2 AA in either theme", () =>
    Effect.gen(function*() {
      const { connections: [connection] } = yield* connectSandbox("Fernhill")
      const path = `/connections/${connection?.id}`
      const ofConnection = [
        [path, `${connection?.label}`],
        [`${path}/reconnect`, `Reconnect ${connection?.label}`]
      ] as const
      const page = yield* signedIn({ email: "ada@example.com", role: "admin" })
      for (const [path, heading] of [...pages, ...ofConnection]) {
        yield* visit(page, path, heading)
        yield* promise(() => page.locator("[aria-busy=true]").first().waitFor({ state: "detached" }))
        for (const colorScheme of ["light", "dark"] as const) {
          yield* promise(() => page.emulateMedia({ colorScheme }))
          assert.deepStrictEqual(yield* violations(page), [], `${path} ${colorScheme}`)
        }
      }
    }).pipe(Effect.scoped), 60_000)

  it.effect("fits a screen of 360 pixels", () =>
    Effect.gen(function*() {
      yield* connectSandbox("A client whose name is as long as names of clients may become in practice, and longer")
      const page = yield* signedIn({ email: "narrow@example.com", role: "admin" }, { width: 360 })
      for (const [path, heading] of pages) {
        yield* visit(page, path, heading)
        const width = yield* promise(() => page.evaluate<number>("document.documentElement.scrollWidth"))
        assert.isAtMost(width, 360, path)
      }
    }).pipe(Effect.scoped), 60_000)
})
