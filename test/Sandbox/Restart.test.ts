import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { fakeProviders } from "../../src/Registrations.ts"
import { SandboxStore } from "../../src/Sandbox/Data/SandboxStore.ts"
import { scopes } from "../../src/Sandbox/Identity/Scopes.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { at, newRefreshToken, refreshed, send, setTime } from "./SandboxFixture.ts"

const cell = "/v4/spreadsheets/sandbox-leads/values/Leads!A2"

describe("A restarted sandbox", () => {
  it.effect("keeps changes and revoked grants in the same store", () =>
    Effect.gen(function*() {
      yield* setTime("2026-03-18T17:00:00Z")
      const store = Layer.succeed(SandboxStore, yield* Effect.provide(SandboxStore, SandboxStore.layerMemory))
      const started = Sandbox.layer(fakeProviders).pipe(Layer.provide(store))
      const [kept, revoked] = [newRefreshToken("google", scopes.drive), newRefreshToken("google", scopes.drive)]
      const token = yield* Effect.provide(
        Effect.gen(function*() {
          const token = yield* refreshed("google", kept)
          const json = { values: [["Ada Lovelace"]] }
          yield* send("gsheets", `${cell}?valueInputOption=RAW`, { token, json, method: "PUT" })
          yield* send("googleRevoke", "", { form: { token: revoked } })
          return token
        }),
        Layer.fresh(started)
      )
      yield* setTime("2026-03-18T17:30:00Z")
      yield* Effect.provide(
        Effect.gen(function*() {
          const { text } = yield* send("gsheets", cell, { token })
          assert.deepStrictEqual(at(text, "values"), [["Ada Lovelace"]])
          assert.isNotEmpty(yield* refreshed("google", kept))
          assert.isEmpty(yield* refreshed("google", revoked))
        }),
        Layer.fresh(started)
      )
    }))
})
