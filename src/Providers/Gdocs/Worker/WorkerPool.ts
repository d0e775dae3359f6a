import { Context, Effect } from "effect"
import { extname } from "node:path"
import type { RateLimited } from "../../../Api/Errors.ts"
import { CurrentShare } from "../../../Capacity/Capacity.ts"
import { JobTooLong, Threads } from "../../../Capacity/Threads.ts"
import type { JsonText } from "../../../Domain/Json/JsonText.ts"
import type { Jobs } from "./Jobs.ts"
import type { Job } from "./Thread.ts"

export const JobDeadlineMillis = Context.Reference("openaccounts/Providers/Gdocs/Worker/JobDeadline", {
  defaultValue: () => 5000
})

/** The answers are JSON. */
const threads = new Threads<Job, string>({
  module: new URL(`./Thread${extname(import.meta.url)}`, import.meta.url),
  size: 2,
  resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 },
  refusal: "The member has too many long documents in progress."
})

/** Runs short inputs on the main thread. Loads the libraries for markdown on first use. */
export const runHere = <Name extends keyof Jobs>(
  name: Name,
  input: Jobs[Name]["input"],
  documents: ReadonlyArray<JsonText> = []
): Effect.Effect<Jobs[Name]["output"]> =>
  Effect.map(
    Effect.promise(() => import("./Jobs.ts")),
    ({ jobs }) => jobs[name](input, documents.map(({ value }) => value))
  )

export const runInThread = Effect.fnUntraced(function*<Name extends keyof Jobs>(
  name: Name,
  input: Jobs[Name]["input"],
  documents: ReadonlyArray<JsonText> = []
): Effect.fn.Return<Jobs[Name]["output"], JobTooLong | RateLimited> {
  const share = yield* CurrentShare
  const deadlineMillis = yield* JobDeadlineMillis
  const copies = documents.map(({ utf8 }) => new Uint8Array(utf8))
  const job: Job = { name, input: JSON.stringify(input), documents: copies }
  const options = { moved: copies.map(({ buffer }) => buffer), withinMillis: deadlineMillis }
  const output = yield* threads.run(share?.member ?? "", Effect.succeed(job), () => options).pipe(
    Effect.catchTag("JobTooLarge", () => Effect.fail(new JobTooLong()))
  )
  return JSON.parse(output)
})
