import { Effect } from "effect"
import type { RateLimited } from "../../Api/Errors.ts"
import { CurrentShare } from "../../Capacity/Capacity.ts"
import { JobTooLong, Processes, type ProcessesOptions } from "../../Capacity/Processes.ts"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import type { AnyTypes, Job } from "./Jobs.ts"

/** Runs jobs in processes, in the turn of the member. A job beyond its memory fails as one that takes too long. */
export const makeJobProcesses = <Types extends AnyTypes<Types>>(options: ProcessesOptions) => {
  const processes = new Processes<Job<keyof Types>, string>(options)
  return Effect.fnUntraced(function*<Name extends keyof Types>(
    name: Name,
    input: Types[Name]["input"],
    answers: ReadonlyArray<JsonText>,
    withinMillis: number
  ): Effect.fn.Return<Types[Name]["output"], JobTooLong | RateLimited> {
    const share = yield* CurrentShare
    const job = { name, input: JSON.stringify(input), answers: answers.map(({ utf8 }) => utf8) }
    const output = yield* processes.run(share?.member ?? "", Effect.succeed(job), { withinMillis }).pipe(
      Effect.catchTag("JobTooLarge", () => Effect.fail(new JobTooLong()))
    )
    return JSON.parse(output)
  })
}
