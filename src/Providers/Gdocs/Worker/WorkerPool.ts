import { Context, Effect } from "effect"
import { extname } from "node:path"
import type { JsonText } from "../../../Domain/Json/JsonText.ts"
import { makeJobProcesses } from "../../Tooling/JobProcesses.ts"
import type { JobsOfDocuments } from "./Jobs.ts"

export const JobDeadlineMillis = Context.Reference("openaccounts/Providers/Gdocs/Worker/JobDeadline", {
  defaultValue: () => 5000
})

const run = makeJobProcesses<JobsOfDocuments>({
  module: new URL(`./Process${extname(import.meta.url)}`, import.meta.url),
  size: 2,
  maxHeap: 192,
  refusal: "The member has too many long documents in progress."
})

/** Runs short inputs on the main thread. Loads the libraries for markdown on first use. */
export const runHere = <Name extends keyof JobsOfDocuments>(
  name: Name,
  input: JobsOfDocuments[Name]["input"],
  documents: ReadonlyArray<JsonText> = []
): Effect.Effect<JobsOfDocuments[Name]["output"]> =>
  Effect.map(
    Effect.promise(() => import("./Jobs.ts")),
    ({ jobs }) => jobs[name](input, documents.map(({ value }) => value))
  )

export const runApart = <Name extends keyof JobsOfDocuments>(
  name: Name,
  input: JobsOfDocuments[Name]["input"],
  documents: ReadonlyArray<JsonText> = []
) => Effect.flatMap(JobDeadlineMillis, (withinMillis) => run(name, input, documents, withinMillis))
