import { Effect, Stdio } from "effect"
import { Prompt } from "effect/cli"
import { adminApi } from "../../ApiClient.ts"
import { usageError } from "../../Failure.ts"
import { jsonFlag, sanitize } from "../../Output.ts"

const maxListed = 200

/** Asks on a terminal which of the newest 200 clients a member sees. `undefined` elsewhere, and without a client. */
export const askClients = Effect.gen(function*() {
  const stdio = yield* Stdio.Stdio
  if ((yield* jsonFlag) || !(yield* stdio.stdinIsTerminal) || !(yield* stdio.stdoutIsTerminal)) return undefined
  const { clients } = yield* (yield* adminApi).clients.list({ query: { limit: maxListed } })
  if (clients.length === 0) return undefined
  return yield* Prompt.run(Prompt.MultiSelect({
    message: "Which clients does the member see? Space chooses, Enter confirms",
    choices: clients.map(({ id, name }) => ({ title: sanitize(name), description: id, value: id }))
  })).pipe(Effect.mapError(() => usageError("No member was created")))
})
