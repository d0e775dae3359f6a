import { assert, describe, it, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Schema } from "effect"
import { features } from "../../src/Features/Features.ts"
import { configuredFeatures, without } from "../../src/Features/FeaturesOff.ts"
import { TestServer } from "../support/TestServer.ts"

const Document = Schema.Struct({ paths: Schema.Record(Schema.String, Schema.Unknown) })

const pathsOf = Effect.gen(function*() {
  const { request } = yield* TestServer
  const { json } = yield* request("GET", "/openapi.json")
  return Object.keys(Schema.decodeUnknownSync(Document)(json).paths)
})

const routes: Readonly<Record<string, string>> = {
  datasets: "/admin/v1/datasets"
}

/** Features that need this one are left out with it. */
const withoutAll = (name: string): ReadonlyArray<string> => [
  name,
  ...features.filter(({ needs }) => needs?.includes(name)).flatMap((each) => withoutAll(each.name))
]

for (const { name } of features) {
  const left = without(features, ...withoutAll(name))
  layer(TestServer.make({}, { features: left }))(`A server without ${name}`, (it) => {
    it.effect("has none of its routes, and says so", () =>
      Effect.gen(function*() {
        const { admin, adminToken, request } = yield* TestServer
        assert.notProperty((yield* admin.status.read()).features, name)
        const path = routes[name]
        if (path === undefined) return
        const response = yield* request("GET", path, { key: adminToken })
        assert.strictEqual(response.status, 404)
        assert.nestedPropertyVal(response.json, "error.code", "route_not_found")
        assert.deepStrictEqual((yield* pathsOf).filter((each) => each.startsWith(path)), [])
      }))
  })
}

const configured = (off: string) =>
  Effect.provide(configuredFeatures(features), ConfigProvider.layer(ConfigProvider.fromUnknown({ FEATURES_OFF: off })))

describe("FEATURES_OFF", () => {
  it.effect("leaves features out", () =>
    Effect.map(configured(" datasets, "), (on) => assert.deepStrictEqual(on, without(features, "datasets"))))

  it.effect("refuses a name that no feature has", () =>
    Effect.gen(function*() {
      const { message } = yield* Effect.flip(configured("dataset"))
      assert.match(message, /^FEATURES_OFF names "dataset", which is no feature\. The features are .*datasets/)
    }))
})
