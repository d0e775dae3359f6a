import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type * as playwright from "playwright-core"
import { Browser } from "../support/Browser.ts"
import { originOf } from "../support/SignedIn.ts"
import { TestServer } from "../support/TestServer.ts"
import { connectSandbox, DashboardTest, promise, withPassword } from "./Fixture.ts"

const maxPresses = 150

/** Moves the focus with Tab until the element has it, and then presses the keys. Nothing is clicked. */
const at = async (element: playwright.Locator, ...keys: ReadonlyArray<string>) => {
  await element.waitFor()
  const { keyboard } = element.page()
  const isReached = () =>
    element.evaluate((node: unknown) => node === Reflect.get(globalThis, "document").activeElement)
  for (let presses = 0; !(await isReached()); presses++) {
    assert.isBelow(presses, maxPresses, `The focus does not reach ${element}`)
    await keyboard.press("Tab")
  }
  for (const key of keys) await keyboard.press(key)
}

const write = async (field: playwright.Locator, text: string) => {
  await at(field)
  await field.page().keyboard.type(text)
}

layer(DashboardTest, { excludeTestServices: true })("By keyboard alone", (it) => {
  it.effect("a member signs in, calls, asks all, connects, finds a failed call, approves a write, revokes and makes a key", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { admin, request } = server
      const { client, of } = yield* connectSandbox("Keys")
      const { member, password } = yield* withPassword("keys@example.com", [client.id])
      const rights = { access: "read_write", writes: "ask" } as const
      const { key } = yield* admin.keys.create({ payload: { member_id: member.id, name: "Asks first", ...rights } })
      const input = { spreadsheet: "sandbox-leads", range: "'Jon''s Data'!C4", values: [[32]] }
      const write_ = { provider: "gsheets", tool: "sheets_update_range", connection_id: of("gsheets").id, input }
      assert.strictEqual((yield* request("POST", "/v1/call", { key, body: write_ })).status, 409)
      const failing = { provider: "gsc", endpoint: "sites.get", input: { path: { siteUrl: "https://none.example/" } } }
      assert.isAbove((yield* server.call(key, failing)).status, 399)

      const page = yield* (yield* Browser).open(originOf(server))
      const { keyboard } = page
      const link = (name: string | RegExp) => page.getByRole("navigation").getByRole("link", { name })
      const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true })
      const heading = (name: string | RegExp) => page.getByRole("heading", { name, level: 1 }).waitFor()
      yield* promise(async () => {
        await page.goto("/dashboard/")
        await write(page.getByLabel("E-mail"), member.email)
        await write(page.getByLabel("Password"), password)
        await keyboard.press("Enter")
        await heading("Overview")

        await at(link("Playground"), "Enter")
        await write(page.getByRole("searchbox", { name: /operations$/ }), "gsc_top_queries")
        await at(button("gsc_top_queries"), "Enter")
        await write(page.getByLabel("site", { exact: true }), "fernhill.example")
        await keyboard.press("Enter")
        await page.getByText("from the provider").waitFor()
        await at(button("Ask all clients"), "Enter")
        await at(button("Ask 1 account"), "Enter")
        await page.getByRole("region", { name: "Rows of all clients" }).waitFor()

        await at(link("Connections"), "Enter")
        await at(page.getByRole("link", { name: "Connect an account" }), "Enter")
        await write(page.getByLabel("Name"), "By keyboard")
        const opened = page.waitForEvent("popup")
        await at(button("Sign in at the provider"), "Enter")
        const consent = await opened
        await at(consent.getByRole("link", { name: "Allow" }), "Enter")
        await consent.getByRole("heading", { name: /is connected$/ }).waitFor()
        await consent.close()
        await at(button("Open the connection"), "Enter")
        await heading("By keyboard")

        await at(link("Logs"), "Enter")
        await at(page.getByRole("list", { name: "Calls" }).getByRole("button", { name: /sites.get/ }), "Enter")
        await page.getByRole("region", { name: "Call" }).locator(".notice.error").waitFor()
        await keyboard.press("Escape")

        await at(link(/^Approvals/), "Enter")
        await at(page.getByRole("link", { name: /^Overwrite/ }), "Enter")
        await at(button("Approve"), "Enter")
        await page.getByText("Approved and sent").waitFor()

        await at(link("API keys"), "Enter")
        await at(button("Revoke Asks first"), "Enter")
        await at(page.getByRole("dialog").getByRole("button", { name: "Revoke Asks first" }), "Enter")
        await page.getByText("No key matches").waitFor()
        await at(button("Make a key").first(), "Enter")
        await page.getByRole("heading", { name: "Make a key" }).waitFor()
        await keyboard.type("By keyboard")
        await keyboard.press("Enter")
        const secret = await page.locator(".secret code").innerText()
        assert.match(secret, /^oa_\w{38}$/)
        // The first Escape warns that the secret was not copied.
        await keyboard.press("Escape")
        await page.getByText("The key was not copied").waitFor()
        await keyboard.press("Escape")
        await page.getByRole("cell", { name: "By keyboard", exact: true }).waitFor()
        assert.notInclude(await page.content(), secret, "it is shown once")

        await keyboard.press("Control+k")
        await page.getByRole("combobox", { name: "Area, connection or client" }).waitFor()
        await keyboard.type("Logs")
        await keyboard.press("Enter")
        await heading("Logs")
      })
    }))
})
