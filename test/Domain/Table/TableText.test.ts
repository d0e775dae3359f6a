import { assert, describe, it } from "@effect/vitest"
import { ExactNumber, parseNumbers } from "../../../src/Domain/Json/ExactNumber.ts"
import { typed } from "../../../src/Domain/Table/Table.ts"
import { parseCsv, toCsv, toMarkdown } from "../../../src/Domain/Table/TableText.ts"

describe("The text of a table", () => {
  it("quotes what RFC 4180 quotes, and shows a line for a row without text", () => {
    assert.strictEqual(
      toCsv(typed(["a,b"], [["x\r\ny"], ["\"q\""], [null], [" z"]])),
      [
        "\"a,b\"",
        "\"x\r\ny\"",
        "\"\"\"q\"\"\"",
        "\"\"",
        " z",
        ""
      ].join("\r\n")
    )
    assert.strictEqual(toCsv(typed([], [])), "")
  })

  it("is read as it was written", () => {
    const rows = [["a,b", "n"], ["x\r\ny", "1"], ["\"q\"", ""], [" z", "-2"]]
    const [heads = [], ...cells] = rows
    assert.deepStrictEqual(parseCsv(toCsv(typed(heads, cells))), rows)
  })

  it("keeps pipes, backslashes and lines inside of a cell of Markdown", () => {
    assert.strictEqual(toMarkdown(typed(["n"], [["a\\|b\nc"]])), "| n |\n| --- |\n| a\\\\\\|b<br>c |\n")
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
