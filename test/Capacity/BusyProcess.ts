import { serveJobs } from "../../src/Capacity/ServeJobs.ts"

export interface BusyJob {
  readonly waitMillis?: number
  readonly characters?: number
}

/** A job that takes CPU time for ever, waits for `waitMillis` and takes none, or makes a text in one step. */
serveJobs(({ characters, waitMillis }: BusyJob) => {
  if (characters !== undefined) return Array.from("x".repeat(characters)).length
  if (waitMillis === undefined) { while (true); }
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMillis)
  return "waited"
})
