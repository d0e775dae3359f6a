import { NodeServices } from "@effect/platform-node"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Config, ConfigProvider, Effect, FileSystem, Layer, Option, Redacted } from "effect"
import { day } from "../../src/Calls/Log/Storage/LogDay.ts"
import { addHistory } from "../../src/Cli/Commands/Demo/History.ts"
import { addConnectLink, addWebhook } from "../../src/Cli/Commands/Demo/Neighbors.ts"
import { seed, signInLink } from "../../src/Cli/Commands/Demo/Seed.ts"
import { dataDirPath, demoSettings } from "../../src/Cli/DemoSettings.ts"
import { sandboxGuide } from "../../src/Cli/Sandbox/SandboxGuide.ts"
import { sandboxServiceAccount } from "../../src/Cli/Sandbox/SandboxServiceAccount.ts"
import { databaseServer, isSandboxed } from "../../src/Settings.ts"
import { callWith, sandboxServer } from "../Service/SandboxServer.ts"
import { eventually } from "../support/Eventually.ts"
import { TestDataDir, TestServer } from "../support/TestServer.ts"
import { runOa } from "./RunCli.ts"

const services = Layer.merge(NodeServices.layer, NodeHttpClient.layerUndici)

const withSettings = (settings: Readonly<Record<string, string>>) =>
  ConfigProvider.layer(ConfigProvider.fromUnknown(settings))

const demoServer = sandboxServer({ WEBHOOK_ALLOW_PRIVATE: "true" }).pipe(
  Layer.provideMerge(TestDataDir.layer),
  Layer.provideMerge(services)
)

layer(demoServer, { excludeTestServices: true })("The demo", (it) => {
  it.effect("makes its keys and connections once, however often it runs, and new keys when one was revoked", () =>
    Effect.gen(function*() {
      const { admin, url } = yield* TestServer
      const first = yield* seed(url)
      const { client_id } = first
      const own = Effect.map(admin.managedConnections.list({ query: { client_id } }), ({ connections }) => connections)
      const keys = Effect.map(admin.keys.list({ query: {} }), ({ keys }) => keys)
      const [connections, before] = [yield* own, yield* keys]
      assert.sameMembers(connections.map(({ provider }) => provider), ["gsc", "ga4", "sitesearch", "gsheets", "gdocs"])
      for (const { id } of connections.slice(0, 2)) yield* admin.managedConnections.revoke({ params: { id } })

      assert.deepStrictEqual(yield* seed(url), first)
      assert.deepStrictEqual(
        (yield* own).map(({ id, status }) => [id, status]),
        connections.map(({ id }) => [id, "active"])
      )
      assert.lengthOf(yield* keys, before.length)
      yield* callWith(first.read_only_key)({ provider: "gsc", endpoint: "sites.list" })
      yield* callWith(first.read_write_key)({ provider: "ga4", tool: "ga4_list_properties" })

      const readOnly = before.find(({ hint }) => first.read_only_key.endsWith(hint))
      yield* admin.keys.revoke({ params: { id: `${readOnly?.id}` } })
      const second = yield* seed(url)
      assert.notStrictEqual(second.read_only_key, first.read_only_key)
      assert.strictEqual(second.client_id, client_id)
      yield* callWith(second.read_only_key)({ provider: "gsc", endpoint: "sites.list" })
    }))

  it.effect("writes a service account file once, which connects to every Google provider", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const fs = yield* FileSystem.FileSystem
      const path = yield* sandboxServiceAccount
      const text = yield* fs.readFileString(path)
      assert.strictEqual((yield* fs.stat(path)).mode & 0o777, 0o600)
      for (const provider of ["gsc", "ga4", "gsheets", "gdocs"]) {
        yield* admin.managedConnections.create({
          payload: { provider, auth_type: "service_account", credentials: JSON.parse(text), label: "robot", test: true }
        })
      }
      yield* sandboxServiceAccount
      assert.strictEqual(yield* fs.readFileString(path), text)
    }))

  it.effect("prints an API key that the sandbox accepts, and ids of its data", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const guide = sandboxGuide("/srv/key.json")
      const [, api_key = ""] = /API key, for sitesearch: (\S+)/.exec(guide) ?? []
      yield* admin.managedConnections.create({
        payload: { provider: "sitesearch", auth_type: "api_key", credentials: { api_key }, label: "key", test: true }
      })
      for (const id of ["/srv/key.json", "sc-domain:fernhill.example", "410000011", "sandbox-leads", "sandbox-plan"]) {
        assert.include(guide, id)
      }
      assert.notInclude(guide, "old.fernhill.example")
      for (const line of guide.split("\n")) assert.isAtMost(line.length, 80)
    }))
})

layer(Layer.fresh(demoServer), { excludeTestServices: true })("The demo, once it is used", (it) => {
  it.effect("has a history, which fills the log and the statistics with the calls of two months, once", () =>
    Effect.gen(function*() {
      const { admin, url } = yield* TestServer
      const webhook = yield* addWebhook(url)
      const seeded = yield* seed(url)
      const link = yield* addConnectLink(url)
      yield* Effect.flatten(addHistory(url, seeded))
      const since = new Date(Date.now() - 60 * day)
      const figures = Effect.map(admin.adminStats.read({ query: { since } }), ({ buckets }) => buckets)
      const sum = (days: Effect.Success<typeof figures>) => days.reduce((sum, { calls }) => sum + calls, 0)
      const days = yield* figures
      assert.isAtLeast(days.length, 60)
      const calls = sum(days)
      assert.isAbove(sum(days.slice(-30)), sum(days.slice(-60, -30)))
      let logged = 0
      let cursor: string | null = null
      do {
        const page: { readonly calls: ReadonlyArray<unknown>; readonly cursor: string | null } = yield* admin.adminLogs
          .list({ query: { limit: 200, ...cursor === null ? {} : { cursor } } })
        logged += page.calls.length
        cursor = page.cursor
      } while (cursor !== null)
      assert.strictEqual(logged, calls)
      const { connections } = yield* admin.managedConnections.list({ query: { status: "expired" } })
      assert.deepStrictEqual(
        connections.map(({ label, last_error }) => [label, last_error?.code]),
        [["Larchwood: Analytics", "credentials_expired"]]
      )
      yield* signInLink(url)

      const { grants } = yield* admin.grants.list({ query: {} })
      const used = yield* admin.adminLogs.list({ query: { grant_id: grants[1]?.id ?? "", limit: 1 } })
      assert.deepStrictEqual(grants.map(({ agent }) => agent.name), ["Report helper", "Claude Code"])
      assert.deepStrictEqual(grants.map(({ last_used_at }) => last_used_at), [null, used.calls[0]?.created_at])

      yield* Effect.flatten(addHistory(url, seeded))
      yield* signInLink(url)
      yield* admin.webhooks.create({ payload: { url: "http://127.0.0.1:9/own", events: ["key.created"] } })
      assert.strictEqual((yield* addWebhook(url)).id, webhook.id)
      assert.strictEqual((yield* addConnectLink(url)).id, link.id)
      assert.strictEqual(sum(yield* figures), calls)
      yield* eventually(
        admin.webhooks.deliveries({ params: { id: webhook.id }, query: {} }),
        ({ deliveries }) => deliveries.some(({ status }) => status === "delivered")
      )
      const { members } = yield* admin.members.list({ query: {} })
      assert.sameMembers(members.map(({ email }) => email), [
        "demo@example.com",
        "sam@example.com",
        "admin@example.com"
      ])
    }))
})

describe("The settings of the demo", () => {
  it.effect("have a data folder of their own, and no database server, whatever the environment has", () =>
    Effect.gen(function*() {
      const found = yield* Effect.all({
        dataDir: Config.NonEmptyString("DATA_DIR"),
        server: databaseServer,
        keys: Config.option(Config.Redacted("ENCRYPTION_KEYS")),
        sandboxed: isSandboxed,
        port: Config.Int("PORT"),
        token: Config.Redacted("ADMIN_TOKEN")
      })
      assert.deepStrictEqual(found, {
        dataDir: "/srv/oa/demo",
        server: Option.none(),
        keys: Option.none(),
        sandboxed: true,
        port: 9000,
        token: Redacted.make("t".repeat(32))
      })
    }).pipe(
      Effect.provide(demoSettings.pipe(
        Layer.provide(withSettings({
          DATA_DIR: "/srv/oa",
          DATABASE_URL: "postgres://oa@database/oa",
          DATABASE_POOLER: "transaction",
          DATABASE_DIRECT_URL: "postgres://oa@database/oa",
          ENCRYPTION_KEYS: "k1:x",
          PROVIDER_MODE: "live",
          PORT: "9000",
          ADMIN_TOKEN: "t".repeat(32)
        })),
        Layer.provide(NodeServices.layer)
      ))
    ))

  it.effect("are found by `oa` while the demo runs and no other server does", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const pathOf = Effect.provide(dataDirPath, withSettings({ DATA_DIR: folder }))
      yield* fs.makeDirectory(`${folder}/demo`)
      assert.strictEqual(yield* pathOf, folder)
      yield* fs.writeFileString(`${folder}/demo/db.pid`, `${process.ppid}\n`)
      assert.strictEqual(yield* pathOf, `${folder}/demo`)
      const { stdout } = yield* runOa(["doctor", "--json"], { settings: { DATA_DIR: folder, PORT: "1" } })
      assert.match(stdout, /"check": "demo",\s+"status": "ok"/)
      assert.include(stdout, "the built-in sandbox")

      yield* fs.writeFileString(`${folder}/db.pid`, `${process.ppid}\n`)
      assert.strictEqual(yield* pathOf, folder)
    }).pipe(Effect.provide(NodeServices.layer)))
})
