import { assert, describe, it } from "@effect/vitest"
import { nearest, nearestParts } from "../../../src/Domain/Text/Nearest.ts"

const channels = ["Direct", "Organic Search", "Email", "Organic Social"]

describe("The nearest texts", () => {
  it.each([
    { wanted: "organic serch", found: ["Organic Search", "Organic Social"] },
    { wanted: "drect", found: ["Direct", "Organic Search"] }
  ])("have the part closest to $wanted", ({ found, wanted }) => {
    assert.deepStrictEqual(nearestParts(wanted, channels, 2), found)
  })

  it("compares whole names", () => {
    assert.deepStrictEqual(nearest("site.list", ["sites.get", "sites.list"], (name) => name, 1), ["sites.list"])
    assert.deepStrictEqual(nearest("get", ["sites.get", "gets"], (name) => name, 1), ["gets"])
  })
})
