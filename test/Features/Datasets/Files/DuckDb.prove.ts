import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { duckDb, hasDuckDb } from "../../../support/DuckDb.ts"
import { tempFolder } from "../../../support/TempFolder.ts"
import { dataset, filesWith, writeDay } from "./Fixture.ts"

const skipped = !hasDuckDb()

describe.skipIf(skipped)(`DuckDB${skipped ? " (skipped: npm cannot install it)" : ""}`, () => {
  it.live("reads all days of a dataset as one table with the declared types", () =>
    Effect.gen(function*() {
      const folder = yield* tempFolder
      const files = yield* filesWith({ DATA_DIR: folder })
      yield* writeDay(files, "2026-11-20", [])
      yield* writeDay(files, "2026-11-21", [[null, null, null, null, null]])
      yield* writeDay(files, "2026-11-22")
      const table = `read_parquet('${join(folder, "datasets", dataset)}/*/*.parquet')`
      assert.deepStrictEqual(duckDb(`DESCRIBE SELECT * FROM ${table}`).map(([name, type]) => `${name} ${type}`), [
        "date DATE",
        "query VARCHAR",
        "clicks DOUBLE",
        "position DOUBLE",
        "is_brand BOOLEAN",
        "day DATE"
      ])
      assert.deepStrictEqual(duckDb(`SELECT * FROM ${table} ORDER BY day, clicks NULLS LAST`), [
        [null, null, null, null, null, "2026-11-21"],
        ["2026-11-22", "12\" leaf rake 剪定ばさみ", "3", "1", "true", "2026-11-22"],
        ["2026-11-22", "", "9007199254740991", "0.30000000000000004", "false", "2026-11-22"],
        [null, null, null, null, null, "2026-11-22"]
      ])
    }))
})
