import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option, Scope } from "effect"
import { parquetReadObjects } from "hyparquet"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"
import type { Column } from "../../../src/Domain/Table/Table.ts"
import { objectsIn } from "../../../src/Domain/Table/TableSource.ts"
import { makeDays } from "../../../src/Features/Datasets/Rows/DayRows.ts"

const columns: ReadonlyArray<Column> = [{ name: "query", type: "text" }, { name: "clicks", type: "number" }]
const layout = { names: ["query", "clicks"], places: [0, 1], counted: 1 }
const source = objectsIn("rows")

const response = (...clicks: ReadonlyArray<unknown>) =>
  JsonText.stringify({ total: 7, rows: clicks.map((count, index) => ({ query: `query ${index}`, clicks: count })) })

const long = (json: unknown) => JsonText.trustedBytes(new TextEncoder().encode(JSON.stringify(json)))

describe("The rows of a day", () => {
  it.live("are those of its responses, with their count and their clicks", () =>
    Effect.gen(function*() {
      const openDay = yield* makeDays
      const rows = yield* openDay(columns, layout)
      const first = yield* rows.write(response(3, 4), source)
      assert.deepStrictEqual(first, Option.some({ rows: 2, fields: { total: 7 } }))
      yield* rows.write(long({ rows: [{ query: "rake", clicks: 5 }] }), source)
      const { content, rows: count, sum } = yield* rows.end
      assert.deepStrictEqual([count, sum], [3, 12])
      const read = yield* Effect.promise(() => parquetReadObjects({ file: new Uint8Array(content).buffer }))
      assert.deepStrictEqual(read.map(({ query }) => query), ["query 0", "query 1", "rake"])
    }))

  it.live("are kept by a new thread after the last one has failed", () =>
    Effect.gen(function*() {
      const openDay = yield* makeDays
      const scope = yield* Scope.make()
      const closed = yield* Scope.provide(openDay(columns, layout), scope)
      const open = yield* openDay(columns, layout)
      yield* Scope.close(scope, Exit.void)
      assert.include(String(yield* Effect.exit(closed.end)), "The day is not open")
      assert.include(String(yield* Effect.exit(open.end)), "The day is not open")
      const { write } = yield* openDay(columns, layout)
      assert.isTrue(Option.isSome(yield* write(response(1), source)))
    }))
})
