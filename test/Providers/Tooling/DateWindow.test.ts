import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { addDays, daysIn, includesDay, lastDays, monthsBefore } from "../../../src/Providers/Tooling/DateWindow.ts"

describe("Date windows", () => {
  it.each([
    { day: "2024-02-29", months: 12, earlier: "2023-02-28" },
    { day: "2025-02-28", months: 12, earlier: "2024-02-28" },
    { day: "2026-07-31", months: 1, earlier: "2026-06-30" },
    { day: "2026-11-24", months: 16, earlier: "2025-07-24" }
  ])("$months months before $day it was $earlier", ({ day, earlier, months }) => {
    assert.strictEqual(monthsBefore(day, months), earlier)
  })

  it("a window of N days contains N days, including both ends", () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 1100 }), fc.integer({ min: 0, max: 20_000 }), (days, since) => {
      const end = addDays("1990-01-01", since)
      const window = lastDays(days, end)
      assert.strictEqual(addDays(window.start, days - 1), end)
      assert.strictEqual(daysIn(window), days)
      assert.isTrue(includesDay(window, window.start) && includesDay(window, window.end))
      assert.isFalse(includesDay(window, addDays(window.start, -1)) || includesDay(window, addDays(window.end, 1)))
    }))
  })
})
