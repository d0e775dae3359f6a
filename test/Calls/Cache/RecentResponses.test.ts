import { assert, describe, it } from "@effect/vitest"
import { RecentResponses } from "../../../src/Calls/Cache/RecentResponses.ts"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"

const mebibyte = () => ({ version: "1", body: JsonText.trusted(`"${"x".repeat(1024 * 1024 - 2)}"`) })

describe("Recent responses", () => {
  it("are kept up to 16 MiB, the newest of them", () => {
    const recent = new RecentResponses()
    for (let number = 0; number < 17; number++) recent.set(`${number}`, mebibyte())
    const kept = Array.from({ length: 17 }, (_, number) => recent.get(`${number}`) !== undefined)
    assert.deepStrictEqual(kept, [false, ...Array.from({ length: 16 }, () => true)])
  })

  it("count once toward the limit when they change", () => {
    const recent = new RecentResponses()
    recent.set("first", mebibyte())
    for (let times = 0; times < 100; times++) recent.set("second", mebibyte())
    assert.isDefined(recent.get("first"))
  })
})
