import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import type * as playwright from "playwright-core"
import { connectionsOf } from "../../Http/Fixture.ts"
import { sandboxServer } from "../../Service/SandboxServer.ts"
import { violations } from "../../support/Axe.ts"
import { Browser, type PageOptions } from "../../support/Browser.ts"
import { KeyFilePath } from "../../support/KeyFileFolder.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { keyFile } from "../../support/ServiceAccountFile.ts"
import { TestDataDir, TestServer } from "../../support/TestServer.ts"
import { makeLink } from "./Fixture.ts"

const promise = <A>(evaluate: () => Promise<A>) => Effect.promise(evaluate)

const connectModule = stripTypeScriptTypes(
  readFileSync(join(import.meta.dirname, "../../../src/Client/Connect.ts"), "utf8")
)

const sitePage =
  `<!doctype html><title>Reports</title><link rel="icon" href="data:,"><button>Connect</button><output></output>
<script type="module">
import { connect } from "/connect.js"
document.querySelector("button").onclick = async () => {
  const link = Promise.resolve(new URLSearchParams(location.search).get("link"))
  const outcome = await connect(link).catch((error) => ({ error: error.message }))
  document.querySelector("output").textContent = JSON.stringify(outcome)
}
</script>`

class Site extends Context.Service<Site, { readonly origin: string }>()("openaccounts/test/Site") {
  static readonly layer = Layer.effect(
    Site,
    Effect.map(LoopbackUpstream.make, ({ handle, url }) => {
      handle((request) => {
        const isModule = request.url === "/connect.js"
        return {
          headers: { "content-type": isModule ? "text/javascript" : "text/html" },
          body: isModule ? connectModule : sitePage
        }
      })
      return { origin: url.replace("127.0.0.1", "localhost") }
    })
  )
}

const World = Layer.unwrap(Effect.gen(function*() {
  const { origin } = yield* Site
  return sandboxServer({
    APP_NAME: "Acme Reports",
    CONNECT_REDIRECT_ORIGINS: origin,
    GOOGLE_SERVICE_ACCOUNT_FILE: yield* KeyFilePath
  })
})).pipe(Layer.provideMerge(TestDataDir.layer), Layer.provideMerge(Site.layer), Layer.merge(Browser.layer))

const visitor = Effect.fnUntraced(function*(url: string, options: PageOptions = {}) {
  const { admin } = yield* TestServer
  const { open } = yield* Browser
  const { origin } = yield* Site
  const { authorize_url } = yield* admin.connect.start({ payload: { provider: "gsc", label: "x" } })
  return yield* open(new URL(url).origin, { origins: [new URL(authorize_url).origin, origin], ...options })
})

const heading = (page: playwright.Page, name: string | RegExp) =>
  page.getByRole("heading", { level: 1, name }).waitFor()

const signIn = async (page: playwright.Page, answer: "Allow" | "Cancel") => {
  await page.getByRole("button", { name: "Sign in with Google" }).first().click()
  await page.getByRole("link", { name: answer }).click()
}

const phone: PageOptions = { width: 360, colorScheme: "dark", javaScriptEnabled: false }

/** Signs in and is asked to confirm. */
const agree = async (page: playwright.Page, url: string) => {
  await page.goto(url)
  await signIn(page, "Allow")
  await heading(page, "Connect this account?")
}

const resourcesOf = (clientId: string) =>
  Effect.map(
    connectionsOf(clientId),
    (connections) => Object.fromEntries(connections.map(({ provider, resources }) => [provider, resources]))
  )

const assertAccessible = Effect.fnUntraced(function*(page: playwright.Page) {
  assert.deepStrictEqual(yield* violations(page), [], page.url())
  yield* promise(() => page.setViewportSize({ width: 360, height: 700 }))
  assert.isAtMost(yield* promise(() => page.evaluate<number>("document.documentElement.scrollWidth")), 360, page.url())
})

layer(World, { excludeTestServices: true })("A customer", (it) => {
  it.effect("gets accessible pages only, also to invite the operator's service account", () =>
    Effect.gen(function*() {
      const { client, url } = yield* makeLink({ providers: ["gsc", "sitesearch", "gsheets"] })
      const page = yield* visitor(url)
      const checkSheet = async (id: string) => {
        await page.getByLabel("The link of the spreadsheet").fill(`https://docs.google.com/spreadsheets/d/${id}/edit`)
        await page.getByRole("button", { name: "Check now" }).last().click()
      }
      const at = Effect.fnUntraced(function*(name: string | RegExp, go: () => Promise<unknown>) {
        yield* promise(go)
        yield* promise(() => heading(page, name))
        yield* assertAccessible(page)
      })
      yield* at("Acme Reports asks to connect your accounts", () => page.goto(url))
      yield* at("You did not grant access", async () => {
        await page.getByRole("button", { name: "Sign in with Google" }).first().click()
        await page.getByRole("link", { name: "Cancel" }).click()
      })
      yield* at(
        "Acme Reports asks to connect your accounts",
        () => page.getByRole("link", { name: "Try again" }).click()
      )
      yield* at("The API key does not work yet", async () => {
        await page.getByText("Use an API key instead").click()
        await page.getByLabel("API key").fill("wrong")
        await page.getByRole("button", { name: "Check the key" }).click()
      })
      yield* at("Google Sheets cannot be read yet", async () => {
        await page.goto(url)
        await page.getByText("Invite an address instead").click()
        await page.locator("summary", { hasText: "Google Sheets" }).click()
        await page.getByText(keyFile.client_email).first().waitFor()
        await checkSheet("no-such-sheet")
      })
      yield* at("The invitation works. Connect it?", async () => {
        await page.goto(url)
        await page.getByText("Invite an address instead").click()
        await page.locator("summary", { hasText: "Google Sheets" }).click()
        await checkSheet("sandbox-leads")
      })
      yield* at("Connect the next account", () => page.getByRole("button", { name: "Connect", exact: true }).click())
      yield* at("Google Sheets is connected", () => page.getByRole("button", { name: "That is enough" }).click())
      yield* promise(() => page.getByText(`remove ${keyFile.client_email} where you added it`).waitFor())
      const [connection] = yield* connectionsOf(client.id)
      assert.deepInclude(connection, { auth_type: "service_account", external_account: keyFile.client_email })
      yield* at("This link is unknown", () => page.goto(`${url}x`))
    }).pipe(Effect.scoped))

  it.effect("connects in a window, and the site that opened it gets the result from a promise", () =>
    Effect.gen(function*() {
      const { origin } = yield* Site
      const { client, url } = yield* makeLink({ providers: ["gsc", "sitesearch"] })
      const page = yield* visitor(url)
      const outcome = (url: string, act: (popup: playwright.Page) => Promise<void>) =>
        promise(async (): Promise<unknown> => {
          await page.goto(`${origin}/?link=${encodeURIComponent(url)}`)
          const opened = page.waitForEvent("popup")
          await page.getByRole("button", { name: "Connect" }).click()
          const popup = await opened
          await act(popup)
          await page.locator("output:not(:empty)").waitFor()
          assert.isTrue(popup.isClosed())
          return JSON.parse(await page.locator("output").innerText())
        })
      const connected = yield* outcome(url, async (popup) => {
        await signIn(popup, "Allow")
        await popup.getByRole("button", { name: "Connect", exact: true }).click()
        await popup.getByRole("button", { name: "That is enough" }).click()
      })
      const ids = (yield* connectionsOf(client.id)).map(({ id }) => id)
      assert.deepStrictEqual(connected, {
        status: "connected",
        provider: "gsc",
        connectionId: ids[0],
        connectionIds: ids
      })
      const other = yield* makeLink({ providers: ["gsc", "ga4"] })
      assert.deepStrictEqual(
        yield* outcome(other.url, (popup) => signIn(popup, "Cancel")),
        { status: "denied", provider: "ga4", connectionId: null, connectionIds: [] }
      )
      assert.deepStrictEqual(
        yield* outcome(other.url, async (popup) => {
          await popup.getByRole("button", { name: "Sign in with Google" }).waitFor()
          await popup.close()
        }),
        { status: "closed", provider: null, connectionId: null, connectionIds: [] }
      )
    }).pipe(Effect.scoped))

  it.effect("gets no window from a site that opens a link of another kind", () =>
    Effect.gen(function*() {
      const { origin } = yield* Site
      const page = yield* (yield* Browser).open(origin)
      for (const link of ["javascript:opener.document.title='run'", "data:text/html,x", "file:///etc/passwd"]) {
        yield* promise(async () => {
          await page.goto(`/?link=${encodeURIComponent(link)}`)
          await page.getByRole("button", { name: "Connect" }).click()
          await page.getByText("http and https URLs only").waitFor()
        })
        assert.strictEqual(yield* promise(() => page.title()), "Reports")
        assert.lengthOf(page.context().pages(), 1)
      }
    }).pipe(Effect.scoped))

  it.effect("unticks sites that the operator shall not reach, on a phone without script", () =>
    Effect.gen(function*() {
      const { client, url } = yield* makeLink({ providers: ["gsc", "ga4", "gsheets"] })
      const wide = yield* visitor(url)
      yield* promise(() => agree(wide, url))
      assert.deepStrictEqual(yield* violations(wide), [])
      const choice = wide.getByRole("group", { name: "In Google Search Console, Acme Reports may use" })
      const ticked = choice.getByRole("checkbox", { checked: true })
      yield* promise(async () => {
        const all = await ticked.count()
        await choice.getByRole("button", { name: "None" }).click()
        assert.strictEqual(await ticked.count(), 0)
        await choice.getByRole("button", { name: "Only this one: blog.fernhill.example" }).click()
        assert.strictEqual(await ticked.count(), 1)
        await choice.getByRole("searchbox").fill("old.fernhill")
        assert.strictEqual(await choice.getByRole("checkbox").count(), 1)
        await choice.getByRole("button", { name: "All" }).click()
        assert.strictEqual(await choice.getByRole("checkbox", { checked: true }).count(), 1)
        await choice.getByRole("searchbox").fill("")
        assert.strictEqual(await ticked.count(), 2)
        assert.isAbove(all, 2)
      })
      assert.deepStrictEqual(yield* violations(wide), [])
      for (const name of ["Connect", "Use another account"]) {
        const box = yield* promise(() => wide.getByRole("button", { name, exact: true }).boundingBox())
        assert.isAtMost((box?.y ?? 0) + (box?.height ?? 0), 800, `${name} is below the first screen`)
      }

      const page = yield* visitor(url, phone)
      const sites = page.getByRole("group", { name: "In Google Search Console, Acme Reports may use" })
      yield* promise(async () => {
        await agree(page, url)
        await sites.getByLabel("fernhill.example, the whole domain", { exact: true }).waitFor()
      })
      assert.strictEqual(yield* promise(() => sites.getByRole("checkbox", { checked: false }).count()), 0)
      assert.isAtMost(yield* promise(() => page.evaluate<number>("document.documentElement.scrollWidth")), 360)
      yield* promise(async () => {
        for (const each of await sites.getByRole("checkbox").all()) await each.uncheck()
        await page.getByRole("button", { name: "Connect", exact: true }).click()
        await page.getByText("Leave at least one ticked").waitFor()
      })
      assert.deepStrictEqual(yield* resourcesOf(client.id), {})
      assert.strictEqual(yield* promise(() => sites.getByRole("checkbox", { checked: true }).count()), 0)
      yield* promise(async () => {
        await sites.getByLabel("blog.fernhill.example").check()
        await page.getByRole("button", { name: "Connect", exact: true }).click()
        await page.getByRole("heading", { name: "Everything is connected" }).waitFor()
        await page.reload()
        await page.getByRole("heading", { name: "Everything is connected" }).waitFor()
        await page.goto(url)
        await page.getByRole("heading", { name: "This link is used up" }).waitFor()
      })
      assert.deepStrictEqual(yield* resourcesOf(client.id), {
        gsc: ["gsc:https://blog.fernhill.example/"],
        ga4: null,
        gsheets: null
      })
    }).pipe(Effect.scoped))
})
