import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { RealPostgres } from "../support/RealPostgres.ts"
import { startServer } from "../support/ServerProcess.ts"

const settings = {
  ADMIN_TOKEN: "an-admin-token-of-at-least-32-characters",
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString("base64")}`
}

layer(RealPostgres.layer, { excludeTestServices: true })("A start with DATABASE_URL", (it) => {
  it.effect("says that the embedded database in DATA_DIR is not used, and how to use it, only if there is one", () =>
    Effect.gen(function*() {
      const url = Redacted.value(yield* (yield* RealPostgres).createDatabase)
      const folder = yield* dataFolder
      const server = yield* startServer(folder, { ...settings, DATABASE_URL: url })
      assert.include(server.output(), `the embedded database in ${join(folder, "db")} is not used`)
      assert.include(server.output(), "start without DATABASE_URL and with the same DATA_DIR")

      const empty = join(folder, "empty")
      yield* Effect.promise(() => mkdir(empty, { mode: 0o700 }))
      const other = yield* startServer(empty, { ...settings, DATABASE_URL: url })
      assert.notInclude(other.output(), "is not used")
    }).pipe(Effect.scoped))
})
