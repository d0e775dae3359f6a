import { assert, it } from "@effect/vitest"
import { query } from "../../../../src/Calls/Results/Query/Sqlite.ts"

/** A statement that keeps `megabytes` values of 1 MB. It may take as long as the machine needs. */
const keeps = (megabytes: number) =>
  query([], {
    sql: `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT ${megabytes}), ` +
      "kept(s) AS MATERIALIZED (SELECT zeroblob(1000000 + x) FROM n) SELECT count(*) FROM kept",
    withinMillis: 60_000,
    onLoaded: () => undefined
  })

it("takes at most 256 MB for what a statement needs", async () => {
  assert.deepInclude(await keeps(100), { rows: [[100]] })
  assert.deepStrictEqual(await keeps(300), { message: "out of memory: it needs more than 256 MB" })
}, 60_000)
