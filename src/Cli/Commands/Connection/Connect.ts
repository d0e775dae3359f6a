import { Duration, Effect, Option, Schedule } from "effect"
import { Command } from "effect/cli"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { ConnectRequest } from "../../../Domain/Connection.ts"
import { adminApi } from "../../ApiClient.ts"
import { Failure, reportFailure } from "../../Failure.ts"
import { optionalFlag, repeatableFlag, requiredFlag, switchFlag } from "../../Flags.ts"
import { decodeFlags } from "../../Input.ts"
import { printRecord, providerArgument } from "../../Lists.ts"
import { print, printError, printNote } from "../../Output.ts"
import { connectionDetail } from "./Columns.ts"

const signInLifetime = Duration.minutes(10)

const openInBrowser = Effect.fnUntraced(function*(url: string) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const opener = process.platform === "darwin" ? "open" : "xdg-open"
  const opened = yield* Effect.option(spawner.exitCode(ChildProcess.make(opener, [url])))
  if (Option.getOrUndefined(opened) !== 0) yield* printNote("No browser could be opened. Open the URL yourself.")
})

export const connect = Command.make(
  "connect",
  {
    provider: providerArgument,
    label: requiredFlag("label", "Display name"),
    client: optionalFlag(
      "client",
      "Client that owns the account; without one, only members who see every client see the connection",
      "<client id>"
    ),
    scopes: repeatableFlag("scope", "Scope to request; repeatable; by default the provider's read and write scopes"),
    open: switchFlag("open", "Open the URL in a browser"),
    wait: switchFlag("wait", "Wait until the account is connected and print the connection")
  },
  Effect.fnUntraced(function*({ client, label, open, provider, scopes, wait }) {
    const payload = yield* decodeFlags(ConnectRequest, { provider, label, client_id: client, scopes })
    const api = yield* adminApi
    const { connections: [newest] } = yield* api.managedConnections.list({ query: { limit: 1 } })
    const started = yield* api.connect.start({ payload })
    const { authorize_url: url } = started

    if (wait) yield* printError(() => url)
    else yield* print(started, () => url)
    if (open) yield* openInBrowser(url)
    if (!wait) return yield* printNote("The account's owner has ten minutes to open it in a browser.")

    yield* printNote("Waiting up to ten minutes for the account's owner to grant access …")
    const created = yield* api.managedConnections.list({ query: { provider, limit: 200 } }).pipe(
      Effect.map(({ connections }) =>
        Option.fromUndefinedOr(connections.find(({ id, label }) => label === payload.label && id > (newest?.id ?? "")))
      ),
      Effect.repeat({ schedule: Schedule.spaced(Duration.seconds(1)), until: Option.isSome }),
      Effect.timeoutOption(signInLifetime),
      Effect.map(Option.flatten)
    )
    if (Option.isNone(created)) {
      return yield* new Failure({
        exit: "incomplete",
        message: "The account's owner has not granted access within ten minutes"
      })
    }
    yield* printRecord(connectionDetail, created.value)
  }, reportFailure)
).pipe(
  Command.withDescription("Start an OAuth sign-in and print the URL for the account's owner"),
  Command.withExamples([
    {
      command: "oa connection connect gsc --label Acme --client cli_…",
      description: "Send the printed URL to the owner"
    },
    { command: "oa connection connect gsheets --label Mine --open --wait", description: "Connect your own account" }
  ])
)
