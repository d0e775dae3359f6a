import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { serverDatabase, withMessages } from "../../../src/Features/Backup/Commands/Databases.ts"
import { RealPostgres } from "../../support/RealPostgres.ts"

layer(RealPostgres.layer)("A command of backups", (it) => {
  it.effect("says in one line that it has lost the database in a transaction", () =>
    Effect.gen(function*() {
      const sql = yield* serverDatabase(yield* (yield* RealPostgres).createDatabase)
      const losing = sql.withTransaction(sql`SELECT pg_terminate_backend(pg_backend_pid())`)
      const failure = yield* Effect.flip(withMessages(losing))
      assert.match(failure.message, /^PgConnection: [^\n]+$/)
    }))
})
