import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type * as playwright from "playwright-core"
import { signedIn } from "../../Dashboard/Fixture.ts"
import { violations } from "../../support/Axe.ts"
import { Browser, type PageOptions } from "../../support/Browser.ts"
import { eventually } from "../../support/Eventually.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { originOf } from "../../support/SignedIn.ts"
import { seed, TestServer } from "../../support/TestServer.ts"
import { authorizationRequest, consent, grantsOf, redeem, registered, tokensIn } from "./Fixture.ts"

const promise = <A>(evaluate: () => Promise<A>) => Effect.promise(evaluate)

const localAgent = Effect.map(LoopbackUpstream.make, ({ handle, requests, url: origin }) => {
  handle(() => ({ headers: { "content-type": "text/html" }, body: "<title>Done</title><link rel=icon href=data:,>" }))
  return { origin, called: () => requests.flatMap(({ url }) => url.startsWith("/callback") ? [url] : []) }
})

const authorizePath = (clientId: string, redirect_uri: string) =>
  `/oauth/authorize?${new URLSearchParams(authorizationRequest(clientId, { redirect_uri }).parameters)}`

const memberPage = Effect.fnUntraced(function*(options: PageOptions = {}) {
  const seeded = yield* seed({ label: "Acme search" })
  const session = yield* signedIn({ client_ids: [seeded.client.id] }, options)
  return { ...seeded, ...session, session }
})

const heading = (page: playwright.Page) => page.getByRole("heading", { level: 1 })

const World = TestServer.layer.pipe(Layer.provideMerge(Browser.layer))

layer(World, { excludeTestServices: true })("The consent page", (it) => {
  it.effect("follows a sign-in, shows who asks, and sends the member back to the agent", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const agent = yield* localAgent
      const { connection, member } = yield* seed({ label: "Acme search" })
      const { url } = yield* server.admin.memberLinks.create({ params: { id: member.id } })
      const { open } = yield* Browser
      const page = yield* open(originOf(server), { origins: [agent.origin] })
      const clientId = yield* registered({ redirect_uris: ["http://127.0.0.1/callback"] })
      yield* promise(async () => {
        await page.goto(`/dashboard/link${new URL(url).hash}`)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByLabel("New password").fill("correct horse battery staple")
        await page.getByRole("button", { name: "Set the password" }).click()
        await page.getByRole("heading", { name: "Overview" }).waitFor()
        const elsewhere = [
          "https://evil.example/",
          "//evil.example/oauth/",
          "/oauth/..//evil.example",
          "/oauth/../docs"
        ]
        for (const next of elsewhere) {
          await page.goto(`/dashboard?next=${encodeURIComponent(next)}`)
          await page.getByRole("heading", { name: "Overview" }).waitFor()
        }
        await page.context().clearCookies()

        await page.goto(authorizePath(clientId, `${agent.origin}/callback`))
        await page.getByRole("link", { name: "Sign in" }).click()
        await page.getByLabel("E-mail").fill(member.email)
        await page.getByLabel("Password").fill("correct horse battery staple")
        await page.getByRole("button", { name: "Sign in", exact: true }).click()
        await page.getByRole("heading", { name: "Test agent asks to use your connected accounts" }).waitFor()
      })
      assert.strictEqual(yield* promise(() => page.getByRole("banner").innerText()), "OpenAccounts")
      const text = yield* promise(() => page.locator("main").innerText())
      for (const shown of [agent.origin.slice("http://".length), clientId, member.email, "your own machine"]) {
        assert.include(text, shown)
      }
      assert.isTrue(yield* promise(() => page.getByLabel("Read only").isChecked()))
      assert.isTrue(yield* promise(() => page.getByLabel("Acme search").isChecked()))
      yield* promise(() => page.getByRole("button", { name: "Allow" }).click())
      yield* eventually(Effect.sync(() => agent.called().length), (count) => count > 0)
      const { searchParams } = new URL(agent.called()[0] ?? "", agent.origin)
      assert.isNotNull(searchParams.get("code"))
      assert.strictEqual(searchParams.get("iss"), originOf(server))
      const [grant] = yield* grantsOf(member)
      assert.deepInclude(grant, { access: "read_only", connection_ids: [connection.id] })
    }).pipe(Effect.scoped))

  it.effect("limits an agent to sites that the member ticks, without script", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      upstream.handle(() => ({
        body: { siteEntry: [{ siteUrl: "sc-domain:acme.com" }, { siteUrl: "https://other.example/" }] }
      }))
      const { connection, member, page } = yield* memberPage({
        width: 360,
        javaScriptEnabled: false,
        origins: ["http://127.0.0.1:41041"]
      })
      const clientId = yield* registered()
      const ticks = () => promise(() => page.locator("input[name=resource]:checked").count())
      yield* promise(async () => {
        await page.goto(authorizePath(clientId, "http://127.0.0.1:41041/callback"))
        await page.getByRole("button", { name: "Choose sites, properties and files" }).click()
        await page.getByLabel("sc-domain:acme.com").waitFor()
      })
      assert.strictEqual(yield* ticks(), 2)
      yield* promise(async () => {
        await page.getByLabel("sc-domain:acme.com").uncheck()
        await page.getByLabel("https://other.example/").uncheck()
        await page.getByRole("button", { name: "Allow" }).click()
        await page.getByText("Tick at least one site, property or file").waitFor()
        await page.getByLabel("sc-domain:acme.com").check()
        await page.route("http://127.0.0.1:41041/**", (route) => route.abort())
        await page.getByRole("button", { name: "Allow" }).click().catch(() => undefined)
      })
      const [grant] = yield* eventually(grantsOf(member), ({ length }) => length > 0)
      assert.deepInclude(grant, { connection_ids: [connection.id], resources: ["gsc:sc-domain:acme.com"] })
    }).pipe(Effect.scoped))

  it.effect("can be answered with the keyboard, and opens the app of a custom scheme", () =>
    Effect.gen(function*() {
      const { page } = yield* memberPage({ width: 360, origins: ["null"] })
      const clientId = yield* registered({ redirect_uris: ["cursor://anysphere.cursor-mcp/callback"] })
      const opened: Array<string> = []
      page.on("request", (request) => {
        if (request.url().startsWith("cursor:")) opened.push(request.url())
      })
      yield* promise(async () => {
        await page.goto(authorizePath(clientId, "cursor://anysphere.cursor-mcp/callback"))
        await heading(page).waitFor()
        for (let presses = 0; presses < 20; presses++) {
          await page.keyboard.press("Tab")
          if (await page.getByRole("button", { name: "Cancel" }).evaluate((button) => button.matches(":focus"))) break
        }
        await page.keyboard.press("Enter")
      })
      yield* eventually(Effect.sync(() => opened.length), (count) => count > 0)
      assert.include(opened[0], "error=access_denied")
      assert.include(opened[0], "state=the-state")
    }).pipe(Effect.scoped))

  it.effect("is accessible in both themes, fits 360 pixels, and stays usable with hundreds of connections", () =>
    Effect.gen(function*() {
      const { connection, member, page, session } = yield* memberPage({
        width: 360,
        origins: ["http://127.0.0.1:41041"]
      })
      const clientId = yield* registered({
        client_name: "An agent with a name of no less than eighty characters, which is longer than usual"
      })
      const earlier = authorizationRequest(clientId)
      tokensIn(yield* redeem(clientId, earlier, yield* consent(session, earlier)))
      yield* promise(() => page.goto(authorizePath(clientId, "http://127.0.0.1:41041/callback")))
      assert.deepStrictEqual(yield* violations(page), [])
      const allow = yield* promise(() => page.getByRole("button", { name: "Allow" }).boundingBox())
      assert.isAtMost((allow?.y ?? 0) + (allow?.height ?? 0), 800, "the decision is in sight")
      yield* promise(async () => {
        await page.getByText("Ask me before each change").waitFor({ state: "hidden" })
        await page.getByRole("radio", { name: "Read and write" }).check()
        await page.getByText("Ask me before each change").waitFor()
        await page.getByRole("radio", { name: "Read only" }).check()
      })
      const sql = yield* SqlClient.SqlClient
      yield* sql`
      INSERT INTO connections
      SELECT (jsonb_populate_record(c, jsonb_build_object(
        'id', 'con_0' || lpad(n::text, 25, '0'), 'label', 'Connection ' || n || ' of a client'))).*
      FROM connections AS c, generate_series(1, 300) AS n WHERE c.id = ${connection.id}`
      yield* promise(() => page.reload())
      const pageWidth = () => page.evaluate<number>("document.documentElement.scrollWidth")
      assert.isAtMost(yield* promise(pageWidth), 360)
      const ticked = () => promise(() => page.locator("input[name=connection]:checked").count())
      assert.strictEqual(yield* ticked(), 301)
      yield* promise(() => page.getByRole("button", { name: "Untick all" }).click())
      assert.strictEqual(yield* ticked(), 0)
      yield* promise(() => page.getByRole("button", { name: "Allow" }).click())
      yield* promise(() => page.getByText("Tick at least one connection").waitFor())
      yield* promise(async () => {
        await page.getByLabel("Connection 7 of a client").check()
        await page.getByLabel(/Granted on/).check()
        await page.route("http://127.0.0.1:41041/**", (route) => route.abort())
      })
      assert.lengthOf(yield* grantsOf(member), 1)
      yield* promise(() => page.getByRole("button", { name: "Allow" }).click().catch(() => undefined))
      const [grant, ...others] = yield* eventually(grantsOf(member), ([grant]) => grant?.connection_ids !== null)
      assert.lengthOf(others, 0)
      assert.lengthOf(grant?.connection_ids ?? [], 1)
    }).pipe(Effect.scoped))
})
