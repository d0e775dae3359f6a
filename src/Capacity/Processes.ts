import { Data, Duration, Effect } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { overMemberShare, type RateLimited } from "./Capacity.ts"
import { FairCapacity } from "./FairCapacity.ts"
import { type Job, type Reply, tooLongSignal } from "./ServeJobs.ts"

/** The job took more CPU time than it may. Its process was ended. */
export class JobTooLong extends Data.TaggedError("JobTooLong") {}

/** The job took more memory than its process may, which ended it. */
export class JobTooLarge extends Data.TaggedError("JobTooLarge") {}

export interface ProcessesOptions {
  /** The module of the process, which calls `serveJobs`. */
  readonly module: URL
  readonly size: number
  /** The limit of V8's heap, in MB. */
  readonly maxHeap: number
  /** The first sentence of the message when a member is refused. */
  readonly refusal: string
  readonly maxWait?: Duration.Duration
  /** Recent use of a member. The member with the least comes first. */
  readonly recentUse?: (member: string) => number
}

interface RunOptions {
  /** CPU time of the process: other work of the machine does not count. */
  readonly withinMillis: number
  /** Ends the process afterwards, because it may hold much memory. */
  readonly isLast?: boolean
}

/** Jobs of one member that may wait. */
const maxWaiting = 10

const usualWait = Duration.seconds(10)

/** On a busy machine, a job may take this many times its CPU time. Then its process is ended. */
const maxSlowdown = 20

const maxIdleMillis = 30_000

/** A process writes no file and starts no program. It reads its modules, and starts the thread that watches it. */
const permissions = ["--permission", "--allow-fs-read=*", "--allow-worker"]

/**
 * Processes that members share fairly: one member cannot occupy all while another waits. They start when they are used.
 *
 * A thread that allocates far beyond its bound in one step, such as in `padStart` or `JSON.parse`, would end the whole
 * service. `effect/workers` limits neither CPU time nor memory, and loads Effect in each process.
 */
export class Processes<Input, Output> {
  readonly #options: ProcessesOptions
  readonly #turns: FairCapacity
  readonly #idle = new IdleProcesses()

  constructor(options: ProcessesOptions) {
    const { maxWait = usualWait, recentUse, refusal, size } = options
    const exceeded = () => overMemberShare(`${refusal} Retry after \`Retry-After\` seconds.`)
    this.#options = options
    this.#turns = new FairCapacity({ capacity: size, maxWaiting, maxWait, exceeded, recentUse })
  }

  /** Makes the input when it is the member's turn. An interruption ends the process. */
  run<E>(
    member: string,
    input: Effect.Effect<Input, E>,
    options: RunOptions
  ): Effect.Effect<Output, E | JobTooLong | JobTooLarge | RateLimited> {
    return this.#turns.inTurn(member, Effect.flatMap(input, (made) => this.#ask(made, options)))
  }

  #ask(input: Input, { isLast = false, withinMillis }: RunOptions) {
    return Effect.callback<Output, JobTooLong | JobTooLarge>((resume) => {
      const child = this.#idle.take() ?? this.#start()
      const end = (result: Effect.Effect<Output, JobTooLong | JobTooLarge>, isReused = false) => {
        clearTimeout(timeout)
        child.off("error", fail).removeAllListeners("message").removeAllListeners("exit")
        if (isReused) this.#idle.add(child)
        else child.kill("SIGKILL")
        resume(result)
      }
      const fail = (error: Error) => end(Effect.die(error))
      const timeout = setTimeout(() => end(Effect.fail(new JobTooLong())), maxSlowdown * withinMillis)
      child.once(
        "message",
        (reply: Reply<Output>) =>
          "defect" in reply ? end(Effect.die(reply.defect)) : end(Effect.succeed(reply.output), !isLast)
      )
      // V8 aborts a process beyond its heap. A machine without memory kills it.
      child.once("exit", (code, signal) => {
        if (signal === null) return fail(new Error(`The process of a job ended with status ${code}`))
        return end(Effect.fail(signal === tooLongSignal ? new JobTooLong() : new JobTooLarge()))
      })
      child.on("error", fail)
      const job: Job<Input> = { input, withinMillis }
      // Ignores errors: `exit` reports a process that has ended.
      child.send(job, () => undefined)
      return Effect.sync(() => end(Effect.interrupt))
    })
  }

  #start(): ChildProcess {
    const { maxHeap, module } = this.#options
    const child = fork(module, {
      // Without the variables of the service, which have its secrets.
      env: {},
      execArgv: [`--max-old-space-size=${maxHeap}`, ...permissions],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"]
    })
    // Without a listener, an error after the end of the job would end the service.
    return child.on("error", () => undefined)
  }
}

/** Processes without a job. They do not keep the service running, and end when they are not used for a while. */
class IdleProcesses {
  readonly #timers = new Map<ChildProcess, NodeJS.Timeout>()

  add(child: ChildProcess): void {
    child.unref()
    child.channel?.unref()
    this.#timers.set(child, setTimeout(() => this.#remove(child).kill("SIGKILL"), maxIdleMillis).unref())
    child.once("exit", () => this.#remove(child))
  }

  /** The process that was used last. */
  take(): ChildProcess | undefined {
    const child = [...this.#timers.keys()].at(-1)
    if (child === undefined) return undefined
    child.ref()
    child.channel?.ref()
    return this.#remove(child)
  }

  #remove(child: ChildProcess): ChildProcess {
    child.removeAllListeners("exit")
    clearTimeout(this.#timers.get(child))
    this.#timers.delete(child)
    return child
  }
}
