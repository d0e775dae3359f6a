import { Effect } from "effect"
import { extname } from "node:path"
import { InvalidInput, type RateLimited } from "../../../Api/Errors.ts"
import { CurrentShare } from "../../../Capacity/Capacity.ts"
import { Threads } from "../../../Capacity/Threads.ts"
import type { JsonText } from "../../../Domain/Json/JsonText.ts"
import { type Plans, plans } from "./Plans.ts"
import type { PlanJob } from "./PlanThread.ts"

/** The answers are JSON. */
const threads = new Threads<PlanJob, string>({
  module: new URL(`./PlanThread${extname(import.meta.url)}`, import.meta.url),
  size: 1,
  resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 32 },
  refusal: "The member has too many large writes in progress."
})

/** Cells that take at most 100 ms. */
const maxCellsHere = 50_000

/** CPU time that the largest plan may take. */
const withinMillis = 10_000

/** `null` where an answer of the provider is not what it should be. */
export const runPlan = Effect.fnUntraced(function*<Name extends keyof Plans>(
  name: Name,
  cells: number,
  input: Plans[Name]["input"],
  answers: ReadonlyArray<JsonText>
): Effect.fn.Return<Plans[Name]["output"], RateLimited | InvalidInput> {
  if (cells <= maxCellsHere) return plans[name](input, answers.map(({ value }) => value))
  const share = yield* CurrentShare
  const job: PlanJob = { name, input: JSON.stringify(input), answers: answers.map(({ utf8 }) => new Uint8Array(utf8)) }
  const options = { moved: job.answers.map(({ buffer }) => buffer), withinMillis }
  const output = yield* threads.run(share?.member ?? "", Effect.succeed(job), () => options).pipe(
    Effect.catchTags({ JobTooLong: () => Effect.fail(tooMany), JobTooLarge: () => Effect.fail(tooMany) })
  )
  return JSON.parse(output)
})

const tooMany = new InvalidInput({ message: "The cells are too many to compare." })
