import { assert, describe, it } from "@effect/vitest"
import { nameNearest, nearest, nearestParts } from "../../../src/Domain/Text/Nearest.ts"

const channels = ["Direct", "Organic Search", "Email", "Organic Social"]

describe("The nearest texts", () => {
  it.each([
    { wanted: "organic serch", found: ["Organic Search", "Organic Social"] },
    { wanted: "drect", found: ["Direct", "Organic Search"] }
  ])("have the part closest to $wanted", ({ found, wanted }) => {
    assert.deepStrictEqual(nearestParts(wanted, channels, 2), found)
  })

  it.each([
    ["Ledas", "Leads, Orders, Archive leads and 2 more"],
    ["archive", "Archive leads, Orders, A and 2 more"],
    ["Q3 orders", "Orders, Leads, Archive leads and 2 more"]
  ])("of %j are three, with the number of the others: %s", (wanted, named) => {
    const tabs = ["Stock", "Archive leads", "Orders", "Leads", "A"]
    assert.strictEqual(nameNearest(wanted, tabs, (tab) => tab), named)
    assert.strictEqual(nameNearest(wanted, ["A", "B"], (tab) => tab, JSON.stringify), `"A", "B"`)
  })

  it("compares whole names", () => {
    assert.deepStrictEqual(nearest("site.list", ["sites.get", "sites.list"], (name) => name, 1), ["sites.list"])
    assert.deepStrictEqual(nearest("gcs", ["gdocs", "gsc"], (name) => name, 1), ["gsc"])
    assert.deepStrictEqual(nearest("get", ["sites.get", "gets"], (name) => name, 1), ["gets"])
  })
})
