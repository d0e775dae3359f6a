import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet"
import { makeParquet } from "../../../src/Datasets/Files/Parquet.ts"
import { ExactNumber } from "../../../src/Domain/Json/ExactNumber.ts"
import { type Cell, transposed } from "../../../src/Domain/Table/Table.ts"
import { columns, rows } from "./Fixture.ts"

const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

const toParquet = Effect.fnUntraced(function*(...parts: ReadonlyArray<ReadonlyArray<ReadonlyArray<Cell>>>) {
  const file = makeParquet(columns)
  yield* Effect.forEach(parts, (rows) => file.add(transposed(rows)), { discard: true })
  return yield* file.end
})

const schemaOf = (bytes: Uint8Array) =>
  parquetSchema(parquetMetadata(bufferOf(bytes))).children.map(({ element }) =>
    [element.name, element.type, element.converted_type ?? ""].join(" ").trim()
  )

/** Different at first, then few. */
const queryAt = (index: number) => index < 15_000 ? `query ${index}` : index % 3 === 0 ? null : `query ${index % 700}`

describe("A Parquet file", () => {
  it.effect("has the same types with rows and without", () =>
    Effect.gen(function*() {
      const schema = [
        "date INT32 DATE",
        "query BYTE_ARRAY UTF8",
        "clicks DOUBLE",
        "position DOUBLE",
        "is_brand BOOLEAN"
      ]
      assert.deepStrictEqual(schemaOf(yield* toParquet(rows)), schema)
      assert.deepStrictEqual(schemaOf(yield* toParquet()), schema)
      assert.deepStrictEqual(schemaOf(yield* toParquet([[null, null, null, null, null]])), schema)
    }))

  it.effect("has every cell, whatever the number of row groups", () =>
    Effect.gen(function*() {
      const many = Array.from(
        { length: 25_001 },
        (_, index) => ["2026-11-22", queryAt(index), index, index / 7, null]
      )
      const file = bufferOf(yield* toParquet(many.slice(0, 12_000), [], many.slice(12_000)))
      const read = yield* Effect.promise(() => parquetReadObjects({ file }))
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
    }))

  it.effect("has a number whose source writes it with more digits", () =>
    Effect.gen(function*() {
      const row = ["2026-11-22", "rake", new ExactNumber("1.50"), new ExactNumber("1152921504606846976"), null]
      const file = bufferOf(yield* toParquet([row]))
      const [read] = yield* Effect.promise(() => parquetReadObjects({ file }))
      assert.strictEqual(read?.["clicks"], 1.5)
      assert.strictEqual(read?.["position"], 2 ** 60)
    }))
})
