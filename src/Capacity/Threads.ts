import { Data, Duration, Effect } from "effect"
import { type ResourceLimits, Worker } from "node:worker_threads"
import type { RateLimited } from "../Api/Errors.ts"
import { FairCapacity } from "./FairCapacity.ts"

/** The job took longer than its time. Its thread was ended. */
export class JobTooLong extends Data.TaggedError("JobTooLong") {}

/** The job took more memory than its thread may. The thread was ended. */
export class JobTooLarge extends Data.TaggedError("JobTooLarge") {}

interface Options {
  /** The module of the thread. It answers each message with one, after a `started` where it has prepared the job. */
  readonly module: URL
  readonly size: number
  readonly resourceLimits: ResourceLimits
  readonly exceeded: () => RateLimited
}

interface Time {
  readonly deadlineMillis: number
  /** Time to prepare a job until the thread sends `started`, when the deadline begins. By default there is none. */
  readonly startMillis?: number
}

export const started = "started"

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

  /** An interruption ends the thread. `moved` are buffers that the thread takes over. */
  run(
    member: string,
    job: Job,
    moved: ReadonlyArray<ArrayBuffer>,
    time: Time
  ): Effect.Effect<Answer, JobTooLong | JobTooLarge | RateLimited> {
    return this.#turns.inTurn(member, this.#ask(job, moved, time))
  }

  #ask(job: Job, moved: ReadonlyArray<ArrayBuffer>, time: Time): Effect.Effect<Answer, JobTooLong | JobTooLarge> {
    return Effect.callback((resume) => {
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
      let deadline = within(time.startMillis ?? time.deadlineMillis)
      worker.on("message", (answer: Answer | typeof started) => {
        if (answer === started) {
          clearTimeout(deadline)
          deadline = within(time.deadlineMillis)
          return
        }
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
