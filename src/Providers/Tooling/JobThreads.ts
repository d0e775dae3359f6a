import { Effect } from "effect"
import type { RateLimited } from "../../Api/Errors.ts"
import { CurrentShare } from "../../Capacity/Capacity.ts"
import { JobTooLong, Threads, type ThreadsOptions } from "../../Capacity/Threads.ts"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import type { AnyTypes, Job } from "./Jobs.ts"

/** Runs jobs in threads, in the turn of the member. One that takes too much memory takes too long. */
export const makeJobThreads = <Types extends AnyTypes<Types>>(options: ThreadsOptions) => {
  const threads = new Threads<Job<keyof Types>, string>(options)
  return Effect.fnUntraced(function*<Name extends keyof Types>(
    name: Name,
    input: Types[Name]["input"],
    answers: ReadonlyArray<JsonText>,
    withinMillis: number
  ): Effect.fn.Return<Types[Name]["output"], JobTooLong | RateLimited> {
    const share = yield* CurrentShare
    const copies = answers.map(({ utf8 }) => new Uint8Array(utf8))
    const job = { name, input: JSON.stringify(input), answers: copies }
    const moved = copies.map(({ buffer }) => buffer)
    const output = yield* threads.run(share?.member ?? "", Effect.succeed(job), () => ({ moved, withinMillis })).pipe(
      Effect.catchTag("JobTooLarge", () => Effect.fail(new JobTooLong()))
    )
    return JSON.parse(output)
  })
}
