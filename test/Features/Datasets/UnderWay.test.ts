import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { addDays } from "../../../src/Providers/Tooling/DateWindow.ts"
import { seededServer } from "../../Http/Fixture.ts"
import { eventually } from "../../support/Eventually.ts"
import { type Handler, LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { TestDataDir, TestServer } from "../../support/TestServer.ts"
import { acme, answerSearches, daysAgo, fewRows, isSearch, play, rowsOf, type SearchRow, settled } from "./Fixture.ts"

interface HeldDay {
  readonly day: string
  readonly answer: () => void
  readonly refuse: () => void
}

/** Days whose responses wait for the test, in the order of their requests. */
const holdDays = Effect.fnUntraced(function*(rows: (day: string) => ReadonlyArray<SearchRow>) {
  const upstream = yield* LoopbackUpstream
  const held: Array<HeldDay> = []
  const answer = answerSearches(rows)
  const handle: Handler = (request) => {
    if (!isSearch(request)) return { status: 204 }
    const { dimensions, startDate } = JSON.parse(request.body)
    if (!dimensions.includes("query")) return answer(request)
    return (response) => {
      const end = (status: number, body: unknown) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      held.push({
        day: startDate,
        answer: () => end(200, answer(request).body),
        refuse: () => end(400, { error: { code: 400, message: "This day is refused." } })
      })
    }
  }
  upstream.handle(handle)
  return held
})

/** A new dataset, whose first six days are under way. */
const start = Effect.fnUntraced(function*(schedule: "daily" | null = "daily", length = 6) {
  const held = yield* holdDays(fewRows)
  const { admin, connection } = yield* seededServer()
  const since = yield* daysAgo(length)
  const payload = { ...acme, schedule, connection_id: connection.id, since }
  const { id } = yield* admin.datasets.create({ payload })
  yield* eventually(Effect.sync(() => held.length), (length) => length === 6)
  const days = [0, 1, 2, 3, 4, 5].map((index) => addDays(since, index))
  return { admin, connection, days, held, id, params: { id }, payload }
})

const assertRows = Effect.fnUntraced(function*(id: string, days: ReadonlyArray<string>) {
  for (const day of days) {
    const found = yield* rowsOf(id, day)
    assert.sameMembers(
      found?.map(({ impressions }) => impressions) ?? [],
      fewRows(day).map(({ impressions }) => impressions),
      day
    )
  }
})

layer(TestServer.layer, { excludeTestServices: true })("Days that are under way", (it) => {
  it.effect("are the last ones when the property is no longer within the bounds of the connection", () =>
    Effect.gen(function*() {
      const { admin, connection, held, id } = yield* start("daily", 12)
      yield* admin.managedConnections.change({ params: { id: connection.id }, payload: { resources: [] } })
      for (const { answer } of held) answer()
      const { days, last_error, status } = yield* settled(id)
      assert.deepStrictEqual([status, last_error?.code, held.length], ["failed", "resource_not_found", 6])
      assert.strictEqual(days.pending + days.done, 12)
    }))

  it.effect("are written although one of them is refused, which is fetched again", () =>
    Effect.gen(function*() {
      const { admin, days, held, id, params } = yield* start()
      for (const { answer, day, refuse } of held) {
        if (day === days[1]) refuse()
        else answer()
      }
      const failed = yield* settled(id)
      assert.deepInclude(failed.days, { done: 5, failed: 1, pending: 0 })
      assert.strictEqual(failed.last_error?.code, "upstream_error")
      yield* assertRows(id, days.filter((_, index) => index !== 1))

      yield* play(answerSearches(fewRows))
      yield* admin.datasets.change({ params, payload: { paused: false } })
      const { days: { done }, rows } = yield* settled(id, "idle")
      assert.deepStrictEqual([done, rows], [6, 18])
      yield* assertRows(id, days)
    }))

  it.effect("do not put off the run, and the schedule, that a person asks for meanwhile", () =>
    Effect.gen(function*() {
      const { admin, days, held, id, params } = yield* start(null)
      yield* play(answerSearches(fewRows))
      yield* admin.datasets.change({ params, payload: { paused: false, schedule: "daily" } })
      // The service retries it in an hour.
      for (const { refuse } of held) refuse()
      const dataset = yield* eventually(
        Effect.orDie(admin.datasets.get({ params })),
        ({ days, status }) => status === "idle" && days.done === 6
      )
      assert.isNotNull(dataset.next_run_at)
      assert.isNull(dataset.last_error)
      yield* assertRows(id, days)
    }))

  it.effect("are not noted after a pause, which lasts", () =>
    Effect.gen(function*() {
      const { admin, held, params } = yield* start()
      yield* admin.datasets.change({ params, payload: { paused: true } })
      for (const { answer } of held) answer()
      const files = Effect.orDie(admin.datasets.files({ params }))
      yield* eventually(files, ({ files }) => files.some(({ name }) => name.endsWith(".parquet")))
      const paused = yield* admin.datasets.get({ params })
      assert.deepStrictEqual([paused.status, paused.days.done], ["paused", 0])
    }))

  it.effect("are not fetched twice after their lease could not be renewed in time", () =>
    Effect.gen(function*() {
      const { admin, days, held, id, params } = yield* start()
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE datasets SET leased_until = now() - interval '1 second' WHERE id = ${id}`
      yield* admin.datasets.change({ params, payload: { name: "found again" } })
      const claimed = sql`SELECT 1 FROM datasets WHERE id = ${id} AND leased_until > now()`
      yield* eventually(Effect.orDie(claimed), ({ length }) => length === 1)
      for (const { answer } of held) answer()
      assert.deepInclude(yield* settled(id), { status: "idle", rows: 18 })
      assert.deepStrictEqual(held.map(({ day }) => day).toSorted(), days)
    }))

  it.effect("leave no file when their dataset is deleted with its files", () =>
    Effect.gen(function*() {
      const { admin, held, id, params, payload } = yield* start()
      const folder = join(yield* TestDataDir, "datasets", id)
      yield* admin.datasets.delete({ params, query: { files: "true" } })
      assert.isFalse(existsSync(folder))
      for (const { answer } of held) answer()
      // A whole run that begins now ends after the other one has written its files, if it still does.
      yield* play(answerSearches(fewRows))
      yield* settled((yield* admin.datasets.create({ payload })).id)
      yield* eventually(Effect.sync(() => existsSync(folder)), (exists) => !exists)
    }))
})
