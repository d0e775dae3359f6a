import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Predicate, Result, Schema } from "effect"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { gsc } from "../../src/Providers/Gsc/Provider.ts"
import { Origins } from "../../src/Providers/Origins.ts"
import { endpoint, type Provider } from "../../src/Providers/Provider.ts"
import { registrations } from "../../src/Registrations.ts"
import { SandboxStore } from "../../src/Sandbox/Data/SandboxStore.ts"
import { scopes } from "../../src/Sandbox/Identity/Scopes.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { Database } from "../../src/Sql/Database.ts"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { accessToken, at, sandboxAt, send } from "./SandboxFixture.ts"

const dataHashAt = (instant: string) =>
  Effect.gen(function*() {
    const token = yield* accessToken("google", scopes.webmastersReadonly)
    const { text } = yield* send("gsc", "/webmasters/v3/sites/sc-domain%3Afernhill.example/searchAnalytics/query", {
      token,
      json: {
        startDate: "2024-01-01",
        endDate: "2026-12-31",
        dimensions: ["date", "query", "page", "country", "device"],
        dataState: "all"
      }
    })
    assert.strictEqual(at(text, "rows", "length"), 1000)
    return createHash("sha256").update(text).digest("hex")
  }).pipe(Effect.provide(sandboxAt(instant)))

const Embedded = SandboxStore.layer.pipe(
  Layer.provide(Layer.unwrap(Effect.map(dataFolder, (folder) => Database.layerEmbedded(join(folder, "db"))))),
  Layer.provide(NodeServices.layer)
)

const origin = { id: "notes", setting: "NOTES_BASE_URL", url: "https://api.notes.example" }
const row = { description: "", method: "GET", origin, writes: false, scopes: [], resources: "none" } as const
const list = endpoint({ ...row, id: "list", path: "/notes", input: Schema.Struct({}) })
const path = Schema.Struct({ id: Schema.String })
const get = endpoint({ ...row, id: "get", path: "/notes/{id}", input: Schema.Struct({ path }) })

const notes: Provider = {
  id: "notes",
  name: "Notes",
  authentication: {},
  scopes: { read: [], write: [] },
  endpoints: [list, get],
  tools: [],
  resourceName: () => undefined,
  cheapestRead: list,
  classify: () => "ok",
  errorMessage: () => undefined
}

// @ts-expect-error: a connection test has no id to read.
export const needsAnId: Provider = { ...notes, cheapestRead: get }

describe("The sandbox", () => {
  it.effect("has the same data all day, and other data the next day", () =>
    Effect.gen(function*() {
      const morning = yield* dataHashAt("2026-03-18T07:00:00Z")
      assert.strictEqual(yield* dataHashAt("2026-03-19T06:59:59Z"), morning)
      assert.notStrictEqual(yield* dataHashAt("2026-03-19T07:00:00Z"), morning)
    }))

  it.effect.each([{ store: "in memory", layer: SandboxStore.layerMemory }, { store: "on disk", layer: Embedded }])(
    "keeps all concurrent changes $store, and the value when a change fails",
    ({ layer }) =>
      Effect.gen(function*() {
        const store = yield* SandboxStore
        const increment = store.modify("counter", "c1", (current) => {
          const next = Option.match(current, { onNone: () => 1, onSome: (n) => Predicate.isNumber(n) ? n + 1 : NaN })
          return Result.succeed({ result: next, next })
        })
        const results = yield* Effect.all(Array.from({ length: 20 }, () => increment), { concurrency: "unbounded" })
        assert.deepStrictEqual(results.toSorted((a, b) => a - b), Array.from({ length: 20 }, (_, i) => i + 1))
        const refused = yield* Effect.flip(store.modify("counter", "c1", () => Result.fail("refused" as const)))
        assert.strictEqual(refused, "refused")
        assert.deepStrictEqual(yield* store.get("counter", "c1"), Option.some(20))
      }).pipe(Effect.provide(Layer.fresh(layer)))
  )

  it.effect("leaves a provider of one's own its base URL, if it has no fake", () =>
    Effect.gen(function*() {
      const urlOf = yield* Origins
      assert.strictEqual(urlOf(origin), "http://127.0.0.1:9")
      assert.match(urlOf(gsc.endpoints[0]?.origin ?? origin), /^http:\/\/127\.0\.0\.1:\d+\/gsc$/)
    }).pipe(
      Effect.provide(
        Sandbox.originsLayerOf([notes]).pipe(
          Layer.provide(Sandbox.layerMemory(registrations.flatMap(({ fake }) => fake ?? []).slice(0, 1)))
        )
      ),
      Effect.provideService(
        ConfigProvider.ConfigProvider,
        ConfigProvider.fromUnknown({ NOTES_BASE_URL: "http://127.0.0.1:9/" })
      )
    ))
})
