import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { keyApi, keyFlags } from "../../Cli/ApiClient.ts"
import { reportFailure } from "../../Cli/Failure.ts"
import { formatJson, print, printNote } from "../../Cli/Output.ts"
import { missingWords } from "../../Domain/Calls/MissingWords.ts"

const flags = { call: Argument.String("call").pipe(Argument.withDescription("Id of the call, see `oa logs`")) }

const undoCall = (isDryRun: boolean) =>
  Effect.fnUntraced(function*({ call }: { readonly call: string }) {
    const api = yield* keyApi
    const query = isDryRun ? { dry_run: true } : {}
    const response = yield* api.undo.undo({ params: { call_id: call }, query })
    yield* print(response, () => formatJson(response.data.changes, 2))
    if (response.data.truncated) yield* printNote(`Not shown: ${missingWords(response.data)}`)
    yield* printNote(isDryRun ? "Nothing was written." : `${call} is undone by ${response.call_id}`)
  }, reportFailure)

const show = Command.make("show", flags, undoCall(true)).pipe(
  Command.withDescription("Show what would come back, and write nothing")
)

export const undo = Command.make("undo", flags, undoCall(false)).pipe(
  Command.withDescription("Undo a call that wrote cells or texts, within 72 hours"),
  Command.withExamples([{ command: "oa undo show call_…" }, { command: "oa undo call_…" }]),
  Command.withSubcommands([show]),
  Command.withGlobalFlags(keyFlags)
)
