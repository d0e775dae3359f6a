import { assert, describe, it } from "@effect/vitest"
import { RecentResponses } from "../../../src/Calls/Cache/RecentResponses.ts"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"

const ofLength = (length: number) => ({ version: "1", body: JsonText.trusted(`"${"x".repeat(length - 2)}"`) })
/** In memory, a character may take two bytes. */
const mebibyte = () => ofLength(1024 * 512)

const keptOf = (recent: RecentResponses, count: number) =>
  Array.from({ length: count }, (_, number) => recent.get(`${number}`) === undefined ? [] : [number]).flat()

describe("Recent responses", () => {
  it("are kept up to 16 MiB, those that were served last", () => {
    const recent = new RecentResponses()
    for (let number = 0; number < 15; number++) recent.set(`${number}`, mebibyte())
    recent.get("0")
    recent.set("15", mebibyte())
    assert.deepStrictEqual(keptOf(recent, 16), [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
  })

  it("are bounded also when they are short", () => {
    const recent = new RecentResponses()
    for (let number = 0; number < 70_000; number++) recent.set(`${number}`, ofLength(2))
    assert.isBelow(keptOf(recent, 70_000).length, 65_536)
  })

  it("count once toward the limit when they change, and not when they are gone", () => {
    const recent = new RecentResponses()
    recent.set("first", mebibyte())
    for (let times = 0; times < 100; times++) recent.set("second", mebibyte())
    for (let times = 0; times < 100; times++) {
      recent.set("third", mebibyte())
      recent.delete("third")
    }
    assert.isDefined(recent.get("first"))
    for (let number = 0; number < 15; number++) recent.set(`${number}`, mebibyte())
    recent.clear()
    assert.isUndefined(recent.get("first"))
    for (let number = 0; number < 15; number++) recent.set(`${number}`, mebibyte())
    assert.lengthOf(keptOf(recent, 15), 15)
  })
})
