import { Data, Duration, Effect } from "effect"
import { type ResourceLimits, Worker } from "node:worker_threads"
import { overMemberShare, type RateLimited } from "./Capacity.ts"
import { FairCapacity } from "./FairCapacity.ts"

/** The job took more CPU time than it may. Its thread was ended. */
export class JobTooLong extends Data.TaggedError("JobTooLong") {}

/** The job took more memory than its thread may. The thread was ended. */
export class JobTooLarge extends Data.TaggedError("JobTooLarge") {}

/** A thread sends it before a part of its job that has a time of its own. */
export interface Deadline {
  /** CPU time of the thread: other work of the machine does not count. */
  readonly withinMillis: number
}

export interface ThreadsOptions {
  /** The module of the thread, which answers each message with one. */
  readonly module: URL
  readonly size: number
  readonly resourceLimits: ResourceLimits
  /** What a member does too much of when it is refused, as a sentence. */
  readonly refusal: string
  readonly maxWait?: Duration.Duration
  /** Recent use of a member. The member with the least comes first. */
  readonly taken?: (member: string) => number
}

interface RunOptions extends Deadline {
  /** Buffers that the thread takes over. */
  readonly moved?: ReadonlyArray<ArrayBuffer>
  /** Ends the thread afterwards, because it may hold much memory. */
  readonly isLast?: boolean
}

/** Jobs of one member that may wait. */
const maxWaiting = 10

const usualWait = Duration.seconds(10)

/** A thread that the machine gives less of its time is ended after this many times its CPU time. */
const maxSlowdown = 20

/**
 * Threads that members share fairly: one member cannot occupy all while another waits. They start when they are used.
 *
 * Without `effect/workers`: it asks a thread to close and waits five seconds, so a job past its deadline would keep
 * computing. It has no CPU time, no memory bound as an error, and loads Effect in each thread.
 */
export class Threads<Job, Answer> {
  readonly #options: ThreadsOptions
  readonly #turns: FairCapacity
  readonly #idle: Array<Worker> = []

  constructor(options: ThreadsOptions) {
    const { maxWait = usualWait, refusal, size, taken } = options
    const exceeded = () => overMemberShare(`${refusal} Retry after \`Retry-After\` seconds.`)
    this.#options = options
    this.#turns = new FairCapacity({ capacity: size, maxWaiting, maxWait, exceeded, taken })
  }

  /** The job is made in the turn of the member. An interruption ends the thread. */
  run<E>(
    member: string,
    job: Effect.Effect<Job, E>,
    options: (job: Job) => RunOptions
  ): Effect.Effect<Answer, E | JobTooLong | JobTooLarge | RateLimited> {
    return this.#turns.inTurn(member, Effect.flatMap(job, (made) => this.#ask(made, options(made))))
  }

  #ask(job: Job, { isLast = false, moved = [], withinMillis }: RunOptions) {
    return Effect.callback<Answer, JobTooLong | JobTooLarge>((resume) => {
      const worker = this.#idle.pop() ?? this.#start()
      let deadline = within(worker, withinMillis, () => give(Effect.fail(new JobTooLong())))
      const end = () => {
        deadline.cancel()
        // The worker has listeners of its own.
        worker.removeAllListeners("message").removeAllListeners("error")
      }
      /** Keeps the listener: an error of a thread that is being terminated must not reach the process. */
      const kill = () => {
        end()
        worker.on("error", () => undefined)
        worker.unref()
        return Effect.promise(() => worker.terminate())
      }
      const give = (effect: Effect.Effect<Answer, JobTooLong | JobTooLarge>) => resume(Effect.andThen(kill(), effect))
      worker.on("message", (answer: Answer | Deadline) => {
        if (isDeadline(answer)) {
          deadline.cancel()
          deadline = within(worker, answer.withinMillis, () => give(Effect.fail(new JobTooLong())))
          return
        }
        if (isLast) return give(Effect.succeed(answer))
        end()
        worker.unref()
        this.#idle.push(worker)
        resume(Effect.succeed(answer))
      })
      worker.once(
        "error",
        (error: NodeJS.ErrnoException) =>
          give(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? Effect.fail(new JobTooLarge()) : Effect.die(error))
      )
      worker.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
      worker.postMessage(job, moved)
      return Effect.suspend(kill)
    })
  }

  #start(): Worker {
    const { module, resourceLimits } = this.#options
    return new Worker(module, { resourceLimits })
  }
}

/** Calls `end` when the thread has taken this much CPU time from now on. */
const within = (worker: Worker, millis: number, end: () => void) => {
  // Fails for a thread that has not started.
  const start = worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
  let isCancelled = false
  const latest = setTimeout(end, maxSlowdown * millis)
  const check = async () => {
    const { system, user } = await worker.cpuUsage(await start)
    const left = millis - (user + system) / 1000
    if (isCancelled) return
    if (left > 0) timer = setTimeout(ask, left)
    else end()
  }
  // A thread that cannot say it is ended by the other timer.
  const ask = () => void check().catch(() => undefined)
  let timer = setTimeout(ask, millis)
  return {
    cancel: () => {
      clearTimeout(latest)
      clearTimeout(timer)
      isCancelled = true
    }
  }
}

const isDeadline = <Answer>(answer: Answer | Deadline): answer is Deadline =>
  typeof answer === "object" && answer !== null && "withinMillis" in answer
