/** A thread beside a job, which can be too busy to be asked: ends the process at its deadline, or with the service. */
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
