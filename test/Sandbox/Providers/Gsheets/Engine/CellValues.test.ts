import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { numberText } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/NumberText.ts"
import { isRealDate, momentOf, serialOfDate } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/Serial.ts"
import type { NumberFormat } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { oneTab, read, shown } from "./SpreadsheetFixture.ts"

const formatted = (numberFormat: NumberFormat, text: string) =>
  oneTab([[text]], { rows: [[{ userEnteredFormat: { numberFormat } }]] })

describe("Typed text", () => {
  it.each<{ typed: string; value: string | number | boolean; shows: string }>([
    { typed: "53", value: 53, shows: "53" },
    { typed: "-5", value: -5, shows: "-5" },
    { typed: ".5", value: 0.5, shows: "0.5" },
    { typed: "10%", value: 0.1, shows: "10%" },
    { typed: "-$3", value: -3, shows: "-$3" },
    { typed: "true", value: true, shows: "TRUE" },
    { typed: "2020-01-01", value: 43_831, shows: "2020-01-01" },
    { typed: "2021-02-29", value: "2021-02-29", shows: "2021-02-29" },
    { typed: "2026-09-05 14:30:15", value: 46_270.604_340_277_78, shows: "2026-09-05 14:30:15" },
    { typed: "'007", value: "007", shows: "007" },
    { typed: "'=1+1", value: "=1+1", shows: "=1+1" },
    { typed: "=1+1", value: 2, shows: "2" },
    { typed: "-", value: "-", shows: "-" },
    { typed: "text", value: "text", shows: "text" }
  ])("$typed has the value $value and shows as $shows", ({ shows, typed, value }) => {
    const spreadsheet = oneTab([[typed]])
    const [[found = ""] = []] = read(spreadsheet, "A1")
    if (typeof value === "number") assert.approximately(Number(found), value, 1e-9)
    else assert.strictEqual(found, value)
    assert.deepStrictEqual(shown(spreadsheet, "A1"), [[shows]])
  })

  it("keeps the number format of its cell", () => {
    assert.deepStrictEqual(read(formatted({ type: "TEXT" }, "007"), "A1"), [["007"]])
    const date = formatted({ type: "DATE", pattern: "dd.mm.yyyy" }, "2020-01-02")
    assert.deepStrictEqual(shown(date, "A1"), [["02.01.2020"]])
  })
})

describe("Number formats", () => {
  it.each<{ value: number; format?: NumberFormat; text: string }>([
    { value: 0, text: "0" },
    { value: 1 / 3, text: "0.3333333333" },
    { value: 0.1 + 0.2, text: "0.3" },
    { value: 1000.125, format: { type: "NUMBER" }, text: "1,000.13" },
    { value: 0.1012, format: { type: "PERCENT" }, text: "10.12%" },
    { value: 1000.12, format: { type: "CURRENCY" }, text: "$1,000.12" },
    { value: 5, format: { type: "NUMBER", pattern: "000" }, text: "005" },
    { value: 1.005, format: { type: "NUMBER", pattern: "0.00" }, text: "1.01" },
    { value: 43_929.707_806_296_3, format: { type: "DATE_TIME" }, text: "4/8/2020 16:59:14" }
  ])("$value shows as $text", ({ format, text, value }) => assert.strictEqual(numberText(value, format), text))
})

describe("Date serial numbers", () => {
  it("count days from 1899-12-30, and convert to a date and back", () => {
    assert.deepInclude(momentOf(0), { year: 1899, month: 12, day: 30, weekday: 6 })
    fc.assert(fc.property(fc.integer({ min: 1, max: 100_000 }), (serial) => {
      const { day, month, year } = momentOf(serial)
      assert.strictEqual(serialOfDate(year, month, day), serial)
      assert.isTrue(isRealDate(year, month, day))
    }))
  })
})
