import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type * as playwright from "playwright-core"
import { Greeting } from "../../src/Http/Greeting.ts"
import { Browser } from "../support/Browser.ts"
import { originOf } from "../support/SignedIn.ts"
import { TestServer } from "../support/TestServer.ts"
import { allowInNewTab, ownDashboard, promise, visit } from "./Fixture.ts"

const maxFirstPage = 250_000

/** In bytes as sent. */
const recordResponses = (page: playwright.Page) => {
  const requests: Array<playwright.Request> = []
  page.on("requestfinished", (request) => requests.push(request))
  return () =>
    Promise.all(requests.map(async (request) => {
      const { responseBodySize, responseHeadersSize } = await request.sizes()
      const encoding = await (await request.response())?.headerValue("content-encoding")
      return { url: request.url(), encoding, bytes: responseBodySize + responseHeadersSize }
    }))
}

layer(ownDashboard(), { excludeTestServices: true })("A new service", (it) => {
  it.effect("leads from its setup link to a connected account, a call, its log entry and the playground", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { open } = yield* Browser
      const [text = ""] = yield* (yield* Greeting).texts
      const url = text.slice(text.indexOf("http"))
      const page = yield* open(originOf(server))
      const loaded = recordResponses(page)
      yield* promise(async () => {
        await page.goto(`/dashboard/link${new URL(url).hash}`)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByLabel("E-mail").fill("first@example.com")
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByRole("link", { name: "Skip this" }).click()
        await page.getByRole("heading", { name: "Overview" }).waitFor()
      })
      const responses = yield* promise(loaded)
      const assets = responses.filter(({ url }) => /\.(js|css)$/.test(url))
      assert.isNotEmpty(assets)
      for (const { encoding, url } of assets) assert.match(encoding ?? "none", /^(br|gzip)$/, url)
      assert.isBelow(responses.reduce((sum, { bytes }) => sum + bytes, 0), maxFirstPage)

      yield* visit(page, "/keys", "API keys")
      yield* promise(async () => {
        await page.getByText("No keys yet.").waitFor()
        await page.getByRole("button", { name: "Make a key" }).first().click()
        await page.getByLabel("Name").fill("First script")
        await page.getByRole("button", { name: "Make the key" }).click()
      })
      const key = yield* promise(() => page.locator(".secret code").innerText())

      const showsClient = (name: string) =>
        promise(() =>
          page.getByLabel("Client", { exact: true }).getByRole("option", { name, selected: true })
            .waitFor({ state: "attached" })
        )
      yield* visit(page, "/connections/connect", "Connect an account")
      yield* showsClient("No client")
      yield* server.admin.clients.create({ payload: { name: "Fernhill Ltd" } })
      yield* visit(page, "/connections/connect", "Connect an account")
      yield* showsClient("Fernhill Ltd")
      yield* promise(() => page.getByLabel("Name").fill("Fernhill"))
      yield* allowInNewTab(page, "Sign in at the provider")
      yield* promise(async () => {
        await page.getByRole("button", { name: "Open the connection" }).click()
        await page.getByRole("heading", { name: "Fernhill", level: 1 }).waitFor()
        await page.getByRole("link", { name: "Fernhill Ltd" }).waitFor()
      })
      const input = { site: "fernhill.example", limit: 2 }
      const called = yield* server.call(key, { provider: "gsc", tool: "gsc_top_queries", input })
      assert.strictEqual(called.status, 200, called.text)

      yield* visit(page, "/logs", "Logs")
      yield* promise(async () => {
        await page.getByRole("button", { name: /gsc_top_queries/ }).click()
        await page.getByRole("link", { name: "Open in playground" }).click()
        await page.getByRole("button", { name: "Call", exact: true }).click()
        await page.getByText("from the provider").waitFor()
      })
      assert.strictEqual(yield* promise(() => page.getByLabel("site", { exact: true }).inputValue()), input.site)
    }))
})

layer(ownDashboard({ FEATURES_OFF: "sign_in" }), { excludeTestServices: true })("A service without sign-in", (it) => {
  it.effect("says so at its dashboard, and prints no setup link", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* (yield* Greeting).texts, [])
      const page = yield* (yield* Browser).open(originOf(yield* TestServer))
      yield* promise(async () => {
        await page.goto("/dashboard")
        await page.getByText("Nobody can sign in to this service.").waitFor()
      })
    }))
})
