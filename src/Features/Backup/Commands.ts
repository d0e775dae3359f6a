import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { adminFlags } from "../../Cli/ApiClient.ts"
import { reportFailure } from "../../Cli/Failure.ts"
import { requiredFlag, switchFlag } from "../../Cli/Flags.ts"
import { jsonFlag } from "../../Cli/Output.ts"

export const backup = Command.make(
  "backup",
  {
    file: Argument.String("file").pipe(Argument.withDescription("The new file")),
    withKeys: switchFlag("with-keys", "Also the encryption keys and the admin token")
  },
  Effect.fnUntraced(function*({ file, withKeys }) {
    const { makeBackup } = yield* Effect.promise(() => import("./Commands/Backup.ts"))
    yield* makeBackup(file, withKeys)
  }, reportFailure)
).pipe(
  Command.withDescription(
    "Write the database into an encrypted file, also while the service runs. Keep the encryption keys apart from it"
  ),
  Command.withExamples([
    { command: "oa backup openaccounts-2026-11-24.backup", description: "Asks for a passphrase, or makes one" },
    { command: "OA_PASSPHRASE=… oa backup nightly.backup", description: "For a timer" },
    { command: "oa backup --with-keys everything.backup", description: "A file that needs nothing else to be restored" }
  ]),
  Command.withGlobalFlags(adminFlags)
)

export const restore = Command.make(
  "restore",
  { file: Argument.String("file").pipe(Argument.withDescription("A file of oa backup")) },
  Effect.fnUntraced(function*({ file }) {
    const { restoreBackup } = yield* Effect.promise(() => import("./Commands/Restore.ts"))
    yield* restoreBackup(file)
  }, reportFailure)
).pipe(
  Command.withDescription(
    "Restore a backup into an empty DATA_DIR, or into the empty database of DATABASE_URL. A backup without keys needs " +
      "the same ENCRYPTION_KEYS"
  ),
  Command.withExamples([
    { command: "DATA_DIR=/var/lib/openaccounts oa restore openaccounts-2026-11-24.backup" },
    { command: "DATABASE_URL=postgres://… oa restore openaccounts-2026-11-24.backup" }
  ]),
  Command.withGlobalFlags([jsonFlag])
)

export const move = Command.make(
  "move",
  {
    to: requiredFlag("to", "An empty database of a Postgres server, without a pooler", "<postgres://…>")
  },
  Effect.fnUntraced(function*(flags) {
    const { moveDatabase } = yield* Effect.promise(() => import("./Commands/Move.ts"))
    yield* moveDatabase(flags)
  }, reportFailure)
).pipe(
  Command.withDescription("Take the embedded database of a stopped service to a Postgres server"),
  Command.withExamples([{ command: "oa move --to postgres://openaccounts:…@db.internal/openaccounts" }]),
  Command.withGlobalFlags([jsonFlag])
)
