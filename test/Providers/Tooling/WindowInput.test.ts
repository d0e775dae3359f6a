import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { lastDays } from "../../../src/Providers/Tooling/DateWindow.ts"
import { windowInput } from "../../../src/Providers/Tooling/WindowInput.ts"

const window = windowInput({ description: "Length of the window.", minimum: 7, maximum: 31, default: 28 })
const Input = Schema.Struct(window.fields).check(window.rules).pipe(Schema.decode(window.withDefault()))
const decode = validator(Input, ["input"])

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
