import { assert, describe, it } from "@effect/vitest"
import type { CellValue } from "../../../../src/Providers/Gsheets/CellValues.ts"
import { looksLikeFormula } from "../../../../src/Providers/Gsheets/Writing/FormulaGuard.ts"

describe("A text that looks like a formula", () => {
  it.each<[value: CellValue, looks: boolean]>([
    ["=A1", true],
    ["+1", true],
    ["-1+2", true],
    ["- item", true],
    ["@x", true],
    ["  =A1", true],
    ["\ta", true],
    ["\u3000=A1", true],
    ["\u00A0=A1", true],
    ["＝A1", true],
    ["－A1", true],
    ["-1", false],
    [" -1", false],
    ["-.5", false],
    ["-1e-5", false],
    ["-1,000", false],
    ["-5%", false],
    ["-€5.00", false],
    ["-1.234,50 €", false],
    ["- 1\u202F234,50\u00A0€", false],
    ["-1'000.00", false],
    ["-12,5 %", false],
    ["-250 kr", false],
    ["-R$ 5,00", false],
    ["-CHF 1'000.00", false],
    ["-R$5", true],
    ["-CHF5", true],
    ["-5*A1", true],
    ["-5A1", true],
    ["", false],
    ["a=1", false],
    ["x@y.test", false],
    ["'=A1", false],
    [-1, false],
    [true, false],
    [null, false]
  ])("%j: %s", (value, looks) => assert.strictEqual(looksLikeFormula(value), looks))
})
