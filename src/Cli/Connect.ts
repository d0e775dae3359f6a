import { Duration, Effect, Option, Schedule } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { ConnectRequest } from "../Domain/Connection.ts"
import { asOperator } from "./ApiClient.ts"
import { connectionDetail } from "./ConnectionColumns.ts"
import { Failure, reported } from "./Failure.ts"
import { given } from "./Input.ts"
import { printOne } from "./Lists.ts"
import { complain, note, print } from "./Output.ts"

/** How long a sign-in is good (section 10 of the contract). */
const patience = Duration.minutes(10)

/** In the person's browser; where there is none, the URL is on the screen. */
const openInBrowser = Effect.fnUntraced(function*(url: string) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const opener = process.platform === "darwin" ? "open" : "xdg-open"
  const opened = yield* Effect.option(spawner.exitCode(ChildProcess.make(opener, [url])))
  if (Option.getOrUndefined(opened) !== 0) yield* note("No browser could be opened here; open the URL yourself.")
})

export const connect = Command.make(
  "connect",
  {
    provider: Argument.String("provider").pipe(
      Argument.withDescription("A provider's id, as `oa providers list` has it")
    ),
    label: Flag.String("label").pipe(Flag.withDescription("What people call the connection")),
    client: Flag.String("client").pipe(
      Flag.withMetavar("<client id>"),
      Flag.withDescription("Whose account it is; without a client only members without limits see it"),
      Flag.optional
    ),
    scopes: Flag.String("scope").pipe(
      Flag.withDescription("A scope to ask for; may be repeated; the provider's read and write scopes by default"),
      Flag.atLeast(0)
    ),
    open: Flag.Boolean("open").pipe(Flag.withDescription("Open the URL in a browser"), Flag.withDefault(false)),
    wait: Flag.Boolean("wait").pipe(
      Flag.withDescription("Wait until the account is connected, and print the connection"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function*({ client, label, open, provider, scopes, wait }) {
    const payload = yield* given(ConnectRequest, {
      provider,
      label,
      client_id: client,
      scopes: scopes.length === 0 ? undefined : scopes
    })
    const api = yield* asOperator
    const { connections: [newest] } = yield* api.managedConnections.list({ query: { limit: 1 } })
    const started = yield* api.connect.start({ payload })
    const { authorize_url: url } = started

    if (wait) yield* complain(() => url)
    else yield* print(started, () => url)
    if (open) yield* openInBrowser(url)
    if (!wait) return yield* note("Open it in a browser, as the account's owner, within ten minutes.")

    yield* note("Waiting for the account's owner to grant access (ten minutes at most) …")
    const made = yield* api.managedConnections.list({ query: { provider, limit: 200 } }).pipe(
      Effect.map(({ connections }) =>
        // Ids sort by the time at which they were made.
        Option.fromUndefinedOr(connections.find(({ id, label }) => label === payload.label && id > (newest?.id ?? "")))
      ),
      Effect.repeat({ schedule: Schedule.spaced(Duration.seconds(1)), until: Option.isSome }),
      Effect.timeoutOption(patience),
      Effect.map(Option.flatten)
    )
    if (Option.isNone(made)) {
      return yield* new Failure({ exit: "incomplete", message: "Nobody has granted access within ten minutes" })
    }
    yield* printOne(connectionDetail, made.value)
  }, reported)
).pipe(
  Command.withDescription("Begin the OAuth sign-in that makes a connection: prints the URL for the account's owner"),
  Command.withExamples([
    { command: "oa connection connect gsc --label Acme --client cli_…", description: "A URL to send to the owner" },
    { command: "oa connection connect gsheets --label Mine --open --wait", description: "Your own account" }
  ])
)
