import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { keyApi, keyFlags } from "../../Cli/ApiClient.ts"
import { reportFailure } from "../../Cli/Failure.ts"
import { idArgument } from "../../Cli/Lists.ts"
import { formatJson, print, printNote } from "../../Cli/Output.ts"
import { missingWords } from "../../Domain/Calls/MissingWords.ts"
import { Wait } from "./Contract.ts"

const show = Command.make(
  "show",
  {
    id: idArgument("approval, from `approval_required`"),
    wait: Flag.Int("wait").pipe(
      Flag.withMetavar("<seconds>"),
      Flag.withDescription("Wait for the decision, at most 30 seconds"),
      Flag.withSchema(Wait),
      Flag.withDefault(0)
    )
  },
  Effect.fnUntraced(function*({ id, wait }) {
    const api = yield* keyApi
    const approval = yield* api.approvals.get({ params: { id }, query: { wait } })
    yield* print(approval, () => formatJson(approval.response ?? approval.changes ?? null, 2))
    yield* printNote(`${approval.id} is ${approval.status}`)
    if (approval.truncated) yield* printNote(`Not shown: ${missingWords(approval)}`)
  }, reportFailure)
).pipe(
  Command.withDescription("Show a write that waits for a person's approval, and its response once it is sent")
)

export const approvals = Command.make("approvals").pipe(
  Command.withDescription("Writes of the key that wait for a person's approval. People list them in the dashboard"),
  Command.withExamples([{ command: "oa approvals show apr_… --wait 30" }]),
  Command.withSubcommands([show]),
  Command.withGlobalFlags(keyFlags)
)
