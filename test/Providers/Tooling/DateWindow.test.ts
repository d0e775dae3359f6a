import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import {
  addDays,
  daysBetween,
  daysIn,
  includesDay,
  lastDays,
  monthsBefore,
  today
} from "../../../src/Providers/Tooling/DateWindow.ts"

const zone = DateTime.zoneMakeNamedUnsafe
const at = (instant: string) => TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(instant)))

describe("Date windows", () => {
  it.effect.each([
    { instant: "2026-10-05T06:59:59Z", name: "America/Los_Angeles", day: "2026-10-04" },
    { instant: "2026-10-05T07:00:00Z", name: "America/Los_Angeles", day: "2026-10-05" },
    { instant: "2026-01-05T07:59:59Z", name: "America/Los_Angeles", day: "2026-01-04" },
    { instant: "2026-10-05T10:00:00Z", name: "Pacific/Auckland", day: "2026-10-05" },
    { instant: "2026-10-05T11:00:00Z", name: "Pacific/Auckland", day: "2026-10-06" },
    { instant: "2026-10-05T23:59:59Z", name: "UTC", day: "2026-10-05" }
  ])("it is $day in $name at $instant", ({ day, instant, name }) =>
    Effect.gen(function*() {
      yield* at(instant)
      assert.strictEqual(yield* today(zone(name)), day)
    }))

  it.each([
    { days: 1, end: "2026-10-04", start: "2026-10-04" },
    { days: 7, end: "2026-10-04", start: "2026-09-28" },
    { days: 28, end: "2026-03-01", start: "2026-02-02" },
    { days: 28, end: "2024-03-01", start: "2024-02-03" },
    { days: 2, end: "2026-03-09", start: "2026-03-08" }
  ])("the last $days days to $end start on $start", ({ days, end, start }) => {
    assert.deepStrictEqual(lastDays(days, end), { start, end })
  })

  it.each([
    { from: "2026-02-20", to: "2026-02-20", days: 0 },
    { from: "2026-02-27", to: "2026-03-01", days: 2 },
    { from: "2025-01-01", to: "2026-03-13", days: 436 },
    { from: "2026-03-01", to: "2026-02-27", days: -2 }
  ])("from $from to $to are $days days", ({ days, from, to }) => {
    assert.strictEqual(daysBetween(from, to), days)
  })

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
