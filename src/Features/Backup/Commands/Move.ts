import { Effect, Path, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { dataDirPath } from "../../../Cli/DemoSettings.ts"
import { decodeFlags } from "../../../Cli/Input.ts"
import { print } from "../../../Cli/Output.ts"
import { PostgresUrl } from "../../../Settings.ts"
import { dump } from "../Copy/Dump.ts"
import { load } from "../Copy/Load.ts"
import {
  describeSummary,
  refused,
  requireFeature,
  serverDatabase,
  stoppedDatabase,
  summaryOf,
  withFeatures,
  withMessages
} from "./Databases.ts"

export const moveDatabase = Effect.fnUntraced(
  function*(flags: { readonly to: string }) {
    yield* requireFeature
    const { to } = yield* decodeFlags(Schema.Struct({ to: PostgresUrl }), flags)
    const { join } = yield* Path.Path
    const source = yield* Effect.catchTag(
      stoppedDatabase,
      "DirectoryInUse",
      () => refused("The service uses the database. Stop it first: what it writes meanwhile would be lost")
    )
    const target = yield* serverDatabase(to)
    const copy = load(Stream.provideService(dump, SqlClient.SqlClient, source))
    const summary = summaryOf(yield* Effect.provideService(copy, SqlClient.SqlClient, target))
    const folder = yield* dataDirPath
    yield* print(summary, ({ good }) =>
      [
        `${good("Moved")} ${describeSummary(summary)}.`,
        "Start the service with DATABASE_URL, and, unless they are set already, with ENCRYPTION_KEYS of " +
        `${join(folder, "encryption-keys")} and ADMIN_TOKEN of ${join(folder, "admin-token")}.`,
        `The embedded database in ${join(folder, "db")} is unchanged. When the service works, move it elsewhere.`
      ].join("\n"))
  },
  Effect.scoped,
  withMessages,
  withFeatures
)
