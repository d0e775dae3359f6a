import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Hosted, price, seededServer, sitesList } from "../../Http/Fixture.ts"
import { issuePaths } from "../../support/Answer.ts"
import { seed } from "../../support/TestServer.ts"

const day = 86_400_000

layer(Hosted, { excludeTestServices: true })("GET /v1/stats", (it) => {
  it.effect("counts the calls that the key can see, without a delay", () =>
    Effect.gen(function*() {
      const { admin, call, client, reader, readOnly, request } = yield* seededServer(() => ({
        body: { siteEntry: [] }
      }))
      const other = yield* seed()
      yield* call(readOnly, sitesList)
      yield* call(readOnly, { ...sitesList, max_age: 600 })
      yield* call(readOnly, { ...sitesList, input: { x: 1 } })
      yield* call(other.readOnly, sitesList)
      const today = new Date(Math.floor(Date.now() / day) * day)

      const { buckets, truncated } = yield* reader.stats.read({ query: { group_by: "provider" } })
      const [{ p50_ms, p95_ms, ...bucket } = assert.fail("no bucket"), ...rest] = buckets
      assert.deepStrictEqual(bucket, {
        start: today,
        group: "gsc",
        calls: 3,
        errors: 1,
        refused: 1,
        cached: 1,
        cost_usd: price
      })
      assert.deepStrictEqual([rest, truncated], [[], false])
      const grouped = yield* Effect.forEach(["gsc", "ga4"], (group) =>
        reader.stats.read({ query: { group_by: "provider", group } }))
      assert.deepStrictEqual(
        grouped.map(({ buckets }) =>
          buckets
        ),
        [buckets, []]
      )
      assert.isAbove(p50_ms, 0)
      assert.isAtLeast(p95_ms, p50_ms)

      const byClient = yield* admin.adminStats.read({ query: { bucket: "hour", group_by: "client" } })
      const counts = new Map(byClient.buckets.map(({ calls, group }) => [group, calls]))
      assert.deepStrictEqual([counts.get(client.id), counts.get(other.client.id)], [2, 1])
      const { json } = yield* request("GET", "/v1/stats", { key: readOnly })
      assert.containSubset(json, { buckets: [{ start: today.toISOString(), group: null, calls: 3 }], truncated: false })
      assert.strictEqual((yield* request("GET", "/admin/v1/stats", { key: readOnly })).status, 401)
    }))

  it.effect("counts up to now from the time that a client computed as 90 days ago", () =>
    Effect.gen(function*() {
      const { readOnly, request } = yield* seededServer()
      const since = (days: number) =>
        request("GET", `/v1/stats?since=${new Date(Date.now() - days * day).toISOString()}`, { key: readOnly })
      assert.strictEqual((yield* since(90)).status, 200)
      assert.strictEqual((yield* since(91)).status, 400)
    }))

  const invalid: ReadonlyArray<readonly [query: string, path: string]> = [
    ["since=2026-01-01&until=2026-04-02T00:00:00.001Z", "since"],
    ["since=2999-01-01", "since"],
    ["bucket=week", "bucket"],
    ["group_by=member", "group_by"],
    ["group=gsc", "group"],
    ["limit=1", "limit"]
  ]
  it.effect.each(invalid)("rejects %s with invalid_input", ([query, path]) =>
    Effect.gen(function*() {
      const { adminToken, readOnly, request } = yield* seededServer()
      for (const [url, key] of [["/v1/stats", readOnly], ["/admin/v1/stats", adminToken]] as const) {
        assert.deepStrictEqual(issuePaths(yield* request("GET", `${url}?${query}`, { key })), [path])
        const allowed = yield* request("GET", `${url}?since=2026-01-01&until=2026-04-01`, { key })
        assert.strictEqual(allowed.status, 200)
      }
    }))
})
