import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Schema } from "effect"
import { gsc } from "../../src/Providers/Gsc/Provider.ts"
import { Origins } from "../../src/Providers/Origins.ts"
import { endpoint, type Provider } from "../../src/Providers/Provider.ts"
import { registrations } from "../../src/Registrations.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"

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

describe("A provider of one's own", () => {
  it.effect("without a fake keeps its base URL in the sandbox", () =>
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
