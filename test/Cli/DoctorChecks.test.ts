import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { checkClock } from "../../src/Cli/Commands/Doctor/NetworkChecks.ts"
import { checkRedirectUri } from "../../src/Cli/Commands/Doctor/SettingsChecks.ts"
import { isAccessibleToOthers } from "../../src/Sql/DataDir.ts"

describe("oa doctor", () => {
  it.each([
    [[0], "ok"],
    [[1, 5], "warning"],
    [[59], "warning"],
    [[60, 1], "problem"]
  ])("rates clock differences of %j seconds: %s", (seconds, status) => {
    assert.strictEqual(checkClock(seconds.map((each) => Duration.seconds(each))).status, status)
  })

  it.each([
    ["https://oa.example.com", "ok"],
    ["http://oa.example.com", "problem"],
    ["https://192.0.2.1", "problem"],
    ["http://127.0.0.1:8787", "warning"]
  ])("rates a redirect URI with the base %s: %s", (base, status) => {
    assert.strictEqual(checkRedirectUri(base).status, status)
  })

  it.each([
    [0o100600, false],
    [0o40700, false],
    [0o100640, true],
    [0o40755, true]
  ])("says for the file mode %o whether others have access: %s", (mode, open) => {
    assert.strictEqual(isAccessibleToOthers(mode), open)
  })
})
