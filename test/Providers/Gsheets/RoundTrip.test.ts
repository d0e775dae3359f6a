import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { sheetsAppendRows } from "../../../src/Providers/Gsheets/Tools/AppendRows.ts"
import { sheetsCreate } from "../../../src/Providers/Gsheets/Tools/Create.ts"
import { sheetsListTabs } from "../../../src/Providers/Gsheets/Tools/ListTabs.ts"
import { sheetsRead } from "../../../src/Providers/Gsheets/Tools/Read.ts"
import { sheetsUpdateRange } from "../../../src/Providers/Gsheets/Tools/UpdateRange.ts"
import { created, fakeSpreadsheet, oneTab, type Values } from "./FakeSpreadsheet.ts"

const hostile = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "_row",
  "_row_2",
  "col_A",
  "col_C",
  "Email",
  "email",
  "EMAIL",
  "Email_2",
  "Email_3",
  "2024",
  "0",
  "=1+1",
  "'quoted",
  "007",
  "true",
  "a.b[0]",
  "Größe",
  "🚀👨‍👩‍👧",
  "\u202Erev",
  "line\nbreak",
  "A1",
  "x,y;z"
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

interface Row {
  readonly [key: string]: unknown
}

const read = (fake: ReturnType<typeof fakeSpreadsheet>, input: object = {}) =>
  Effect.map(
    fake.call(sheetsRead, { limit: 1000, ...input }),
    (answer): { columns: ReadonlyArray<string>; rows: ReadonlyArray<Row> } => answer
  )

const withoutPlace = (rows: ReadonlyArray<Row>) =>
  rows.map((row) => Object.entries(row).filter(([key]) => key !== "_row").toSorted(([a], [b]) => a < b ? -1 : 1))

const runs = { numRuns: 60 }

describe("Written values are read back", () => {
  it.effect("rows appended by the keys of any header", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(table, async ({ headers, rows }) => {
          const fake = fakeSpreadsheet(oneTab([], { columnCount: 12 }))
          fake.write([headers])
          const wide = [...headers, ...Array.from({ length: 12 - headers.length }, () => "")]
          const keys = await Effect.runPromise(Effect.map(
            fake.call(sheetsListTabs, { include_headers: true }),
            ({ tabs: [tab] }): ReadonlyArray<string> => tab.headers
          ))
          fc.pre(headers.some((text) => text.trim() !== "") && keys.length <= wide.length)
          const objects = rows.map((row) => Object.fromEntries(keys.map((key, index) => [key, row[index] ?? null])))
          const filled = objects.filter((row) => Object.values(row).some((cell) => cell !== null && cell !== false))
          fc.pre(filled.length > 0)
          await Effect.runPromise(fake.call(sheetsAppendRows, { rows: filled }))
          const answer = await Effect.runPromise(read(fake))
          const expected = filled.map((row) =>
            Object.fromEntries(answer.columns.map((key) => [key, Object.hasOwn(row, key) ? row[key] : null]))
          )
          assert.deepStrictEqual(withoutPlace(answer.rows), withoutPlace(expected))
        }),
        runs
      )
    ))

  it.effect("rows whose keys become the header", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(table, async ({ headers, rows }) => {
          const names = [...new Set(headers.map((text) => text.trim()))].filter((text) =>
            text !== "" && text !== "_row"
          )
          const objects = rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])))
            .filter((row) => Object.values(row).some((cell) => cell !== null && cell !== false))
          fc.pre(objects.length > 0)
          const fake = fakeSpreadsheet(oneTab([]))
          await Effect.runPromise(fake.call(sheetsAppendRows, { rows: objects }))
          assert.deepStrictEqual(withoutPlace((await Effect.runPromise(read(fake))).rows), withoutPlace(objects))
          const other = fakeSpreadsheet()
          await Effect.runPromise(other.call(sheetsCreate, { title: "T", rows: objects }))
          const copy = await Effect.runPromise(read(other, { spreadsheet: created }))
          assert.deepStrictEqual(withoutPlace(copy.rows), withoutPlace(objects))
        }),
        runs
      )
    ))

  it.effect("cells updated by the `_row` that was read", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(table, fc.nat(4), async ({ headers, rows }, at) => {
          const fake = fakeSpreadsheet(oneTab([], { columnCount: 12 }))
          fake.write([headers.map((_, index) => `h${index}`), ...rows])
          const before = await Effect.runPromise(read(fake))
          const target = before.rows[at % Math.max(1, before.rows.length)]
          fc.pre(target !== undefined)
          await Effect.runPromise(fake.call(sheetsUpdateRange, { range: `A${target?.["_row"]}`, values: "changed" }))
          const after = await Effect.runPromise(read(fake))
          assert.deepStrictEqual(
            after.rows,
            before.rows.map((row) => row === target ? { ...row, h0: "changed" } : row)
          )
        }),
        runs
      )
    ))

  it.effect("rows above appended ones are unchanged", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(fc.option(value, { freq: 2 }), { maxLength: 5 }), { maxLength: 8 }),
          table,
          async (before: Values, { rows }) => {
            const fake = fakeSpreadsheet(oneTab([], { rowCount: 10, columnCount: 8 }))
            fake.write(before)
            const shown = fake.values("Data").map(onlyData)
            // A header of `false` only is still a header.
            const hasHeader = fake.values("Data")[0]?.some((cell) => cell !== "" && cell !== null) ?? false
            const filled = Math.max(shown.findLastIndex((line) => line.length > 0) + 1, hasHeader ? 1 : 0)
            const { first_row } = await Effect.runPromise(fake.call(sheetsAppendRows, { rows }))
            const after = fake.values("Data").map(onlyData)
            assert.deepStrictEqual(after.slice(0, filled), shown.slice(0, filled))
            assert.strictEqual(first_row, filled + 1)
          }
        ),
        runs
      )
    ))
})

/** Drops `false` at the end of a row, which counts as empty. */
const onlyData = (line: Values[number]) => {
  const end = line.findLastIndex((cell) => cell !== "" && cell !== null && cell !== false)
  return line.slice(0, end + 1)
}
