import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { Csv } from "effect/encoding"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import { ExactNumber, parseNumbers } from "../../../src/Domain/Json/ExactNumber.ts"
import { typed } from "../../../src/Domain/Table/Table.ts"
import { tableFormats, tableText } from "../../../src/Domain/Table/TableText.ts"
import { TableWriter } from "../../../src/Features/Results/TableWriter.ts"
import { growth } from "../../support/Linear.ts"

const parseCsv = (text: string) =>
  Effect.runSync(Stream.runCollect(Stream.pipeThroughChannel(Stream.make(text), Csv.decodeString())))

describe("The text of a table", () => {
  it("quotes what RFC 4180 quotes, and shows a line for a row without text", () => {
    assert.strictEqual(
      tableText(typed(["a,b"], [["x\r\ny"], ["\"q\""], [null], [" z"]]), "csv_raw"),
      ["\"a,b\"", "\"x\r\ny\"", "\"\"\"q\"\"\"", "\"\"", " z", ""].join("\r\n")
    )
    for (const format of tableFormats) assert.strictEqual(tableText(typed([], []), format), "")
  })

  it("is read as it was written", () => {
    const rows = [["a,b", "n"], ["x\r\ny", "1"], ["\"q\"", ""], [" z", "-2"], ["=1", "@x"]]
    const [heads = [], ...cells] = rows
    assert.deepStrictEqual(parseCsv(tableText(typed(heads, cells), "csv_raw")), rows)
  })

  it("tells a long text from a number in linear time", () => {
    const growing = growth(10_000, (size) => typed(["a"], [[`-${"1".repeat(size)}x`]]), (table) => {
      tableText(table, "csv")
    })
    assert.isBelow(growing, 10)
  })

  it("as csv starts no formula, unless it is raw, and leaves numbers alone", () => {
    const formulas = ["=1+1", "+41 79", "-x", "@SUM(A1)", "\t=1", "\r=1", "-", "=", "-1,5", "+1-1"]
    const others = ["1", "-1", "+1.5", "-.5e-3", "+7.", "a=1", " =1", "'=1", ""]
    const table = typed(["=name"], [...formulas, ...others].map((text) => [text]))
    const csv = parseCsv(tableText(table, "csv")).map(([cell]) => cell)
    assert.deepStrictEqual(csv, ["'=name", ...formulas.map((text) => `'${text}`), ...others])
    const raw = parseCsv(tableText(table, "csv_raw")).map(([cell]) => cell)
    assert.deepStrictEqual(raw, ["=name", ...formulas, ...others])
    const numbers = typed(["n"], [[-1], [new ExactNumber("-12345678901234567890")]])
    assert.strictEqual(tableText(numbers, "csv"), "n\r\n-1\r\n-12345678901234567890\r\n")
  })

  it("keeps pipes, backslashes and lines inside of a cell of Markdown", () => {
    assert.strictEqual(tableText(typed(["n"], [["a\\|b\nc"]]), "markdown"), "| n |\n| --- |\n| a\\\\\\|b<br>c |\n")
  })

  it("in Markdown makes no HTML, image or link of a cell, and shows it whole", () => {
    const cells = [
      "<img src=x onerror=alert(1)>",
      "![x](//evil.example/?q=1)",
      "[x](javascript:alert(1))",
      "\\![x](y)",
      "[a]\\(b)",
      "[![a](b)](c)",
      "<!-- x",
      "a < b"
    ]
    const tree = fromMarkdown(tableText(typed(["<b>"], cells.map((cell) => [cell])), "markdown"), {
      extensions: [gfm()],
      mdastExtensions: [gfmFromMarkdown()]
    })
    const [table] = tree.children
    const shown = table?.type === "table" ? table.children.map((row) => row.children[0]?.children) : []
    assert.deepStrictEqual(
      shown.map((nodes) => nodes?.map((node) => node.type === "text" ? node.value : node.type)),
      ["<b>", ...cells].map((cell) => [cell])
    )
  })
})

describe("The answer of a table", () => {
  const rows = Array.from({ length: 50 }, (_, index) => [index, `é<"${index}`] as const)
  const { columns } = typed(["n", "text"], rows)

  it.each([...tableFormats, "json"] as const)("as %s is never longer than its limit, and else is whole", (format) => {
    const whole = format === "json"
      ? JSON.stringify({ columns, rows, total: 50 })
      : tableText({ columns, rows }, format)
    for (const isQuoted of [false, true]) {
      for (const limit of [0, 200, 400, 600, 10_000]) {
        const writer = new TableWriter(["n", "text"], { format, limit, isQuoted })
        const fits = rows.every((row) => writer.add(row))
        const answer = writer.end(columns, { total: 50 })
        const text = new TextDecoder().decode(answer.body)
        const length = !isQuoted ? answer.body.length : format === "json" ? text.length : JSON.stringify(text).length
        if (limit > 300) assert.isAtMost(length, limit)
        if (fits) assert.strictEqual(text, whole)
        assert.strictEqual(answer.rows, rows.filter(([index]) => index < answer.rows).length)
        assert.strictEqual(fits, limit === 10_000)
      }
    }
  })
})

describe("The columns of a table", () => {
  it("have names that differ, and the type of all their cells", () => {
    const { columns } = typed(["", "A", "a", "A_2", "d"], [
      [1, "2026-01-02", true, null, "2026-01-02"],
      [new ExactNumber("1.0"), "2026-01-02T03:04:05Z", false, null, "soon"]
    ])
    assert.deepStrictEqual(columns.map(({ name, type }) => `${name}: ${type}`), [
      "column_1: number",
      "A: date",
      "a_2: boolean",
      "A_2_2: text",
      "d: text"
    ])
  })
})

describe("Numbers of JSON", () => {
  it.each([
    "[12345678901234567890,-0,1.0,1e3,0.1,0.0023894862604540026,9007199254740993]",
    "{\"12345678901234567890\":\"1.0\",\"a\\\"1.0\":[1,2.5]}",
    "1E400",
    "\"\\\\\""
  ])("keep their digits: %s", (json) => {
    assert.strictEqual(JSON.stringify(parseNumbers(json)), json)
  })
})
