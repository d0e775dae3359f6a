import { parentPort } from "node:worker_threads"
import { jobs } from "./Jobs.ts"

export interface Job {
  readonly name: keyof typeof jobs
  /** JSON, which is faster to copy between threads than objects. */
  readonly input: string
  readonly json: Uint8Array<ArrayBuffer>
}

parentPort?.on("message", ({ input, json, name }: Job) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
  parentPort?.postMessage(JSON.stringify(jobs[name](JSON.parse(input), json)))
})
