import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { connectionsOf, memberWith, sitesList } from "../../Http/Fixture.ts"
import { sandboxServer } from "../../Service/SandboxServer.ts"
import { assertError } from "../../support/Answer.ts"
import { KeyFilePath } from "../../support/KeyFileFolder.ts"
import { keyFile } from "../../support/ServiceAccountFile.ts"
import { cookieOf } from "../../support/SignedIn.ts"
import { keyFor, TestDataDir, TestServer } from "../../support/TestServer.ts"
import { ask, hiddenIn, makeLink } from "./Fixture.ts"

const World = Layer.unwrap(
  Effect.map(KeyFilePath, (path) => sandboxServer({ GOOGLE_SERVICE_ACCOUNT_FILE: path }))
).pipe(Layer.provideMerge(TestDataDir.layer))

const invite = Effect.fnUntraced(function*(path: string, provider: string, resource: string) {
  const checked = yield* ask(path, { form: { provider, method: "service_account", resource } })
  const cookie = cookieOf(checked)
  const page = (yield* ask(path, { cookie })).text
  // As if the whole account had been offered.
  const forged = { pending: hiddenIn(page, "pending"), offered: `${provider} 99`, [`of_${provider}`]: "forged" }
  return { checked, page, confirm: ask(`${path}/confirm`, { cookie, form: forged }) }
})

const connect = Effect.fnUntraced(function*(provider: string, resource: string) {
  const { client, path } = yield* makeLink({ providers: [provider] })
  const { confirm, page } = yield* invite(path, provider, resource)
  assert.strictEqual((yield* confirm).status, 303)
  const [connection = assert.fail()] = yield* connectionsOf(client.id)
  return { client, connection, page }
})

const fernhill = "gsc:sc-domain:fernhill.example"

layer(World, { excludeTestServices: true })("A visitor who invites the operator's service account", (it) => {
  const invitations = [
    ["gsc", "fernhill.example", fernhill],
    ["ga4", "410000011", "ga4:properties/410000011"],
    ["gsheets", "https://docs.google.com/spreadsheets/d/sandbox-leads/edit#gid=0", "gsheets:sandbox-leads"],
    ["gdocs", "https://docs.google.com/document/d/sandbox-plan/edit", "gdocs:sandbox-plan"]
  ] as const
  for (const [provider, entered, resource] of invitations) {
    it.effect(`connects exactly what it entered at ${provider}, and sees nothing else of the account`, () =>
      Effect.gen(function*() {
        const { connection, page } = yield* connect(provider, entered)
        assert.deepStrictEqual(connection.resources, [resource])
        assert.include(page, `It will reach ${resource.slice(provider.length + 1)} and nothing else`)
        assert.notInclude(page, "type=\"checkbox\"")
        for (const other of ["blog.fernhill.example", "410000012", "sandbox-stock"]) assert.notInclude(page, other)
      }))
  }

  it.effect("reconnects a connection with what it is bound to, and narrows one without a bound", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { client, connection } = yield* connect("gsc", "fernhill.example")
      const params = { id: connection.id }
      const resourcesOf = Effect.map(connectionsOf(client.id), ([found]) => found?.resources)
      const { path: again } = yield* makeLink({ connection_id: connection.id })
      const blog = "https://blog.fernhill.example/"
      const refused = yield* invite(again, "gsc", blog)
      assert.strictEqual(refused.checked.status, 400)
      assert.include(refused.checked.text, "This connection is for something else")
      assert.deepStrictEqual(yield* resourcesOf, [fernhill])

      yield* admin.managedConnections.change({ params, payload: { resources: null } })
      const { confirm } = yield* invite(again, "gsc", blog)
      assert.strictEqual((yield* confirm).status, 303)
      assert.deepStrictEqual(yield* resourcesOf, [`gsc:${blog}`])
    }))

  it.effect("cannot undo a bound that the operator narrowed before the confirmation", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { client, connection } = yield* connect("gsc", "fernhill.example")
      const { path } = yield* makeLink({ connection_id: connection.id })
      const { confirm } = yield* invite(path, "gsc", "fernhill.example")
      yield* admin.managedConnections.change({ params: { id: connection.id }, payload: { resources: [] } })
      assert.strictEqual((yield* confirm).status, 303)
      assert.deepStrictEqual((yield* connectionsOf(client.id))[0]?.resources, [])
    }))
})

layer(World, { excludeTestServices: true })("A key that manages the connections of one client", (it) => {
  it.effect("cannot widen what the operator's credentials reach, and can narrow it", () =>
    Effect.gen(function*() {
      const { admin, api, request } = yield* TestServer
      const { client, connection } = yield* connect("gsc", "fernhill.example")
      const agency = { provider: "gsc", auth_type: "service_account", credentials: keyFile, label: "Agency" } as const
      const bound = { client_id: client.id, resources: [fernhill] }
      const parent = yield* admin.managedConnections.create({ payload: agency })
      const derived = yield* admin.managedConnections.create({
        payload: { ...bound, parent_id: parent.id, label: "Derived" }
      })
      const labelled = yield* admin.managedConnections.create({
        payload: { ...agency, ...bound, label: "Labelled", external_account: "somebody@example.com" }
      })
      const { member } = yield* memberWith([client.id])
      const key = yield* keyFor(member, { manage: ["connections"] })
      const change = (id: string, resources: ReadonlyArray<string> | null) =>
        request("PATCH", `/admin/v1/connections/${id}`, { key, body: { resources } })
      for (const { id } of [connection, derived, labelled]) {
        for (const wider of [null, [fernhill, "gsc:https://blog.fernhill.example/"]]) {
          assertError(yield* change(id, wider), 403, "forbidden")
        }
        const { data } = yield* api(key).call.call({ payload: { ...sitesList, connection_id: id } })
        assert.deepStrictEqual(Object(data).siteEntry.map(Object).map(({ siteUrl }: { siteUrl: string }) => siteUrl), [
          "sc-domain:fernhill.example"
        ])
        assert.strictEqual((yield* change(id, [])).status, 200)
      }
      const own = yield* admin.managedConnections.create({
        payload: {
          provider: "sitesearch",
          auth_type: "api_key",
          credentials: { api_key: "f3a9c1d27b604e58912d6c0ab7e4d135" },
          client_id: client.id,
          label: "Own",
          resources: []
        }
      })
      assert.strictEqual((yield* change(own.id, null)).status, 200)
    }))
})
