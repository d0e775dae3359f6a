import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { missingWords } from "../../Domain/Calls/MissingWords.ts"
import { keyApi, keyFlags } from "../ApiClient.ts"
import { reportFailure } from "../Failure.ts"
import { switchFlag } from "../Flags.ts"
import { formatJson, print, printNote } from "../Output.ts"

export const undo = Command.make(
  "undo",
  {
    call: Argument.String("call").pipe(Argument.withDescription("Id of the call, see `oa logs list`")),
    dryRun: switchFlag("dry-run", "Show what comes back, and write nothing")
  },
  Effect.fnUntraced(
    function*({ call, dryRun }) {
      const api = yield* keyApi
      const query = dryRun ? { dry_run: true } : {}
      const response = yield* api.undo.undo({ params: { call_id: call }, query })
      yield* print(response, () => formatJson(response.data.changes, 2))
      if (response.data.truncated) yield* printNote(`Not shown: ${missingWords(response.data)}`)
      yield* printNote(dryRun ? "Nothing was written." : `${call} is undone by ${response.call_id}`)
    },
    reportFailure
  )
).pipe(
  Command.withDescription("Undo a call that wrote cells or texts, within 72 hours"),
  Command.withGlobalFlags(keyFlags)
)
