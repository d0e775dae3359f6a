import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { parquetReadObjects } from "hyparquet"
import { randomBytes } from "node:crypto"
import { addDays, pacificTime, today } from "../../src/Providers/Tooling/DateWindow.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { RealPostgres } from "../support/RealPostgres.ts"
import { s3Server } from "../support/S3Server.ts"
import { startServer } from "../support/ServerProcess.ts"
import { freshGrant } from "../support/TestServer.ts"
import { tempFolder } from "./Files/Fixture.ts"
import { acme, answerSearches, fewRows } from "./Fixture.ts"

const dayCount = 60

layer(Layer.merge(RealPostgres.layer, LoopbackUpstream.layer), { excludeTestServices: true })(
  "A backfill whose instance is killed",
  (it) => {
    it.effect(
      "goes on in another instance on the same bucket, with no day missing and no row twice",
      () =>
        Effect.gen(function*() {
          const upstream = yield* LoopbackUpstream
          upstream.handle((request) => (response) => {
            const { body } = answerSearches(fewRows)(request)
            setTimeout(() => response.setHeader("content-type", "application/json").end(JSON.stringify(body)), 40)
          })
          const { objects, puts, settings: bucket } = yield* s3Server
          const database = yield* (yield* RealPostgres).createDatabase
          const settings = {
            ...bucket,
            DATABASE_URL: Redacted.value(database),
            ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
            ADMIN_TOKEN: randomBytes(32).toString("base64url"),
            GSC_BASE_URL: `${upstream.url}/gsc`,
            QUOTAS: "off"
          }
          const first = yield* startServer(yield* tempFolder, settings)
          const second = yield* startServer(yield* tempFolder, settings)
          const connection = yield* first.admin.managedConnections.create({
            payload: { provider: "gsc", auth_type: "oauth", label: "acme", credentials: freshGrant("crash") }
          })
          const now = yield* today(pacificTime)
          const since = addDays(now, -dayCount)
          const { id } = yield* first.admin.datasets.create({
            payload: { ...acme, connection_id: connection.id, since }
          })
          const dataset = Effect.orDie(second.admin.datasets.get({ params: { id } }))
          yield* eventually(dataset, ({ days }) => days.done > 5)
          // One day is written and not noted, and the others are fetched and not written.
          let written = ""
          const unwritten = new Set<string>()
          puts.reply = (key) => {
            if (key.endsWith("manifest.json")) return "answer"
            if (written === "") written = key
            else unwritten.add(key)
            return key === written ? "store" : "drop"
          }
          yield* eventually(Effect.sync(() => unwritten.size), (size) => size > 1)
          const before = yield* dataset
          assert.isBelow(before.days.done, dayCount)
          assert.isFalse([...unwritten].some((key) => objects.has(key)))
          yield* first.kill("SIGKILL")
          puts.reply = () => "answer"
          yield* first.ended
          const after = yield* eventually(dataset, ({ status }) => status !== "running")
          assert.deepStrictEqual([after.status, after.days.done, after.rows], ["idle", dayCount, 3 * dayCount])

          const days = Array.from({ length: dayCount }, (_, index) => addDays(since, index))
          assert.sameMembers(
            [...objects.keys()],
            [...days.map((day) => `day=${day}/data.parquet`), "manifest.json"].map((name) =>
              `openaccounts/datasets/${id}/${name}`
            )
          )
          for (const day of days) {
            const file = yield* Effect.promise(async () => {
              const response = await fetch(`${second.url}/admin/v1/datasets/${id}/files/day=${day}/data.parquet`, {
                headers: { authorization: `Bearer ${settings.ADMIN_TOKEN}` }
              })
              return parquetReadObjects({ file: await response.arrayBuffer() })
            })
            assert.sameMembers(
              file.map(({ impressions }) => impressions),
              fewRows(day).map(({ impressions }) => impressions),
              day
            )
          }
          const asked = upstream.requests.map(({ body }) => JSON.parse(body))
            .filter(({ dimensions }) => dimensions.includes("query"))
          // Those that were under way are fetched again.
          assert.isAtMost(asked.length, dayCount + 6)
        })
    )
  }
)
