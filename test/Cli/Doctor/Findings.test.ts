import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { clockFinding } from "../../../src/Cli/Doctor/Network.ts"
import { isOpenToOthers, redirectUriFinding } from "../../../src/Cli/Doctor/Settings.ts"

describe("what oa doctor makes of", () => {
  it.each([
    [[], "skipped"],
    [[0], "ok"],
    [[1, 4], "ok"],
    [[1, 5], "warning"],
    [[59], "warning"],
    [[60, 1], "problem"],
    [[86_400], "problem"]
  ])("clocks that are %j seconds apart: %s", (seconds, status) => {
    assert.strictEqual(clockFinding(seconds.map((each) => Duration.seconds(each))).status, status)
  })

  it.each([
    ["https://oa.example.com", "ok"],
    ["https://oa.example.com/below", "ok"],
    ["http://oa.example.com", "problem"],
    ["https://192.0.2.1", "problem"],
    ["https://[2001:db8::1]:8443", "problem"],
    ["http://127.0.0.1:8787", "warning"],
    ["http://[::1]:8787", "warning"],
    ["http://localhost:8787", "warning"]
  ])("a redirect URI at %s: %s", (base, status) => {
    assert.strictEqual(redirectUriFinding(base).status, status)
  })

  it.each([
    [0o100600, false],
    [0o40700, false],
    [0o100400, false],
    [0o100640, true],
    [0o100604, true],
    [0o40755, true]
  ])("the mode %o: others have a way in, %s", (mode, open) => {
    assert.strictEqual(isOpenToOthers(mode), open)
  })
})
