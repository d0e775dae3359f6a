import { Effect, Stream } from "effect"
import { Csv } from "effect/encoding"
import { deepStrictEqual, strictEqual } from "node:assert"
import { canonicalJson } from "../../../src/Domain/Json/CanonicalJson.ts"
import { exactNumber, parseNumbers } from "../../../src/Domain/Json/ExactNumber.ts"
import { exceededBound } from "../../../src/Domain/Json/JsonSyntax.ts"
import { isJson } from "../../../src/Domain/Json/JsonSyntax.ts"
import { typed } from "../../../src/Domain/Table/Table.ts"
import { tableText } from "../../../src/Domain/Table/TableText.ts"
import { expect, parseJson, partsOf, type Target } from "../Target.ts"

/** Compared with `JSON.parse`, which loses digits, and a text that looks like a number stays one. */
export const json: Target = {
  seeds: [
    "{\"a\":[1,-0,1.0,1e3,12345678901234567890,\"1.0\",null,true,{}],\"\\u0061\":\"\\\\\\\"\"}",
    "\uFEFF[[[[\"é\"]]],-1.5E-7]",
    "{\"a\":1,\"a\":2,\"__proto__\":3}",
    " [ \"1.0\" , \":1e5,\" ] "
  ],
  run: (input) => {
    const text = input.toString().replace(/^\uFEFF/, "")
    const parsed = parseJson(text)
    strictEqual(isJson(input), parsed !== undefined, "JSON or not")
    exceededBound(input)
    if (parsed === undefined) return
    const exact = parseNumbers(text)
    const written = JSON.stringify(exact)
    deepStrictEqual(JSON.parse(written), parsed, "the value")
    strictEqual(JSON.stringify(parseNumbers(written)), written, "the digits, again")
    const number = exactNumber(text)
    if (number !== undefined) strictEqual(String(number), text)
    const canonical = canonicalJson(parsed)
    strictEqual(canonicalJson(JSON.parse(canonical)), canonical)
    deepStrictEqual(JSON.parse(canonical), JSON.parse(canonicalJson(JSON.parse(JSON.stringify(parsed)))))
  }
}

const parseCsv = (text: string) =>
  Effect.runSync(Stream.runCollect(Stream.pipeThroughChannel(Stream.make(text), Csv.decodeString())))

const startsFormula = /^[=+\-@\t\r]/
const isNumber = /^[+-]?[\d.]+(?:e[+-]?\d+)?$/i

/** Cells, which NUL separates, in two columns: read as they were written, and as `csv` no cell is a formula. */
export const tables: Target = {
  seeds: ["a\0b\0=1+1\0-2", "x\r\ny\0\"q\"\0\0 z", "+41 79\0@SUM\0\t=1\0-.5e-3", "a|b\0<b>\0![x](y)\0\\|"],
  run: (input) => {
    const [one = "", other = "", ...cells] = partsOf(input)
    const rows = Array.from({ length: Math.ceil(cells.length / 2) }, (_, row) => [cells[2 * row], cells[2 * row + 1]])
    const table = typed([one, other], rows.map((row) => row.map((cell) => cell ?? null)))
    const expected = [table.columns.map(({ name }) => name), ...rows.map((row) => row.map((cell) => cell ?? ""))]
    deepStrictEqual(parseCsv(tableText(table, "csv_raw")), expected)
    const guarded = parseCsv(tableText(table, "csv"))
    strictEqual(guarded.length, expected.length)
    for (const [row, cells] of guarded.entries()) {
      for (const [column, cell] of cells.entries()) {
        expect(!startsFormula.test(cell) || isNumber.test(cell), `the formula ${JSON.stringify(cell)}`)
        const before = expected[row]?.[column]
        expect(cell === before || cell === `'${before}`, `${JSON.stringify(before)} as ${JSON.stringify(cell)}`)
      }
    }
    const lines = tableText(table, "markdown").split("\n")
    strictEqual(lines.length, expected.length + 2, "lines of Markdown")
  }
}
