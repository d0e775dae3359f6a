import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { sheetsAppendRows } from "../../../src/Providers/Gsheets/Tools/AppendRows.ts"
import { sheetsListTabs } from "../../../src/Providers/Gsheets/Tools/ListTabs.ts"
import { sheetsRead } from "../../../src/Providers/Gsheets/Tools/Read.ts"
import { fakeSpreadsheet, oneTab, type Values } from "./FakeSpreadsheet.ts"

const hostile = [
  ..."__proto__ constructor toString hasOwnProperty _row _row_2 col_A col_C Email email EMAIL Email_2 Email_3".split(
    " "
  ),
  ..."2024 0 =1+1 'quoted 007 true a.b[0] Größe 🚀👨‍👩‍👧 \u202Erev A1 x,y;z".split(" "),
  "line\nbreak"
]

const header = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...hostile) },
  { weight: 1, arbitrary: fc.constant("") },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) }
)

const value = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => text !== ""),
  fc.constantFrom("007", "1-2", "=1+1", "'x", "TRUE", "#REF!", " ", "12.50", "-5"),
  fc.integer(),
  // Reading returns the 15 digits that Spreadsheets shows.
  fc.double({ noNaN: true, min: -1e300, max: 1e300 }).map((number) => Number(number.toPrecision(15)) || 0),
  fc.boolean()
)

const table = fc.array(header, { minLength: 1, maxLength: 8 }).chain((headers) =>
  fc.record({
    headers: fc.constant(headers),
    rows: fc.array(
      fc.array(fc.option(value), { minLength: headers.length, maxLength: headers.length })
        .filter((row) => row.some((cell) => cell !== null && cell !== false)),
      { minLength: 1, maxLength: 5 }
    )
  })
)

const withoutPlace = (rows: ReadonlyArray<object>) =>
  rows.map((row) => Object.entries(row).filter(([key]) => key !== "_row").toSorted(([a], [b]) => a < b ? -1 : 1))

const isFilled = (row: object) => Object.values(row).some((cell) => cell !== null && cell !== false)

describe("Written values are read back", () => {
  it("rows appended by the keys of any header", () => {
    const isReadBack = Effect.fnUntraced(function*(headers: ReadonlyArray<string>, rows: Values) {
      const fake = fakeSpreadsheet(oneTab([], { columnCount: 12 }))
      fake.write([headers])
      const { tabs: [tab] } = yield* fake.call(sheetsListTabs, { include_headers: true })
      const keys: ReadonlyArray<string> = tab.headers
      fc.pre(headers.some((text) => text.trim() !== "") && keys.length <= 12)
      const filled = rows.map((row) => Object.fromEntries(keys.map((key, index) => [key, row[index] ?? null])))
        .filter(isFilled)
      fc.pre(filled.length > 0)
      yield* fake.call(sheetsAppendRows, { rows: filled })
      const answer = yield* fake.call(sheetsRead, { limit: 1000 })
      const columns: ReadonlyArray<string> = answer.columns
      const expected = filled.map((row) =>
        Object.fromEntries(columns.map((key) => [key, Object.hasOwn(row, key) ? row[key] : null]))
      )
      assert.deepStrictEqual(withoutPlace(answer.rows), withoutPlace(expected))
    })
    return fc.assert(
      fc.asyncProperty(
        table,
        ({ headers, rows }) => Effect.runPromise(Effect.provide(isReadBack(headers, rows), TestClock.layer()))
      ),
      { numRuns: 60 }
    )
  })
})
