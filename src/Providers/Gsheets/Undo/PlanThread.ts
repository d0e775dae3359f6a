import { parentPort } from "node:worker_threads"
import { type Plans, plans } from "./Plans.ts"

export interface PlanJob {
  readonly name: keyof Plans
  /** JSON, which is faster to copy between threads than objects. */
  readonly input: string
  /** The provider's responses, in UTF-8. */
  readonly answers: ReadonlyArray<Uint8Array<ArrayBuffer>>
}

parentPort?.on("message", ({ answers, input, name }: PlanJob) => {
  const read = answers.map((answer): unknown => JSON.parse(new TextDecoder().decode(answer)))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
  parentPort?.postMessage(JSON.stringify(plans[name](JSON.parse(input), read)))
})
