import { once } from "node:events"
import { extname } from "node:path"
import { Worker } from "node:worker_threads"

export interface Job<Input> {
  readonly input: Input
  readonly withinMillis: number
}

export type Reply<Output> = { readonly output: Output } | { readonly defect: unknown }

/** Ends a process whose job takes too much CPU time. */
export const tooLongSignal = "SIGVTALRM"

/** Gives the rest of a job a new limit of CPU time. */
export type SetDeadline = (withinMillis: number) => void

/** Called by the module of a process. Runs one job at a time. The clone algorithm must be able to copy its output. */
export const serveJobs = <Input, Output>(
  run: (input: Input, setDeadline: SetDeadline) => Output | Promise<Output>
): void => {
  const { setDeadline, started } = startWatch()
  const answer = async (input: Input): Promise<Reply<Output>> => {
    try {
      return { output: await run(input, setDeadline) }
    } catch (defect) {
      return { defect }
    }
  }
  process.on("message", async ({ input, withinMillis }: Job<Input>) => {
    // The start of the watch takes CPU time, which is not the job's.
    await started
    setDeadline(withinMillis)
    const reply = await answer(input)
    setDeadline(Infinity)
    process.send?.(reply)
  })
}

const startWatch = () => {
  const deadline = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)).fill(Infinity)
  const watch = new Worker(new URL(`./JobWatch${extname(import.meta.url)}`, import.meta.url), {
    workerData: { deadline, service: process.ppid, signal: tooLongSignal }
  })
  const started = once(watch, "message").then(() => watch.unref())
  const setDeadline: SetDeadline = (withinMillis) => {
    const { system, user } = process.cpuUsage()
    deadline[0] = (system + user) / 1000 + withinMillis
  }
  return { setDeadline, started }
}
