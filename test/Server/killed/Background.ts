import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { newIdAt } from "../../../src/Domain/NewId.ts"
import { sitesList } from "../../Http/Fixture.ts"
import { eventually } from "../../support/Eventually.ts"
import { freshGrant } from "../../support/TestServer.ts"
import { call, Instances, type KilledTests, reply } from "../Instances.ts"

/** For longer runs. */
const revoked = Number(process.env["REVOKED_CONNECTIONS"] ?? 40)

export const background: KilledTests = (it) => {
  it.effect("that was counting an hour for the statistics leaves it to another one, which counts each call once", () =>
    Effect.gen(function*() {
      const { killVictim, openDatabase, survivor, victim } = yield* Instances
      const query = yield* openDatabase
      const hours = [2, 3, 3, 4].map((hours) => Date.now() - hours * 3_600_000)
      for (const millis of hours) {
        yield* query(
          `INSERT INTO calls (id, created_at, provider, target, outcome, http_status, latency_ms, cost_usd, cached)
           VALUES ($1, $2, 'gsc', 'raw:sites.list', 'ok', 200, 10, 0, false)`,
          [newIdAt("call", millis), new Date(millis)]
        )
      }
      // Blocks the count after it has written the figures of an hour, before it commits.
      yield* query("SELECT pg_advisory_lock(1)")
      yield* query(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END'`)
      yield* query("CREATE TRIGGER wait BEFORE UPDATE ON call_stats_progress FOR EACH ROW EXECUTE FUNCTION wait()")
      yield* query("DELETE FROM call_stats")
      yield* query("ALTER TABLE call_stats_progress DISABLE TRIGGER wait")
      yield* query("UPDATE call_stats_progress SET counted_until = NULL")
      yield* query("ALTER TABLE call_stats_progress ENABLE TRIGGER wait")
      const waiting = query(
        "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
      )
      yield* killVictim
      yield* victim
      yield* eventually(waiting, ({ length }) => length === 1)
      yield* killVictim
      // The other instance counts each minute, and may wait too.
      yield* eventually(
        Effect.andThen(
          query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE wait_event_type = 'Lock' AND datname = current_database()`),
          waiting
        ),
        ({ length }) => length === 0
      )
      assert.deepStrictEqual(yield* query("SELECT * FROM call_stats"), [])
      const total = Effect.map(
        Effect.orDie(survivor.admin.adminStats.read({ query: { bucket: "hour" } })),
        ({ buckets }) => buckets.slice(0, 3).map(({ calls }) => calls)
      )
      assert.deepStrictEqual(yield* total, [1, 2, 1])

      yield* query("DROP FUNCTION wait CASCADE")
      yield* query("SELECT pg_advisory_unlock(1)")
      yield* victim
      yield* eventually(
        query("SELECT counted_until FROM call_stats_progress"),
        ([row]) => Number(row?.["counted_until"]) > Date.now() - 2 * 3_600_000
      )
      assert.deepStrictEqual(yield* total, [1, 2, 1])
    }).pipe(Effect.scoped))

  it.effect("that worked at a mass revocation leaves it to another one, and no instance uses the connections", () =>
    Effect.gen(function*() {
      const { killVictim, openDatabase, seed, survivor, upstream, victim } = yield* Instances
      const query = yield* openDatabase
      // The provider stops answering, so that the instance dies while it waits for it.
      const gone = new Set<string>()
      let [allowed, held] = [Math.floor(revoked / 2), Array<() => void>()]
      upstream.handle(({ body, headers, url }) => (response) => {
        const form = new URLSearchParams(body)
        const token = form.get("token") ?? form.get("refresh_token") ?? headers.authorization ?? ""
        const name = /(?:refresh|access)-(.*)-0123456789/.exec(token)?.[1] ?? ""
        const revoke = () => {
          reply(response, gone.has(name) ? { error: "invalid_token" } : {}, gone.has(name) ? 400 : 200)
          gone.add(name)
        }
        if (url === "/token") reply(response, { error: "invalid_grant" }, 400)
        else if (url !== "/revoke") reply(response, {}, gone.has(name) ? 401 : 200)
        else if (gone.size < allowed) revoke()
        else held.push(revoke)
      })
      const { client, connect, connection, readOnly } = yield* seed({ credentials: freshGrant("crash-0") })
      const others = yield* Effect.forEach(
        Array.from({ length: revoked - 1 }, (_, index) => freshGrant(`crash-${index + 1}`)),
        (credentials) => connect({ credentials }),
        { concurrency: 8 }
      )
      const connections = [connection, ...others].map(({ id }) => id)
      const server = yield* victim
      const statuses = Effect.promise(() =>
        Promise.all(
          [survivor, server].map(async (each) =>
            (await call(each, readOnly, { ...sitesList, connection_id: connection.id })).status
          )
        )
      )
      assert.deepStrictEqual(yield* statuses, [200, 200])

      const { id } = yield* server.admin.revocations.start({ payload: { client_id: client.id } })
      yield* eventually(statuses, (found) => found.every((status) => status === 409))
      // More than one instance works on.
      yield* eventually(Effect.sync(() => held.length), (count) => count > 16)
      yield* killVictim
      const revocation = Effect.orDie(survivor.admin.revocations.get({ params: { id } }))
      assert.isAbove((yield* revocation).counts.pending, 0)
      // Half a minute later, when leases end.
      yield* query("UPDATE revocation_connections SET leased_until = now()")
      allowed = Infinity
      for (const revoke of held) revoke()
      const { connections: lines, counts } = yield* eventually(revocation, ({ status }) => status === "done")
      assert.deepStrictEqual([counts.connections, counts.revoked, counts.verified], [revoked, revoked, revoked])
      assert.sameMembers(lines.map(({ id }) => id), connections)
      assert.strictEqual(gone.size, revoked)
      const announced = yield* query(
        "SELECT subject_id FROM audit WHERE action = 'connection.revoked' AND subject_id = ANY($1)",
        [connections]
      )
      assert.sameMembers(announced.map((row) => row["subject_id"]), connections)
    }).pipe(Effect.scoped))
}
