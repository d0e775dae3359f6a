import { assert, describe, it } from "@effect/vitest"
import { RecentResponses } from "../../../src/Calls/Cache/RecentResponses.ts"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"

const mebibyte = () => JsonText.trusted(`"${"x".repeat(1024 * 1024 - 2)}"`)

describe("Recent responses", () => {
  it("are kept up to 16 MiB", () => {
    const recent = new RecentResponses()
    for (let number = 0; number < 16; number++) recent.set(`${number}`, mebibyte())
    assert.isDefined(recent.get("0"))
    const last = mebibyte()
    recent.set("last", last)
    assert.isUndefined(recent.get("0"))
    assert.strictEqual(recent.get("last"), last)
  })

  it("count once toward the limit when they change", () => {
    const recent = new RecentResponses()
    recent.set("first", mebibyte())
    for (let times = 0; times < 100; times++) recent.set("second", mebibyte())
    assert.isDefined(recent.get("first"))
  })
})
