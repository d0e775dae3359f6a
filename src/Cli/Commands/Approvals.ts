import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { missingWords } from "../../Domain/Calls/MissingWords.ts"
import { keyApi, keyFlags } from "../ApiClient.ts"
import { reportFailure } from "../Failure.ts"
import { formatJson, print, printNote } from "../Output.ts"

export const approvals = Command.make(
  "approvals",
  {
    id: Argument.String("approval").pipe(Argument.withDescription("Id of the approval, from `approval_required`")),
    wait: Flag.Int("wait").pipe(
      Flag.withMetavar("<seconds>"),
      Flag.withDescription("Wait for the decision, at most 30 seconds"),
      Flag.withDefault(0)
    )
  },
  Effect.fnUntraced(
    function*({ id, wait }) {
      const api = yield* keyApi
      const approval = yield* api.approvals.get({ params: { id }, query: { wait } })
      yield* print(approval, () => formatJson(approval.response ?? approval.changes ?? null, 2))
      yield* printNote(`${approval.id} is ${approval.status}`)
      if (approval.truncated) yield* printNote(`Not shown: ${missingWords(approval)}`)
    },
    reportFailure
  )
).pipe(
  Command.withDescription("Show a write that waits for a person's approval, and its response once it is sent"),
  Command.withGlobalFlags(keyFlags)
)
