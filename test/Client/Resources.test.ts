import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createClient, OpenAccountsError } from "../../src/Client/Client.ts"
import { company } from "../../src/Sandbox/Data/Company.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { sandboxServer } from "../Service/SandboxServer.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestDataDir, TestServer } from "../support/TestServer.ts"

const clients = Effect.gen(function*() {
  const { admin, url } = yield* TestServer
  const { client, name, readOnly } = yield* Effect.flatMap(Sandbox, ({ connections: [first] }) => seed(first))
  const { id: member_id } = yield* admin.members.create({
    payload: { email: `manager-${name}@example.com`, client_ids: null }
  })
  const { key } = yield* admin.keys.create({
    payload: { member_id, name: "manager", manage: ["connections", "connect_links", "webhooks"] }
  })
  return {
    clientId: client.id,
    oa: createClient({ baseUrl: url, apiKey: readOnly }),
    manager: createClient({ baseUrl: url, apiKey: key })
  }
})

const codeOf = (promise: Promise<unknown>) =>
  promise.then(() => "none", (error: unknown) => error instanceof OpenAccountsError ? error.code : error)

layer(sandboxServer({ WEBHOOK_ALLOW_PRIVATE: "true" }).pipe(Layer.provideMerge(TestDataDir.layer)), {
  excludeTestServices: true
})(
  "The client's resources",
  (it) => {
    it.effect("page through the calls of a key, and find a failed one by its id", () =>
      Effect.gen(function*() {
        const { oa } = yield* clients
        yield* Effect.promise(async () => {
          await oa.gsc.sites.list()
          const failed = await oa.gsc.topQueries({ site: company.domain, days: 0 }).catch((error: unknown) => error)
          if (!(failed instanceof OpenAccountsError)) return assert.fail(String(failed))
          const { error_code, outcome } = await oa.logs.get(failed.callId ?? "")
          assert.deepStrictEqual([outcome, error_code], ["error", "invalid_input"])

          const first = await oa.logs.list({ limit: 1, cached: false })
          const second = await oa.logs.list({ limit: 1, cached: false, cursor: first.cursor ?? "" })
          const targets = [...first.calls, ...second.calls].map(({ target }) => target)
          assert.deepStrictEqual([targets, second.cursor], [["tool:gsc_top_queries", "raw:sites.list"], null])
          assert.strictEqual(await codeOf(oa.logs.get("call_1")), "call_not_found")
          assert.strictEqual(await codeOf(oa.logs.list({ limit: 0 })), "invalid_input")
        })
      }))

    it.effect("store, test, list and revoke a connection", () =>
      Effect.gen(function*() {
        const { clientId: client_id, manager, oa } = yield* clients
        const { connections: sandbox } = yield* Sandbox
        const sitesearch = sandbox.find(({ provider }) => provider === "sitesearch") ?? assert.fail("no sitesearch")
        yield* Effect.promise(async () => {
          const { id } = await manager.managedConnections.create({ ...sitesearch, client_id })
          assert.isTrue((await manager.managedConnections.test(id)).ok)
          const { connections } = await oa.connections.list({ provider: "sitesearch" })
          assert.deepStrictEqual(connections.map((each) => each.id), [id])
          assert.strictEqual((await manager.managedConnections.revoke(id)).status, "revoked")
          const { connections: revoked } = await manager.managedConnections.list({ client_id, status: "revoked" })
          assert.deepStrictEqual(revoked.map((each) => each.id), [id])
          assert.strictEqual(await codeOf(manager.managedConnections.test(id)), "connection_inactive")
        })
      }))

    it.effect("create, list and end a connect link", () =>
      Effect.gen(function*() {
        const { clientId: client_id, manager } = yield* clients
        yield* Effect.promise(async () => {
          const { id, providers, url } = await manager.connectLinks.create({ client_id, providers: ["gsc"] })
          assert.match(new URL(url).pathname, /^\/connect\//)
          assert.deepStrictEqual(providers, ["gsc"])
          assert.include((await manager.connectLinks.list()).connect_links.map((link) => link.id), id)
          assert.strictEqual((await manager.connectLinks.end(id)).status, "ended")
          assert.strictEqual(await codeOf(manager.connectLinks.end("lnk_1")), "link_not_found")
          assert.strictEqual(await codeOf(manager.connectLinks.create({ client_id: "cli_1" })), "client_not_found")
        })
      }))

    it.effect("create, change, test and delete a webhook", () =>
      Effect.gen(function*() {
        const { manager } = yield* clients
        const { handle, url } = yield* LoopbackUpstream.make
        handle(() => ({ status: 204 }))
        yield* Effect.promise(async () => {
          const { id, secret } = await manager.webhooks.create({ url, events: ["connection.expired"] })
          assert.match(secret, /^whsec_/)
          assert.isFalse((await manager.webhooks.update(id, { enabled: false })).enabled)
          const test = await manager.webhooks.test(id)
          const { deliveries } = await manager.webhooks.deliveries(id, { limit: 1 })
          assert.deepStrictEqual(deliveries.map((delivery) => [delivery.id, delivery.type]), [[test.id, "test"]])
          assert.strictEqual((await manager.webhooks.redeliver(id, test.id)).id, test.id)
          assert.strictEqual(await codeOf(manager.webhooks.redeliver(id, "evt_1")), "delivery_not_found")
          assert.isUndefined(await manager.webhooks.delete(id))
          assert.strictEqual(await codeOf(manager.webhooks.get(id)), "webhook_not_found")
        })
      }))

    it.effect("keep a dataset, pause it, download its files and delete it", () =>
      Effect.gen(function*() {
        const { adminToken, url } = yield* TestServer
        const { connection } = yield* Effect.flatMap(Sandbox, ({ connections: [first] }) => seed(first))
        const { datasets } = createClient({ baseUrl: url, apiKey: adminToken })
        const since = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10)
        const { id } = yield* Effect.promise(() =>
          datasets.create({
            connection_id: connection.id,
            report: "gsc.searchanalytics",
            resource: `gsc:sc-domain:${company.domain}`,
            since,
            schedule: null
          })
        )
        const { days: counts } = yield* eventually(
          Effect.promise(() => datasets.get(id)),
          ({ status }) => status !== "running"
        )
        yield* Effect.promise(async () => {
          const { days } = await datasets.days(id)
          assert.isAtLeast(days.length, 4)
          assert.deepStrictEqual(counts, { done: days.length, pending: 0, capped: 0, failed: 0 })
          assert.include((await datasets.list()).datasets.map((dataset) => dataset.id), id)
          const { files } = await datasets.files(id)
          assert.lengthOf(files, days.length + 1)
          const [{ bytes, name } = { bytes: 0, name: "" }] = files
          const content = await new Response(await datasets.download(id, name)).bytes()
          assert.strictEqual(content.length, bytes)
          assert.strictEqual(new TextDecoder().decode(content.slice(0, 4)), "PAR1")
          const manifest = await new Response(await datasets.download(id, "manifest.json")).json()
          assert.deepInclude(manifest, { dataset: id, report: "gsc.searchanalytics" })
          assert.strictEqual(await codeOf(datasets.download(id, "day=2020-01-01/data.parquet")), "file_not_found")

          assert.strictEqual((await datasets.pause(id)).status, "paused")
          assert.strictEqual((await datasets.resume(id)).status, "running")
          assert.strictEqual((await datasets.update(id, { name: "Fernhill", paused: true })).name, "Fernhill")
          assert.isUndefined(await datasets.delete(id, { files: true }))
          assert.strictEqual(await codeOf(datasets.get(id)), "dataset_not_found")
        })
      }))

    it.effect("are refused to a key without the right to manage", () =>
      Effect.gen(function*() {
        const { oa } = yield* clients
        assert.strictEqual(yield* Effect.promise(() => codeOf(oa.webhooks.list())), "unauthenticated")
      }))
  }
)
