import { Effect } from "effect"
import { extname } from "node:path"
import { InvalidInput, type RateLimited } from "../../../Api/Errors.ts"
import type { JsonText } from "../../../Domain/Json/JsonText.ts"
import { makeJobProcesses } from "../../Tooling/JobProcesses.ts"
import { type Plans, plans } from "./Plans.ts"

const runApart = makeJobProcesses<Plans>({
  module: new URL(`./PlanProcess${extname(import.meta.url)}`, import.meta.url),
  size: 1,
  maxHeap: 1024,
  refusal: "The member has too many large writes in progress."
})

/** The most cells that are planned on the main thread. They take at most 100 ms. */
const maxCellsHere = 50_000

/** CPU time that the largest plan may take. */
const withinMillis = 10_000

/** Returns `null` if a response of the provider is not the expected one. */
export const runPlan = <Name extends keyof Plans>(
  name: Name,
  cells: number,
  input: Plans[Name]["input"],
  answers: ReadonlyArray<JsonText>
): Effect.Effect<Plans[Name]["output"], RateLimited | InvalidInput> =>
  cells <= maxCellsHere
    ? Effect.sync(() => plans[name](input, answers.map(({ value }) => value)))
    : Effect.catchTag(runApart(name, input, answers, withinMillis), "JobTooLong", () => Effect.fail(tooMany))

const tooMany = new InvalidInput({ message: "The cells are too many to compare." })
