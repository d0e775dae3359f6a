import { assert, describe, it } from "@effect/vitest"
import { compareFigures, previousWindow } from "../../../src/Providers/Tooling/Comparison.ts"

describe("A comparison", () => {
  it.each(
    [
      ["previous_period", "2026-09-05", "2026-10-02", "2026-08-08", "2026-09-04"],
      ["previous_period", "2026-03-01", "2026-03-01", "2026-02-28", "2026-02-28"],
      ["previous_year", "2026-09-05", "2026-10-02", "2025-09-05", "2025-10-02"],
      ["previous_year", "2024-02-01", "2024-02-29", "2023-02-01", "2023-02-28"],
      ["previous_year", "2025-02-01", "2025-02-28", "2024-02-01", "2024-02-28"]
    ] as const
  )("%s of %s to %s is %s to %s", (comparison, start, end, previousStart, previousEnd) => {
    assert.deepStrictEqual(previousWindow(comparison, { start, end }), { start: previousStart, end: previousEnd })
  })

  it("subtracts the figures as they are shown, and keeps null", () => {
    const before = { clicks: 5, ctr: 0.1, position: null }
    assert.deepStrictEqual(compareFigures({ clicks: 3, ctr: 0.3, position: 4.1 }, before), {
      previous: before,
      change: { clicks: -2, ctr: 0.2, position: null }
    })
    assert.deepStrictEqual(compareFigures({ clicks: 3 }, undefined), {
      previous: { clicks: null },
      change: { clicks: null }
    })
  })
})
