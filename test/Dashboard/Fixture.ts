import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type * as playwright from "playwright-core"
import type { NewApiKey } from "../../src/Domain/Access/ApiKey.ts"
import type { CreateConnection } from "../../src/Domain/Connection.ts"
import type { Member, NewMember } from "../../src/Domain/Member.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { ownSandbox } from "../Service/SandboxServer.ts"
import { Browser, type PageOptions } from "../support/Browser.ts"
import { shared } from "../support/Shared.ts"
import { originOf, withSession } from "../support/SignedIn.ts"
import { TestServer } from "../support/TestServer.ts"

/** A service of the file's own, for tests that see all of its rows or that need other settings. */
export const ownDashboard = (settings: Readonly<Record<string, string>> = {}) =>
  Layer.merge(ownSandbox(settings), Browser.layer)

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
  const session = yield* withSession(yield* server.admin.members.create({ payload }))
  const [name = "", value = ""] = session.cookie.split("=")
  const page = yield* open(originOf(server), options)
  yield* promise(() => page.context().addCookies([{ name, value, url: originOf(server), httpOnly: true }]))
  return { ...session, page }
})

/** A member, and a page of the dashboard that it has opened. */
export const opened = Effect.fnUntraced(
  function*(path: string, heading: string, more?: Partial<NewMember>, options?: PageOptions) {
    const found = yield* signedIn(more, options)
    yield* visit(found.page, path, heading)
    return found
  }
)

/** A connection whose sign-in has ended. */
export const endedConnection = Effect.fnUntraced(
  function*(more: { readonly label: string } & Partial<CreateConnection>) {
    const { admin } = yield* TestServer
    const payload = {
      provider: "gsc",
      auth_type: "oauth",
      credentials: { refresh_token: "1//ended" },
      ...more
    } as const
    return yield* admin.managedConnections.create({ payload })
  }
)

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

let started = 0

/** A client with the sandbox's accounts, an admin who is signed in, and a key of the admin for one of its files. */
export const startWrites = Effect.fnUntraced(function*(rights: Partial<NewApiKey>) {
  const { admin, request } = yield* TestServer
  const name = `writes-${++started}`
  const connection_id = (yield* connectSandbox(name)).of("gsheets").id
  const { member, page } = yield* signedIn({ role: "admin" })
  const payload = { member_id: member.id, name, access: "read_write", ...rights } as const
  const { id, key } = yield* admin.keys.create({ payload })
  const params = { id }
  const call = (endpoint: string, input: object) =>
    request("POST", "/v1/call", { key, body: { provider: "gsheets", endpoint, input, connection_id } })
  const made = yield* call("spreadsheets.create", { body: { sheets: [{ properties: { title: "Tab" } }] } })
  const file = `${Object(made.json).data?.spreadsheetId}`
  const write = (...values: ReadonlyArray<string>) =>
    call("values.update", {
      path: { spreadsheetId: file, range: "Tab!A1" },
      query: { valueInputOption: "RAW" },
      body: { values: [values] }
    })
  const read = Effect.map(
    call("values.get", { path: { spreadsheetId: file, range: "Tab!A1:B1" } }),
    ({ json }): unknown => Object(json).data?.values
  )
  /** Makes the key ask, and the path of the page that decides about its write. */
  const ask = Effect.fnUntraced(function*(...values: ReadonlyArray<string>) {
    yield* admin.keys.change({ params, payload: { writes: "ask" } })
    const asked = yield* write(...values)
    assert.strictEqual(asked.status, 409, asked.text)
    return `/approvals/${Object(asked.json).error?.details?.approval_id}`
  })
  const allow = admin.keys.change({ params, payload: { writes: "allow" } })
  const revokeKey = admin.keys.revoke({ params })
  return { allow, ask, connection_id, file, key, name, page, params, read, revokeKey, write }
})

/** A member who signs in with a password. */
export const withPassword = Effect.fnUntraced(function*(email: string, client_ids: Member["client_ids"]) {
  const server = yield* TestServer
  const password = "three quiet harbours"
  const { cookie, member, request } = yield* withSession(
    yield* server.admin.members.create({ payload: { email, client_ids } })
  )
  const options = { body: { password }, headers: { cookie, origin: originOf(server) } }
  assert.strictEqual((yield* request("PUT", "/auth/password", options)).status, 204)
  return { member, password }
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
