/** A thread that ends the process of a job at its deadline, or with the service. The job may be too busy to do it. */
import { setInterval } from "node:timers"
import { parentPort, workerData } from "node:worker_threads"

const { deadline, service, signal }: {
  /** In milliseconds of the process's CPU time. */
  readonly deadline: Float64Array
  readonly service: number
  readonly signal: NodeJS.Signals
} = workerData

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
parentPort?.postMessage("started")
setInterval(() => {
  const { system, user } = process.cpuUsage()
  if ((system + user) / 1000 > (deadline[0] ?? Infinity)) process.kill(process.pid, signal)
  if (process.ppid !== service) process.kill(process.pid, "SIGKILL")
}, 20)
