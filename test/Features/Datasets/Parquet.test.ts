import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option, Scope } from "effect"
import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"
import { type Cell, transposed } from "../../../src/Domain/Table/Table.ts"
import { objectsIn } from "../../../src/Domain/Table/TableSource.ts"
import { makeDays } from "../../../src/Features/Datasets/Rows/DayRows.ts"
import { makeParquet, WrongCell } from "../../../src/Features/Datasets/Rows/Parquet.ts"
import { columns, rows } from "./Files/Fixture.ts"

const toParquet = (...parts: ReadonlyArray<ReadonlyArray<ReadonlyArray<Cell>>>): ArrayBuffer => {
  const file = makeParquet(columns)
  for (const rows of parts) file.add(transposed(rows))
  return new Uint8Array(file.end()).buffer
}

const schemaOf = (file: ArrayBuffer) =>
  parquetSchema(parquetMetadata(file)).children.map(({ element }) =>
    [element.name, element.type, element.converted_type ?? ""].join(" ").trim()
  )

/** Different at first, then few. */
const queryAt = (index: number) => index < 15_000 ? `query ${index}` : index % 3 === 0 ? null : `query ${index % 700}`

describe("A Parquet file", () => {
  it("has the same types with rows and without", () => {
    const schema = ["date INT32 DATE", "query BYTE_ARRAY UTF8", "clicks DOUBLE", "position DOUBLE", "is_brand BOOLEAN"]
    assert.deepStrictEqual(schemaOf(toParquet(rows)), schema)
    assert.deepStrictEqual(schemaOf(toParquet()), schema)
    assert.deepStrictEqual(schemaOf(toParquet([[null, null, null, null, null]])), schema)
  })

  it("has every cell, whatever the number of row groups", async () => {
    const many = Array.from({ length: 25_001 }, (_, index) => ["2026-11-22", queryAt(index), index, index / 7, null])
    const read = await parquetReadObjects({ file: toParquet(many.slice(0, 12_000), [], many.slice(12_000)) })
    assert.deepStrictEqual(
      read.map(({ clicks, date, is_brand, position, query }) => [
        date.toISOString().slice(0, 10),
        query,
        Number(clicks),
        position,
        is_brand
      ]),
      many
    )
  })

  it.each([
    { column: "date", row: ["2026-11-31", "", 0, 0, true] },
    { column: "clicks", row: ["2026-11-22", "", true, 0, true] },
    { column: "position", row: [null, "", 0, "1", true] }
  ])("has no cell of another type than that of the column $column", ({ column, row }) => {
    assert.throws(() => toParquet([row]), WrongCell, new RegExp(`^The column ${column} of type \\w+ cannot hold `))
  })
})

it.live("The rows of a day are kept by a new thread after the last one has failed", () =>
  Effect.gen(function*() {
    const openDay = yield* makeDays
    const layout = { names: ["query", "clicks"], places: [0, 1], counted: 1 }
    const day = openDay([{ name: "query", type: "text" }, { name: "clicks", type: "number" }], layout)
    const scope = yield* Scope.make()
    const closed = yield* Scope.provide(day, scope)
    const open = yield* day
    yield* Scope.close(scope, Exit.void)
    assert.include(String(yield* Effect.exit(closed.end)), "The day is not open")
    assert.include(String(yield* Effect.exit(open.end)), "The day is not open")
    const { write } = yield* day
    const rows = JsonText.stringify({ rows: [{ query: "rake", clicks: 1 }] })
    assert.isTrue(Option.isSome(yield* write(rows, objectsIn("rows"))))
  }))
