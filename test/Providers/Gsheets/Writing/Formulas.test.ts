import { assert, describe, it } from "@effect/vitest"
import type { CellValue } from "../../../../src/Providers/Gsheets/CellValues.ts"
import { looksLikeFormula } from "../../../../src/Providers/Gsheets/Writing/FormulaGuard.ts"
import { requestIssues } from "../../../../src/Providers/Gsheets/Writing/OutsideFormulas.ts"
import { growth } from "../../../support/Linear.ts"

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

  it("is found in linear time", () => {
    const growing = growth(500, (size) => " ".repeat(size), (blanks) => {
      looksLikeFormula(`-${blanks}!`)
      looksLikeFormula(`-1${blanks}!`)
    })
    assert.isBelow(growing, 10)
  })
})

const paste = (data: string, more: object = { delimiter: "," }) => ({ pasteData: { data, ...more } })
const byPattern = { searchByRegex: true }
const replacing = (find: string, replacement: string, more: object = {}) => ({
  findReplace: { find, replacement, allSheets: true, ...more }
})
const chip = (properties: object) => ({ updateCells: { rows: [{ values: [{ chipRuns: [{ chip: properties }] }] }] } })

describe("Under a bound on spreadsheets", () => {
  it.each<[name: string, request: object, path: ReadonlyArray<string | number> | undefined]>([
    ["a pasted formula of another file", paste("a,=IMPORTRANGE(\"x\",\"A1\")"), ["pasteData"]],
    ["one inside another function", paste("=LEN(\"a\",importdata(\"x\"))"), ["pasteData"]],
    ["one in quotes", paste("a,\"=IMPORTXML(1)\"", { delimiter: "," }), ["pasteData"]],
    ["one after a delimiter of several characters", paste("a||=IMPORTHTML(1)", { delimiter: "||" }), ["pasteData"]],
    ["one that a soft hyphen hides", paste("=IMPORT\u00ADRANGE(1)"), ["pasteData"]],
    ["one that a delimiter of wide letters hides", paste("aｘ=IMPORTFEED(1)", { delimiter: "ｘ" }), ["pasteData"]],
    ["a text that mentions such a function", paste("see IMPORTRANGE,1\n2,3"), undefined],
    ["pasted HTML", paste("<b>a</b>", { html: true }), ["pasteData"]],
    ["replacing in formulas", replacing("a", "b", { includeFormulas: true }), ["findReplace"]],
    ["replacing by a hidden character", replacing("a", "\u200b"), ["findReplace"]],
    ["replacing by a group of the search", replacing("^a(=.*)", "$1", byPattern), ["findReplace"]],
    ["replacing by an escaped sign", replacing("^a=", " \\=", byPattern), ["findReplace"]],
    ["splitting a column, which can leave a formula", { textToColumns: { delimiterType: "COMMA" } }, ["textToColumns"]],
    ["trimming, which can leave a formula", { trimWhitespace: { range: { sheetId: 0 } } }, ["trimWhitespace"]],
    [
      "a chip of a file",
      chip({ richLinkProperties: { uri: "https://docs.google.com/document/d/x" } }),
      ["updateCells", "rows", 0, "values", 0, "chipRuns", 0, "chip", "richLinkProperties"]
    ],
    ["a chip of a person", chip({ personProperties: { email: "a@example.com" } }), undefined]
  ])("%s", (_, request, path) => {
    const issues = requestIssues({ requests: [request] })
    const at = path === undefined ? [] : [["input", "body", "requests", 0, ...path]]
    assert.deepStrictEqual(issues.map((issue) => issue.path), at)
  })
})
