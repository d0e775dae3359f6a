import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { validator } from "../../src/Domain/Validation/Validation.ts"
import { addDays, daysIn, includesDay, lastDays, monthsBefore } from "../../src/Providers/Tooling/DateWindow.ts"
import {
  choice,
  enumWithAliases,
  flag,
  integer,
  optionalChoice,
  optionalText,
  text,
  textList
} from "../../src/Providers/Tooling/Fields.ts"
import { probeLimit, type RowPage, slicePage, takePage } from "../../src/Providers/Tooling/Paging.ts"
import { windowInput } from "../../src/Providers/Tooling/WindowInput.ts"

const Input = Schema.Struct({
  site: text({ description: "Site", maxLength: 10 }),
  contains: optionalText({ description: "Contains", maxLength: 5 }),
  exclude: textList({ description: "Exclude", maxItems: 3, maxLength: 9 }),
  device: optionalChoice(["desktop", "mobile"], { description: "Device" }),
  order: choice(["clicks", "position"], { description: "Order", default: "clicks" }),
  limit: integer({ description: "Limit", minimum: 1, maximum: 50, default: 25 }),
  fresh: flag({ description: "Fresh", default: false }),
  type: Schema.optionalKey(enumWithAliases({ web: "WEB", googleNews: "GOOGLE_NEWS" }, { description: "Type" }))
})
const validate = validator(Input, ["input"])
const defaults = { site: "a", exclude: [], order: "clicks", limit: 25, fresh: false }

describe("Tool fields", () => {
  it.each([
    { given: {}, meant: {} },
    { given: { contains: "" }, meant: {} },
    { given: { contains: " " }, meant: { contains: " " } },
    { given: { contains: "🚀🚀🚀🚀🚀" }, meant: { contains: "🚀🚀🚀🚀🚀" } },
    { given: { exclude: "a, b ,," }, meant: {}, issue: ["input", "exclude"] },
    { given: { exclude: [" a", "", "b,c"] }, meant: { exclude: ["a", "b,c"] } },
    { given: { exclude: "a,bbbbbbbb" }, meant: {}, issue: ["input", "exclude"] },
    { given: { exclude: ["a", "b", "c", "d"] }, meant: {}, issue: ["input", "exclude"] },
    { given: { exclude: ["a", "bbbbbbbbbb"] }, meant: {}, issue: ["input", "exclude", 1] },
    { given: { device: "", order: "" }, meant: {} },
    { given: { device: "MOBILE", order: "position" }, meant: { device: "mobile", order: "position" } },
    { given: { device: "Mobile" }, meant: {}, issue: ["input", "device"] },
    { given: { order: "ctr" }, meant: {}, issue: ["input", "order"] },
    { given: { type: "GOOGLE_NEWS" }, meant: { type: "googleNews" } },
    { given: { contains: "abcdef" }, meant: {}, issue: ["input", "contains"] },
    { given: { site: "" }, meant: {}, issue: ["input", "site"] },
    { given: { limit: 0 }, meant: {}, issue: ["input", "limit"] },
    { given: { limit: 1.5 }, meant: {}, issue: ["input", "limit"] }
  ])("reads $given as $meant, or refuses it at $issue", ({ given, issue, meant }) => {
    const result = validate({ site: "a", ...given })
    if (issue === undefined) {
      assert.deepStrictEqual<unknown>(Result.getOrThrow(result), { ...defaults, ...meant })
    } else {
      assert.deepStrictEqual(Result.getOrThrow(Result.flip(result)).map(({ path }) => path), [issue])
    }
  })
})

const window = windowInput({ description: "Length of the window.", minimum: 7, maximum: 31, default: 28 })
const WindowInput = Schema.Struct(window.fields).check(window.rules).pipe(Schema.decode(window.withDefault()))
const decode = validator(WindowInput, ["input"])

describe("The window of a tool", () => {
  it.each([
    { input: {}, start: "2026-09-07" },
    { input: { days: 28 }, start: "2026-09-07" },
    { input: { days: 7, start: "", end: "" }, start: "2026-09-28" },
    { input: { start: "2026-01-31", end: "2026-01-31" }, start: "2026-01-31", end: "2026-01-31" }
  ])("of $input starts on $start", ({ end = "2026-10-04", input, start }) => {
    const decoded = Result.getOrThrow(decode(input))
    assert.deepStrictEqual(window.resolve(decoded, (days) => lastDays(days, "2026-10-04")), { start, end })
  })

  it.each([
    {
      input: { days: 28, start: "2026-01-01", end: "2026-01-02" },
      at: "days",
      message: "Expected either days or start"
    },
    { input: { start: "2026-01-01" }, at: "end", message: "Required with start" },
    { input: { end: "2026-01-01" }, at: "start", message: "Required with end" },
    { input: { start: "2026-01-02", end: "2026-01-01" }, at: "start", message: "not after end" },
    { input: { start: "2026-01-01", end: "2026-02-01" }, at: "start", message: "at most 31 days; it has 32" },
    { input: { start: "2026-02-30", end: "2026-03-01" }, at: "start", message: "a day that exists" },
    { input: { start: "2025-02-01", end: "2025-02-29" }, at: "end", message: "a day that exists" },
    { input: { days: 6 }, at: "days", message: "between 7 and 31" }
  ])("refuses $input at $at", ({ at, input, message }) => {
    const [issue, ...others] = Result.getOrThrow(Result.flip(decode(input)))
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(issue?.path, ["input", at])
    assert.include(issue?.message, message)
  })

  it("the default is the same input as no days, which the cache compares", () => {
    assert.deepStrictEqual(decode({}), decode({ days: 28 }))
  })
})

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

describe("Paging", () => {
  it("a next page beyond the largest offset has no next_offset", () => {
    const page = { rows: ["a"], info: { returned: 1, has_more: true } }
    assert.deepStrictEqual(takePage(["a", "b"], { limit: 1, offset: 9 }, 9), page)
    assert.deepStrictEqual(takePage(["a", "b"], { limit: 1, offset: 8 }, 9).info.next_offset, 9)
  })

  it("following next_offset returns every row once", () => {
    fc.assert(fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 7 }), (all, limit) => {
      const seen: Array<number> = []
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const page: RowPage<number> = takePage(all.slice(offset, offset + probeLimit({ limit, offset })), {
          limit,
          offset
        })
        assert.deepStrictEqual(page, slicePage(all, { limit, offset }))
        seen.push(...page.rows)
        offset = page.info.next_offset
      }
      assert.deepStrictEqual(seen, all)
    }))
  })
})
