import { Data, Duration, Effect } from "effect"
import { type ResourceLimits, Worker } from "node:worker_threads"
import type { RateLimited } from "../Api/Errors.ts"
import { FairCapacity } from "./FairCapacity.ts"

/** The job took longer than its time. Its thread was ended. */
export class JobTooLong extends Data.TaggedError("JobTooLong") {}

/** The job took more memory than its thread may. The thread was ended. */
export class JobTooLarge extends Data.TaggedError("JobTooLarge") {}

/** A thread sends it before a part of its job that has a time of its own. */
export interface Deadline {
  readonly withinMillis: number
}

interface Options {
  /** The module of the thread, which answers each message with one. */
  readonly module: URL
  readonly size: number
  readonly resourceLimits: ResourceLimits
  readonly exceeded: () => RateLimited
}

interface RunOptions {
  /** Buffers that the thread takes over. */
  readonly moved?: ReadonlyArray<ArrayBuffer>
  readonly withinMillis: number
  /** Ends the thread afterwards, because it may hold much memory. */
  readonly isLast?: boolean
}

/** Of one member. */
const maxWaiting = 10

const maxWait = Duration.seconds(10)

/** Threads that members share fairly: one member cannot occupy all while another waits. They start when they are used. */
export class Threads<Job, Answer> {
  readonly #options: Options
  readonly #turns: FairCapacity
  readonly #idle: Array<Worker> = []

  constructor(options: Options) {
    const { exceeded, size } = options
    this.#options = options
    this.#turns = new FairCapacity({ capacity: size, maxWaiting, maxWait, exceeded })
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
      const end = () => {
        clearTimeout(deadline)
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
      const within = (millis: number) => setTimeout(() => give(Effect.fail(new JobTooLong())), millis)
      let deadline = within(withinMillis)
      worker.on("message", (answer: Answer | Deadline) => {
        if (isDeadline(answer)) {
          clearTimeout(deadline)
          deadline = within(answer.withinMillis)
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

const isDeadline = <Answer>(answer: Answer | Deadline): answer is Deadline =>
  typeof answer === "object" && answer !== null && "withinMillis" in answer
