import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect } from "effect"
import { settingProblem } from "../src/Cli/Failure.ts"
import { connectionLimits } from "../src/Settings.ts"

const parse = (settings: Readonly<Record<string, string>>) =>
  connectionLimits.parse(ConfigProvider.fromUnknown(settings))

describe("what clients may take of the server", () => {
  it.effect("is five minutes a request and ten thousand connections, unless it is set", () =>
    Effect.gen(function*() {
      const unset = yield* parse({})
      assert.deepStrictEqual([Duration.toMinutes(unset.requestTimeout), unset.maxConnections], [5, 10_000])
      const set = yield* parse({ REQUEST_TIMEOUT: "90 seconds", MAX_CONNECTIONS: "500" })
      assert.deepStrictEqual([Duration.toSeconds(set.requestTimeout), set.maxConnections], [90, 500])
    }))

  it.effect.each([
    ["REQUEST_TIMEOUT", "0 seconds"],
    ["REQUEST_TIMEOUT", "Infinity"],
    ["REQUEST_TIMEOUT", "soon"],
    ["MAX_CONNECTIONS", "0"],
    ["MAX_CONNECTIONS", "2.5"]
  ])("is not %s=%s", ([name = "", value = ""]) =>
    Effect.gen(function*() {
      const problem = settingProblem(yield* Effect.flip(parse({ [name]: value })))
      assert.match(problem, new RegExp(`^${name}: Expected `))
    }))
})
