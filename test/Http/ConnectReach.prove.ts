import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type * as playwright from "playwright-core"
import { sandboxServer } from "../Service/SandboxServer.ts"
import { violations } from "../support/Axe.ts"
import { Browser, type PageOptions } from "../support/Browser.ts"
import { TestDataDir, TestServer } from "../support/TestServer.ts"

const World = Layer.merge(
  sandboxServer({ APP_NAME: "Acme Reports" }).pipe(Layer.provideMerge(TestDataDir.layer)),
  Browser.layer
)

const promise = <A>(evaluate: () => Promise<A>) => Effect.promise(evaluate)

const phone: PageOptions = { width: 360, colorScheme: "dark", javaScriptEnabled: false }

const visitor = Effect.fnUntraced(function*(url: string, options: PageOptions = phone) {
  const { admin } = yield* TestServer
  const { open } = yield* Browser
  const { authorize_url } = yield* admin.connect.start({ payload: { provider: "gsc", label: "x" } })
  return yield* open(new URL(url).origin, { origins: [new URL(authorize_url).origin], ...options })
})

const signIn = async (page: playwright.Page, url: string) => {
  await page.goto(url)
  await page.getByRole("button", { name: "Sign in with Google" }).first().click()
  await page.getByRole("link", { name: "Allow" }).click()
  await page.getByRole("heading", { name: "Connect this account?" }).waitFor()
}

const confirm = (page: playwright.Page) => page.getByRole("button", { name: "Connect", exact: true }).click()

const makeClient = Effect.fnUntraced(function*(name: string) {
  const { admin } = yield* TestServer
  const { id } = yield* admin.clients.create({ payload: { name } })
  const resourcesOf = Effect.map(
    admin.managedConnections.list({ query: { client_id: id } }),
    ({ connections }) => Object.fromEntries(connections.map(({ provider, resources }) => [provider, resources]))
  )
  return { id, resourcesOf }
})

layer(World, { excludeTestServices: true })("Who connects an account with a link", (it) => {
  it.effect("unticks sites that the operator shall not reach, on a phone without script", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const client = yield* makeClient("Choosing")
      const { url } = yield* admin.connectLinks.create({
        payload: { client_id: client.id, providers: ["gsc", "ga4", "gsheets"] }
      })
      const wide = yield* visitor(url, {})
      yield* promise(() => signIn(wide, url))
      assert.deepStrictEqual(yield* violations(wide), [])
      for (const name of ["Connect", "Use another account"]) {
        const box = yield* promise(() => wide.getByRole("button", { name, exact: true }).boundingBox())
        assert.isAtMost((box?.y ?? 0) + (box?.height ?? 0), 800, `${name} is below the first screen`)
      }

      const page = yield* visitor(url)
      const sites = page.getByRole("group", { name: "In Google Search Console, Acme Reports may use" })
      yield* promise(async () => {
        await signIn(page, url)
        await sites.getByLabel("sc-domain:fernhill.example").waitFor()
      })
      assert.strictEqual(yield* promise(() => sites.getByRole("checkbox", { checked: false }).count()), 0)
      assert.isAtMost(yield* promise(() => page.evaluate<number>("document.documentElement.scrollWidth")), 360)
      yield* promise(async () => {
        for (const each of await sites.getByRole("checkbox").all()) await each.uncheck()
        await confirm(page)
        await page.getByText("Leave at least one ticked").waitFor()
      })
      assert.deepStrictEqual(yield* client.resourcesOf, {})
      assert.strictEqual(yield* promise(() => sites.getByRole("checkbox", { checked: true }).count()), 0)
      yield* promise(async () => {
        await sites.getByLabel("blog.fernhill.example").check()
        await confirm(page)
        await page.getByRole("heading", { name: "Everything is connected" }).waitFor()
        await page.reload()
        await page.getByRole("heading", { name: "Everything is connected" }).waitFor()
        await page.goto(url)
        await page.getByRole("heading", { name: "This link is used up" }).waitFor()
      })
      assert.deepStrictEqual(yield* client.resourcesOf, {
        gsc: ["gsc:https://blog.fernhill.example/"],
        ga4: null,
        gsheets: null
      })
    }).pipe(Effect.scoped))

  it.effect("can narrow a connection that is connected again, and never widens it", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const client = yield* makeClient("Again")
      const { id } = yield* admin.managedConnections.create({
        payload: {
          provider: "gsc",
          auth_type: "oauth",
          credentials: { refresh_token: "1//ended" },
          label: "Bounded",
          client_id: client.id,
          resources: ["gsc:sc-domain:fernhill.example", "gsc:https://old.fernhill.example/"]
        }
      })
      const { url } = yield* admin.connectLinks.create({ payload: { connection_id: id } })
      const page = yield* visitor(url)
      yield* promise(async () => {
        await signIn(page, url)
        await page.getByLabel("old.fernhill.example").waitFor()
      })
      assert.strictEqual(yield* promise(() => page.getByLabel("blog.fernhill.example").count()), 0)
      yield* promise(async () => {
        await page.getByLabel("old.fernhill.example").uncheck()
        await confirm(page)
        await page.getByRole("heading", { name: "Google Search Console is connected" }).waitFor()
      })
      assert.deepStrictEqual(yield* client.resourcesOf, { gsc: ["gsc:sc-domain:fernhill.example"] })
    }).pipe(Effect.scoped))
})
