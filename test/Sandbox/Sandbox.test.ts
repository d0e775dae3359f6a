import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { originsOf } from "../../src/Providers/Provider.ts"
import { providers } from "../../src/Registrations.ts"
import { scopes } from "../../src/Sandbox/Identity/Scopes.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { accessToken, at, clientsOf, now, sandboxAt, send } from "./SandboxFixture.ts"

layer(clientsOf(sandboxAt(now)))("Sandbox", (it) => {
  it.effect("listens on loopback for every origin", () =>
    Effect.gen(function*() {
      const { originIds, urlOf } = yield* Sandbox
      assert.sameMembers([...originIds], originsOf(providers).map(({ id }) => id))
      for (const originId of originIds) assert.match(urlOf(originId), /^http:\/\/127\.0\.0\.1:\d+\/\w+$/)
    }))
})

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

describe("The data", () => {
  it.effect("is the same all day in every sandbox, and changes with the next day", () =>
    Effect.gen(function*() {
      const morning = yield* dataHashAt("2026-03-18T07:00:00Z")
      assert.strictEqual(yield* dataHashAt("2026-03-19T06:59:59Z"), morning)
      assert.notStrictEqual(yield* dataHashAt("2026-03-19T07:00:00Z"), morning)
    }))
})
