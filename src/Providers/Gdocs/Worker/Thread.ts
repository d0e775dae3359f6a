import { parentPort } from "node:worker_threads"
import { jobs } from "./Jobs.ts"

export interface Job {
  readonly name: keyof typeof jobs
  /** JSON, which is faster to copy between threads than objects. */
  readonly input: string
  /** Long documents, as UTF-8: as parts of `input` they would be in memory four times. */
  readonly documents: ReadonlyArray<Uint8Array<ArrayBuffer>>
}

parentPort?.on("message", ({ documents, input, name }: Job) => {
  const read = documents.map((document): unknown => JSON.parse(new TextDecoder().decode(document)))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
  parentPort?.postMessage(JSON.stringify(jobs[name](JSON.parse(input), read)))
})
