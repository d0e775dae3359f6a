import { assert, describe, it } from "@effect/vitest"
import { call, spreadsheetOf } from "./SpreadsheetFixture.ts"

const rangeOf = (spreadsheet: Parameters<typeof call>[0], range: string): string => {
  const { body } = call(spreadsheet, "values.get", { range })
  return body.range ?? body.error.message
}

/** Measured against the live service in September 2026: https://github.com/brekkylab/backlot/issues/174 */
describe("A range", () => {
  const workbook = spreadsheetOf(["Sheet1", "Data", "R1C1", "A"].map((title) => ({ title })))

  it.each([
    ["Data", "Data!A1:Z1000"],
    ["Sheet1!A1:B2", "Sheet1!A1:B2"],
    ["A1:B2", "Sheet1!A1:B2"],
    ["B2", "Sheet1!B2"],
    ["A:A", "Sheet1!A1:A1000"],
    ["1:1", "Sheet1!A1:Z1"],
    ["A2:B", "Sheet1!A2:B1000"],
    ["A1:AA5", "Sheet1!A1:Z5"],
    ["'R1C1'", "'R1C1'!A1:Z1000"]
  ])("%s means %s", (text, range) => assert.strictEqual(rangeOf(workbook, text), range))

  it.each([
    ..."Nope|Sheet1!B|Sheet1!2|A0|A1:|R0C1|R[-1]C[0]|A1:R2C2| A1|Sheet1! A1|A1: B2|'Sheet1 '!A1|!Data|!|Chart".split(
      "|"
    ),
    "Table1[Col]"
  ])("%j is not a range", (text) => {
    const charts = spreadsheetOf([{ title: "Sheet1" }, { title: "Data" }, { title: "Chart", type: "OBJECT" }])
    assert.strictEqual(rangeOf(charts, text), `Unable to parse range: ${text}`)
  })

  it("outside the grid fails", () =>
    assert.strictEqual(
      rangeOf(workbook, "A1001"),
      "Range (Sheet1!A1001) exceeds grid limits. Max rows: 1000, max columns: 26"
    ))

  it.each([
    ["has!bang", "'has!bang'!A1:Z1000"],
    ["'Bob''s Sheet'!A1", "'Bob''s Sheet'!A1"],
    ["Second Sheet!A1", "'Second Sheet'!A1"],
    ["'A1'", "'A1'!A1:Z1000"]
  ])("%s finds the tab with an odd title: %s", (text, range) => {
    const odd = spreadsheetOf(
      ["has!bang", "Bob's Sheet", "2024", "a:b", "Second Sheet", "A1"].map((title) => ({ title }))
    )
    assert.strictEqual(rangeOf(odd, text), range)
  })

  it("without a tab means the first visible tab", () => {
    assert.strictEqual(rangeOf(spreadsheetOf([{ title: "Gone", hidden: true }, { title: "Here" }]), "A1"), "Here!A1")
  })
})
