import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { numberText } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/NumberText.ts"
import { isRealDate, momentOf, serialOfDate } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/Serial.ts"
import type { NumberFormat } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { oneTab, read, shown } from "./SpreadsheetFixture.ts"

describe("Typed text", () => {
  it.each<{ typed: string; value: string | number | boolean; shows: string }>([
    { typed: "53", value: 53, shows: "53" },
    { typed: "007", value: 7, shows: "7" },
    { typed: "-5", value: -5, shows: "-5" },
    { typed: "+5", value: 5, shows: "5" },
    { typed: "1.50", value: 1.5, shows: "1.5" },
    { typed: ".5", value: 0.5, shows: "0.5" },
    { typed: " 5 ", value: 5, shows: "5" },
    { typed: "1,234", value: 1234, shows: "1,234" },
    { typed: "1,234.5", value: 1234.5, shows: "1,234.50" },
    { typed: "12,34", value: "12,34", shows: "12,34" },
    { typed: "10%", value: 0.1, shows: "10%" },
    { typed: "12.5%", value: 0.125, shows: "12.50%" },
    { typed: "$15", value: 15, shows: "$15" },
    { typed: "$1,234.50", value: 1234.5, shows: "$1,234.50" },
    { typed: "-$3", value: -3, shows: "-$3" },
    { typed: "($3)", value: -3, shows: "-$3" },
    { typed: "1e3", value: 1000, shows: "1.00E+03" },
    { typed: "1.2E+12", value: 1.2e12, shows: "1.20E+12" },
    { typed: "true", value: true, shows: "TRUE" },
    { typed: "FALSE", value: false, shows: "FALSE" },
    { typed: "2020-01-01", value: 43_831, shows: "2020-01-01" },
    { typed: "1999-01-02", value: 36_162, shows: "1999-01-02" },
    { typed: "3/1/2016", value: 42_430, shows: "3/1/2016" },
    { typed: "03/01/16", value: 42_430, shows: "03/01/16" },
    { typed: "1-2", value: 46_024, shows: "1-2" },
    { typed: "1/2", value: 46_024, shows: "1/2" },
    { typed: "Mar 1, 2016", value: 42_430, shows: "Mar 1, 2016" },
    { typed: "March 1 2016", value: 42_430, shows: "March 1, 2016" },
    { typed: "1 Mar 2016", value: 42_430, shows: "1 Mar 2016" },
    { typed: "2021-02-29", value: "2021-02-29", shows: "2021-02-29" },
    { typed: "13/13/2016", value: "13/13/2016", shows: "13/13/2016" },
    { typed: "14:30", value: 0.604_166_666_666_666_6, shows: "14:30" },
    { typed: "2:30 PM", value: 0.604_166_666_666_666_6, shows: "2:30 PM" },
    { typed: "2026-09-05 14:30:15", value: 46_270.604_340_277_78, shows: "2026-09-05 14:30:15" },
    { typed: "2026-01-05T10:00:00Z", value: "2026-01-05T10:00:00Z", shows: "2026-01-05T10:00:00Z" },
    { typed: "'007", value: "007", shows: "007" },
    { typed: "'=1+1", value: "=1+1", shows: "=1+1" },
    { typed: "''x", value: "'x", shows: "'x" },
    { typed: "=1+1", value: 2, shows: "2" },
    { typed: "+1+1", value: 2, shows: "2" },
    { typed: "=", value: "=", shows: "=" },
    { typed: "-", value: "-", shows: "-" },
    { typed: "@x", value: "@x", shows: "@x" },
    { typed: "text", value: "text", shows: "text" }
  ])("$typed has the value $value and shows as $shows", ({ shows, typed, value }) => {
    const spreadsheet = oneTab([[typed]])
    const [[found = ""] = []] = read(spreadsheet, "A1")
    if (typeof value === "number") assert.approximately(Number(found), value, 1e-9)
    else assert.strictEqual(found, value)
    assert.deepStrictEqual(shown(spreadsheet, "A1"), [[shows]])
  })

  it("stays text in a cell with the text format", () => {
    const rows = [[{ userEnteredFormat: { numberFormat: { type: "TEXT" as const } } }]]
    assert.deepStrictEqual(read(oneTab([["007"]], { rows }), "A1"), [["007"]])
  })

  it("keeps the number format of its cell", () => {
    const rows = [[{ userEnteredFormat: { numberFormat: { type: "DATE" as const, pattern: "dd.mm.yyyy" } } }]]
    assert.deepStrictEqual(shown(oneTab([["2020-01-02"]], { rows }), "A1"), [["02.01.2020"]])
  })
})

describe("Number formats", () => {
  it.each<{ value: number; format?: NumberFormat; text: string }>([
    { value: 0, text: "0" },
    { value: 3, text: "3" },
    { value: 1 / 3, text: "0.3333333333" },
    { value: 100 / 3, text: "33.33333333" },
    { value: 0.1 + 0.2, text: "0.3" },
    { value: 123_456_789_012_345, text: "123456789012345" },
    { value: 1e15, text: "1E+15" },
    { value: 1.5e-10, text: "1.5E-10" },
    { value: 1000.125, format: { type: "NUMBER" }, text: "1,000.13" },
    { value: 0.1012, format: { type: "PERCENT" }, text: "10.12%" },
    { value: 1000.12, format: { type: "CURRENCY" }, text: "$1,000.12" },
    { value: -1000.12, format: { type: "CURRENCY" }, text: "-$1,000.12" },
    { value: 1010, format: { type: "SCIENTIFIC" }, text: "1.01E+03" },
    { value: 5, format: { type: "NUMBER", pattern: "000" }, text: "005" },
    { value: 5.5, format: { type: "NUMBER", pattern: "#.##" }, text: "5.5" },
    { value: 0.5, format: { type: "NUMBER", pattern: "#.00" }, text: ".50" },
    { value: 1.005, format: { type: "NUMBER", pattern: "0.00" }, text: "1.01" },
    { value: 12, format: { type: "NUMBER", pattern: "0 \"pcs\"" }, text: "12 pcs" },
    { value: -12, format: { type: "NUMBER", pattern: "0;(0);\"none\"" }, text: "(12)" },
    { value: 0, format: { type: "NUMBER", pattern: "0;(0);\"none\"" }, text: "none" },
    { value: 43_929.707_806_296_3, format: { type: "DATE_TIME" }, text: "4/8/2020 16:59:14" },
    { value: 43_929, format: { type: "DATE" }, text: "4/8/2020" },
    { value: 0.75, format: { type: "TIME" }, text: "6:00:00 PM" },
    { value: 43_929, format: { type: "DATE", pattern: "dddd, d mmmm yyyy" }, text: "Wednesday, 8 April 2020" },
    { value: 43_929.5, format: { type: "DATE", pattern: "yy-mm-dd hh:mm a/p" }, text: "20-04-08 12:00 P" },
    { value: 1.125, format: { type: "TIME", pattern: "[h]:mm" }, text: "27:00" },
    { value: 0.000_012_5, format: { type: "TIME", pattern: "mm:ss.00" }, text: "00:01.08" }
  ])("$value shows as $text", ({ format, text, value }) => assert.strictEqual(numberText(value, format), text))
})

describe("Date serial numbers", () => {
  it("count days from 1899-12-30", () => {
    assert.deepInclude(momentOf(0), { year: 1899, month: 12, day: 30, weekday: 6 })
    assert.strictEqual(serialOfDate(2026, 9, 5), 46_270)
  })

  it("convert to a date and back", () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 100_000 }), (serial) => {
      const { day, month, year } = momentOf(serial)
      assert.strictEqual(serialOfDate(year, month, day), serial)
      assert.isTrue(isRealDate(year, month, day))
    }))
  })
})
