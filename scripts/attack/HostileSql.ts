/** Fails while it runs. */
export const failingSql = "SELECT randomblob(2000000000) FROM result"

const endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT"

const among = (count: number, value: string): string =>
  `WITH RECURSIVE c(x, s) AS (SELECT 1, ${value} UNION ALL SELECT x + 1, ${value} FROM c LIMIT ${count}) SELECT`

/** Statements over the table `result` that take as much time or memory as they get. */
export const hostileSql: ReadonlyArray<string> = [
  `${endless} count(*) FROM c`,
  `${endless} max(x) OVER (ORDER BY random()) FROM c`,
  `${endless} group_concat(x) FROM c`,
  `${endless} json_group_array(json_object('x', x)) FROM c`,
  "SELECT count(*) FROM result a, result b, result c, result d WHERE a.query || b.query < c.query || d.query",
  "SELECT a.query FROM result a, result b, result c ORDER BY hex(a.query || b.query || c.query) DESC",
  `${among(5000, "zeroblob(1000000 + x)")} count(*) FROM (SELECT DISTINCT s FROM c)`,
  `${among(5000, "randomblob(15000000)")} count(DISTINCT s) FROM c`,
  `${among(200, "printf('%.*c', 15000000, 'a')")} count(*) FROM c WHERE s LIKE '%a%a%a%a%a%a%a%a%b'`,
  `${among(200, "printf('%.*c', 100000, 'a')")} count(*) FROM c WHERE s GLOB '${"*a".repeat(60)}b'`,
  `${among(100_000, "replace(printf('%.*c', 3000, 'a'), 'a', 'aaaa')")} count(*) FROM c JOIN result ON instr(s, query)`,
  "SELECT x.value FROM json_each('[' || printf('%.*c', 7000000, ' ') || replace(hex(zeroblob(3500000)), '0', '0,') || '0]') x",
  // Allowed: they need less than 256 MB.
  ...[200, 201, 202].map((megabytes) =>
    `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT ${megabytes}), ` +
    "kept(s) AS MATERIALIZED (SELECT zeroblob(1000000 + x) FROM n) SELECT count(*) FROM kept"
  ),
  `SELECT ${"(".repeat(900)}1${")".repeat(900)}`,
  `SELECT ${"1+".repeat(45_000)}1`,
  `${"SELECT 1 UNION ".repeat(480)}SELECT count(*) FROM result a, result b, result c`,
  `${endless} x, zeroblob(6000) FROM c`
]
