import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { readFileSync } from "node:fs"
import { type FaultName, faults, findFault, slowSeconds } from "../../../src/Sandbox/Faults/Faults.ts"
import { scopes } from "../../../src/Sandbox/Identity/Scopes.ts"
import { accessToken, at, newRefreshToken, now, refreshed, sandboxAt, send } from "../SandboxFixture.ts"

const siteOf = (name: FaultName) => `https://${name}.sandbox.test/`
const getSite = (name: FaultName, token: string) =>
  send("gsc", `/webmasters/v3/sites/${encodeURIComponent(siteOf(name))}`, { token })

describe("The table of faults", () => {
  it("has each resource once", () => {
    const resources = faults.flatMap(({ file, property, site }) => [file, property, site])
    assert.strictEqual(new Set(resources).size, resources.length)
    for (const { name, site } of faults) assert.strictEqual(site, siteOf(name))
  })

  it("is complete in the README", () => {
    const readme = readFileSync(new URL("../../../src/Sandbox/README.md", import.meta.url), "utf8")
    for (const { name, property } of faults) assert.include(readme, `| \`${name}\` | ${property} |`)
  })

  it("has no ordinary resources", () => {
    assert.isTrue(["sc-domain:fernhill.example", "1", ""].every((id) => findFault(id)._tag === "None"))
  })
})

layer(sandboxAt(now))("The provider's response", (it) => {
  const responses: ReadonlyArray<readonly [FaultName, number, string]> = [
    ["refused-token", 401, "Request had invalid authentication credentials."],
    ["revoked-grant", 401, "Request had invalid authentication credentials."],
    ["permission-denied", 403, "The caller does not have permission"],
    ["throttled", 429, "RATE_LIMIT_EXCEEDED"],
    ["throttled-retry-after", 429, "RATE_LIMIT_EXCEEDED"],
    ["server-error", 500, "Internal error encountered."],
    ["html-error", 502, "<!DOCTYPE html>"],
    ["not-json", 200, "this is not JSON"]
  ]
  for (const [name, status, text] of responses) {
    it.effect(`to ${name} is ${status}`, () =>
      Effect.gen(function*() {
        const answer = yield* getSite(name, yield* accessToken("google", scopes.webmasters))
        assert.strictEqual(answer.status, status)
        assert.include(answer.text, text)
        assert.strictEqual(answer.headers.get("retry-after"), name === "throttled-retry-after" ? "30" : null)
      }))
  }

  it.effect("to expired-token is 401, then 200 once with a new token", () =>
    Effect.gen(function*() {
      const refreshToken = newRefreshToken("google", scopes.webmasters)
      const first = yield* refreshed("google", refreshToken)
      const second = yield* refreshed("google", refreshToken)
      const answers = yield* Effect.forEach([first, first, second, second], (token) => getSite("expired-token", token))
      assert.deepStrictEqual(answers.map(({ status }) => status), [401, 401, 200, 401])
    }))

  it.effect("is the same for a domain property", () =>
    Effect.gen(function*() {
      const token = yield* accessToken("google", scopes.webmasters)
      const { status } = yield* send("gsc", "/webmasters/v3/sites/sc-domain%3Athrottled.sandbox.test", { token })
      assert.strictEqual(status, 429)
    }))

  it.effect("is the same for a resource in the body", () =>
    Effect.gen(function*() {
      const { status } = yield* send("gsc", "/v1/urlInspection/index:inspect", {
        token: yield* accessToken("google", scopes.webmasters),
        json: { siteUrl: siteOf("server-error"), inspectionUrl: `${siteOf("server-error")}a` }
      })
      assert.strictEqual(status, 500)
    }))
})

layer(sandboxAt(now))("The fault slow-answer", (it) => {
  it.effect(`responds correctly after ${slowSeconds} seconds`, () =>
    Effect.gen(function*() {
      const token = yield* accessToken("google", scopes.webmasters)
      const start = yield* Clock.currentTimeMillis
      const fiber = yield* Effect.forkChild(getSite("slow-answer", token))
      while (fiber.pollUnsafe() === undefined) {
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        yield* TestClock.adjust("1 second")
      }
      const { status, text } = yield* Fiber.join(fiber)
      assert.strictEqual(status, 200)
      assert.strictEqual(at(text, "siteUrl"), siteOf("slow-answer"))
      assert.isAtLeast((yield* Clock.currentTimeMillis) - start, slowSeconds * 1000)
    }))
})
