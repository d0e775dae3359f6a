import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type * as playwright from "playwright-core"
import type { NewMember } from "../../src/Domain/Member.ts"
import { newId } from "../../src/Domain/NewId.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { sandboxServer } from "../Service/SandboxServer.ts"
import { Browser, type PageOptions } from "../support/Browser.ts"
import { shared } from "../support/Shared.ts"
import { originOf, withSession } from "../support/SignedIn.ts"
import { TestDataDir, TestServer } from "../support/TestServer.ts"

/** A service of the file's own, for tests that see all of its rows or that need other settings. */
export const ownDashboard = (settings: Readonly<Record<string, string>> = {}) =>
  Layer.merge(sandboxServer(settings).pipe(Layer.provideMerge(TestDataDir.layer)), Browser.layer)

/** The service that the files of a worker share. */
export const DashboardTest = shared(ownDashboard({ WEBHOOK_ALLOW_PRIVATE: "true" }))

export const promise = <A>(evaluate: () => Promise<A>) => Effect.promise(evaluate)

export const visit = (page: playwright.Page, path: string, heading: string) =>
  promise(async () => {
    await page.goto(`/dashboard${path}`)
    // A page whose dialog is open is hidden from assistive technology.
    await page.getByRole("heading", { name: heading, level: 1, includeHidden: true }).waitFor()
  })

/** Waits until the element has the focus. Browsers move it a moment after a menu or dialog opens or closes. */
export const hasFocus = (page: playwright.Page, element: playwright.Locator) =>
  promise(() => element.and(page.locator(":focus")).waitFor())

let members = 0

export const signedIn = Effect.fnUntraced(function*(more: Partial<NewMember> = {}, options?: PageOptions) {
  const server = yield* TestServer
  const { open } = yield* Browser
  const payload = { email: `dashboard-${++members}@example.com`, ...more }
  const { cookie, member } = yield* withSession(yield* server.admin.members.create({ payload }))
  const [name = "", value = ""] = cookie.split("=")
  const page = yield* open(originOf(server), options)
  yield* promise(() => page.context().addCookies([{ name, value, url: originOf(server), httpOnly: true }]))
  return { member, page }
})

/** Sends a call as the page would, and returns its id. */
export const callFrom = (page: playwright.Page, request: object) =>
  promise(() =>
    page.evaluate<string>(`fetch("/v1/call", { method: "POST", body: ${JSON.stringify(JSON.stringify(request))} })
        .then((response) => response.headers.get("x-call-id"))`)
  )

export const connectSandbox = Effect.fnUntraced(function*(clientName: string) {
  const { admin } = yield* TestServer
  const { connections } = yield* Sandbox
  const client = yield* admin.clients.create({ payload: { name: clientName } })
  const made = yield* Effect.forEach(
    connections,
    (connection) => admin.managedConnections.create({ payload: { ...connection, client_id: client.id } })
  )
  const of = (provider: string) => {
    const found = made.find((connection) => connection.provider === provider)
    if (found === undefined) throw new Error(`The sandbox has no connection of ${provider}`)
    return found
  }
  return { client, connections: made, of }
})

export const allowInNewTab = (page: playwright.Page, button: string) =>
  promise(async () => {
    const opened = page.waitForEvent("popup")
    await page.getByRole("button", { name: button }).click()
    const consent = await opened
    await consent.getByRole("link", { name: "Allow" }).click()
    await consent.getByRole("heading", { name: /is connected$/ }).waitFor()
    await consent.close()
  })

export const insertGrant = Effect.fnUntraced(function*(memberId: string, agentName: string) {
  const sql = yield* SqlClient.SqlClient
  const id = yield* newId("gra")
  yield* sql`INSERT INTO grants ${
    sql.insert({
      id,
      member_id: memberId,
      agent_name: agentName,
      agent_client_id: "https://agent.example/client.json",
      access: "read_write",
      created_at: new Date()
    })
  }`
  return id
})
