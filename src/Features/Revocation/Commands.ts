import { Effect, Schedule, Stdio } from "effect"
import { Command, Prompt } from "effect/cli"
import { adminApi, adminFlags } from "../../Cli/ApiClient.ts"
import { CommandFailed } from "../../Cli/ExitCode.ts"
import { reportFailure, usageError } from "../../Cli/Failure.ts"
import { optionalFlag, repeatableFlag, switchFlag } from "../../Cli/Flags.ts"
import { decodeFlags } from "../../Cli/Input.ts"
import { print, printNote, printProgress, sanitize } from "../../Cli/Output.ts"
import { type Column, table } from "../../Cli/Table.ts"
import { needsCare, NewRevocation, notRevokedToo, type Revocation, type RevokedLine } from "./Revocation.ts"

const atProvider = { revoked: "good", failed: "bad", unsupported: "warn" } as const

const columns: ReadonlyArray<Column<RevokedLine>> = [
  { head: "connection", value: ({ id }) => id },
  {
    head: "at provider",
    value: ({ at_provider }) => at_provider ?? "not asked",
    tone: ({ at_provider }) => at_provider === null ? "dim" : atProvider[at_provider]
  },
  {
    head: "old token",
    value: ({ verified }) => verified === null ? "not tried" : verified ? "refused" : "accepted",
    tone: ({ verified }) => verified === null ? "dim" : verified ? "good" : "bad"
  },
  { head: "same token", value: ({ token_shared_with }) => token_shared_with.join(" ") },
  { head: "error", value: ({ error }) => error === null ? "" : `${error.code}: ${error.message}`, width: 100 }
]

const summary = ({ connections, counts, id, keys_revoked }: Revocation): string =>
  `${id}: ${counts.connections} connections, ${counts.pending} pending, ${counts.revoked} revoked, ` +
  `${counts.verified} proven dead, ${counts.failed} failed, ${counts.unsupported} unsupported, ` +
  `${connections.filter(needsCare).length} need care` +
  (keys_revoked === null ? "" : `, ${keys_revoked} keys revoked`)

/** Asks the person to type the selector again, so that a wrong command is noticed. */
const confirm = Effect.fnUntraced(function*({ all, client_id, connection_ids, provider }: NewRevocation) {
  const stdio = yield* Stdio.Stdio
  if (!(yield* stdio.stdinIsTerminal) || !(yield* stdio.stdoutIsTerminal)) {
    return yield* usageError("Pass --yes, or run this on a terminal, which asks for a confirmation")
  }
  const what = client_id ?? provider ?? connection_ids?.join(" ") ?? (all === true ? "all" : "")
  const typed = yield* Prompt.run(Prompt.String({
    message: `This revokes the connections for good. Type ${sanitize(what)} to go on`
  })).pipe(Effect.mapError(() => usageError("Nothing was revoked")))
  if (typed.trim() !== what) return yield* usageError("That is another text. Nothing was revoked")
})

export const revoke = Command.make(
  "revoke",
  {
    client_id: optionalFlag("client", "All connections of the client", "<client id>"),
    provider: optionalFlag("provider", "All connections of the provider"),
    connection_ids: repeatableFlag("connection", "This connection; repeatable", "<connection id>"),
    all: switchFlag("all", "All connections"),
    keys: switchFlag("keys", "With --client, also the keys of members who see it alone; with --all, every key"),
    with_shared: switchFlag("with-shared", "Also connections of any client that have the same token"),
    yes: switchFlag("yes", "Ask for no confirmation")
  },
  Effect.fnUntraced(function*({ all, yes, ...flags }) {
    const payload = yield* decodeFlags(NewRevocation, { ...flags, all: all ? true : undefined })
    const selectors = [payload.client_id, payload.provider, payload.connection_ids, payload.all]
    if (selectors.filter((selector) => selector !== undefined).length !== 1) {
      return yield* usageError("Pass exactly one of --client, --provider, --connection and --all")
    }
    if (!yes) yield* confirm(payload)
    const api = yield* adminApi
    const { id } = yield* api.revocations.start({ payload })
    yield* printNote(`Calls have stopped. ${id} goes on in the service, also if this command ends`)
    const revocation = yield* api.revocations.get({ params: { id } }).pipe(
      Effect.tap((revocation) => printProgress(summary(revocation))),
      Effect.repeat({ while: ({ status }) => status === "running", schedule: Schedule.spaced("1 second") })
    )
    yield* printProgress("")
    yield* print(
      revocation,
      (style) =>
        revocation.connections.length === 0
          ? summary(revocation)
          : `${table(columns, revocation.connections, style)}\n\n${summary(revocation)}`
    )
    const left = notRevokedToo(revocation.connections)
    if (left.length > 0) {
      const named = left.map((id) => `--connection ${id}`).join(" ")
      yield* printNote(
        `Tokens of these live on in other connections. Revoke those too: oa revoke ${named}\n` +
          "With --with-shared, oa revoke does so at once"
      )
    }
    if (revocation.connections.some(needsCare)) return yield* new CommandFailed({ exit: "incomplete" })
  }, reportFailure)
).pipe(
  Command.withDescription("Revoke many connections at once, also at their providers, and prove that tokens are dead"),
  Command.withExamples([
    { command: "oa revoke --client cli_… --keys", description: "A customer, with its keys" },
    { command: "oa revoke --connection con_… --with-shared", description: "One, and every copy of its token" },
    { command: "oa revoke --all --keys --yes", description: "Everything, without a confirmation" }
  ]),
  Command.withGlobalFlags(adminFlags)
)
