import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { type FaultName, faults } from "../../../src/Sandbox/Faults/Faults.ts"
import { scopes } from "../../../src/Sandbox/Identity/Scopes.ts"
import { newRefreshToken, now, refreshed, sandboxAt, send } from "../SandboxFixture.ts"

const siteOf = (name: FaultName) => `https://${name}.sandbox.test/`
const getSite = (name: FaultName, token: string) =>
  send("gsc", `/webmasters/v3/sites/${encodeURIComponent(siteOf(name))}`, { token })

describe("The table of faults", () => {
  it("is complete in the guide", () => {
    const guide = readFileSync(new URL("../../../docs/sandbox.md", import.meta.url), "utf8")
    for (const { name, property } of faults) assert.include(guide, `| \`${name}\` | ${property} |`)
  })
})

layer(sandboxAt(now))("The provider's response", (it) => {
  it.effect("to expired-token is 401, then 200 once with a new token", () =>
    Effect.gen(function*() {
      const refreshToken = newRefreshToken("google", scopes.webmasters)
      const first = yield* refreshed("google", refreshToken)
      const second = yield* refreshed("google", refreshToken)
      const answers = yield* Effect.forEach([first, first, second, second], (token) => getSite("expired-token", token))
      assert.deepStrictEqual(answers.map(({ status }) => status), [401, 401, 200, 401])
    }))
})
