import { assert, describe, it } from "@effect/vitest"
import { query } from "../../../src/Features/Results/Query/Sqlite.ts"
import { StatementTime } from "../../../src/Features/Results/Query/StatementTime.ts"

const bytes = (json: unknown) => new TextEncoder().encode(JSON.stringify(json))

const ask = (sql: string, { isLate = (): boolean => false, limit = 8_000_000 } = {}) =>
  query([{ name: "result", columns: ["a", "b"], chunks: [bytes([[1, "x"], [2, "[3,4]"]])] }], {
    sql,
    form: { format: "json", limit },
    parts: {},
    isLate,
    onLoaded: () => undefined
  })

const rowsOf = async (sql: string) => {
  const answer = await ask(sql)
  assert.isTrue(typeof answer === "object" && "body" in answer, JSON.stringify(answer))
  return typeof answer === "object" && "body" in answer ? JSON.parse(new TextDecoder().decode(answer.body)).rows : []
}

/** A statement that keeps `megabytes` values of 1 MB. */
const keeps = (megabytes: number) =>
  `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT ${megabytes}), ` +
  "kept(s) AS MATERIALIZED (SELECT zeroblob(1000000 + x) FROM n) SELECT count(*) FROM kept"

const system = [
  "count(*) FROM dbstat",
  "count(*) FROM DbStat",
  "pgno FROM sqlite_dbpage",
  "count(*) FROM sqlite_dbpage",
  "sql FROM sqlite_stmt",
  "count(*) FROM pragma_module_list",
  "name FROM pragma_function_list",
  "* FROM pragma_database_list",
  "opcode FROM bytecode('SELECT 1')",
  "count(*) FROM tables_used('SELECT 1')",
  "name FROM sqlite_temp_master",
  "1 FROM result WHERE EXISTS (SELECT 1 FROM dbstat)",
  "sqlite_compileoption_get(1)"
]

const refused: ReadonlyArray<readonly [sql: string, words: RegExp]> = [
  ...system.map((what) => [`SELECT ${what}`, /not authorized|prohibited/] as const),
  ["DELETE FROM result", /not authorized/],
  ["INSERT INTO result SELECT * FROM result RETURNING *", /not authorized/],
  ["CREATE TABLE x (a)", /not authorized|prohibited/],
  ["DROP TABLE result", /not authorized/],
  ["ATTACH '/etc/passwd' AS x", /not authorized/],
  ["VACUUM INTO '/tmp/x'", /authoriz/],
  ["PRAGMA database_list", /not authorized/],
  ["SELECT load_extension('x')", /no such function/],
  ["SELECT readfile('/etc/passwd')", /no such function/],
  ["BEGIN", /not authorized/],
  ["EXPLAIN SELECT 1", /SELECT/],
  ["SELECT 1; SELECT 2", /one statement/],
  ["SELECT 1; DROP TABLE result", /one statement/],
  ["SELEC", /syntax error/],
  ["-- nothing", /empty/],
  ["SELECT nope FROM result", /no such column: nope/],
  ["SELECT randomblob(2000000000)", /too big/]
]

describe("A statement", () => {
  it("takes at most 256 MB for what it needs", async () => {
    assert.deepStrictEqual(await rowsOf(keeps(100)), [[100]])
    assert.deepStrictEqual(await ask(keeps(300)), { message: "out of memory: it needs more than 256 MB" })
  }, 60_000)

  it.each(
    [
      ["SELECT count(*) FROM result", [[2]]],
      ["SELECT a FROM main.\"RESULT\" AS dbstat WHERE a > 1", [[2]]],
      ["SELECT each.value FROM result, json_each(b) AS each WHERE a = 2", [[3], [4]]],
      ["SELECT count(*) FROM result, json_tree(b) WHERE a = 2", [[3]]],
      ["WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 5) SELECT count(*) FROM c", [[5]]],
      ["SELECT count(*) FROM (SELECT 1 UNION SELECT 2) AS pragma", [[2]]],
      ["SELECT name FROM sqlite_master", [["result"]]]
    ] as const
  )("may read the table, what it makes of it, and JSON: %s", async (sql, rows) => {
    assert.deepStrictEqual(await rowsOf(sql), rows)
  })

  it.each(refused)("is refused: %s", async (sql, words) => {
    const answer = await ask(sql)
    assert.match(typeof answer === "object" && "message" in answer ? answer.message : "", words)
  })

  it("is interrupted once it is late", async () => {
    let asked = 0
    const isLate = () => ++asked === 3
    const endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
    assert.strictEqual(await ask(endless, { isLate }), "interrupted")
  })
})

it("The time of a member's statements adds up, and halves every minute", () => {
  let now = 0
  const time = new StatementTime(() => now)
  for (const millis of [5000, 4999]) time.take("busy", millis)
  assert.deepStrictEqual([time.of("busy"), time.of("new")], [9999, 0])
  now = 120_000
  assert.strictEqual(time.of("busy"), 9999 / 4)
  time.take("busy", -5000)
  now = 60 * 60_000
  assert.strictEqual(time.of("busy"), 0)
})
