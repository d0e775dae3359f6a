import { Clock, Effect, FileSystem, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { print } from "../../../Cli/Output.ts"
import { restrictNewFiles } from "../../../Sql/DataDir.ts"
import { readBackup, writeBackup } from "../Copy/BackupFile.ts"
import { dump } from "../Copy/Dump.ts"
import type { Part, Sum } from "../Copy/Parts.ts"
import {
  currentDatabase,
  currentSecrets,
  describeSummary,
  refused,
  requireFeature,
  summaryOf,
  withFeatures,
  withMessages
} from "./Databases.ts"
import { newPassphrase } from "./Passphrase.ts"

/** Counts the rows of the file, so that a fault of the disk does not wait for the restore. */
const check = <E, R>(parts: Stream.Stream<Part, E, R>) =>
  Effect.gen(function*() {
    const counts = new Map<string, number>()
    let sums: Readonly<Record<string, Sum>> | undefined
    yield* Stream.runForEach(parts, (part) =>
      Effect.sync(() => {
        if ("rows" in part) counts.set(part.table, (counts.get(part.table) ?? 0) + part.rows.length)
        else if ("sums" in part) sums = part.sums
      }))
    const missing = Object.entries(sums ?? {}).find(([table, { rows }]) => Number(rows) !== (counts.get(table) ?? 0))
    if (sums === undefined || missing !== undefined) return yield* refused("The file lacks rows. Try another disk")
    return summaryOf(sums)
  })

export const makeBackup = Effect.fnUntraced(
  function*(file: string, withKeys: boolean) {
    yield* requireFeature
    yield* restrictNewFiles
    const fs = yield* FileSystem.FileSystem
    if (yield* fs.exists(file)) return yield* refused(`${file} exists. Choose another name`)
    const head = {
      made_at: new Date(yield* Clock.currentTimeMillis).toISOString(),
      ...yield* currentSecrets(withKeys)
    }
    const secret = yield* newPassphrase
    const sql = yield* currentDatabase
    const part = `${file}.${process.pid}.part`
    const summary = yield* Effect.gen(function*() {
      yield* Effect.provideService(writeBackup(part, secret, head, dump), SqlClient.SqlClient, sql)
      const summary = yield* check((yield* readBackup(part, secret)).parts)
      yield* fs.rename(part, file)
      return summary
    }).pipe(Effect.ensuring(Effect.ignore(fs.remove(part, { force: true }))))
    yield* print({ file, ...summary }, ({ good }) =>
      [
        `${good("Wrote")} ${file}: ${describeSummary(summary)}.`,
        withKeys
          ? "The encryption keys and the admin token are in it: who has the file and its passphrase has everything."
          : "The encryption keys are not in it: keep them apart from it. A restore needs the same ENCRYPTION_KEYS.",
        "Not in it: cached responses, counts of rate limits, the files of datasets, and what only ClickHouse has."
      ].join("\n"))
  },
  Effect.scoped,
  withMessages,
  withFeatures
)
