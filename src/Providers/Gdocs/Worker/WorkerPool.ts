import { Context, Data, Duration, Effect } from "effect"
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import { RateLimited } from "../../../Api/Errors.ts"
import { CurrentShare } from "../../../Capacity/Capacity.ts"
import { FairCapacity } from "../../../Capacity/FairCapacity.ts"
import type { Jobs } from "./Jobs.ts"
import type { Job } from "./Thread.ts"

const maxThreads = 2

export const JobDeadlineMillis = Context.Reference("openaccounts/Providers/Gdocs/JobDeadline", {
  defaultValue: () => 5000
})

export class JobTooLong extends Data.TaggedError("JobTooLong") {}

/** One member cannot occupy both threads while another waits. `maxWaiting` is per member. */
const threads = new FairCapacity({
  capacity: maxThreads,
  maxWaiting: 10,
  maxWait: Duration.seconds(10),
  exceeded: () =>
    new RateLimited({
      message: "The member has too many long documents in progress. Retry after `Retry-After` seconds.",
      details: { limited_by: "member_share", retry_after_seconds: 5 }
    })
})

const idle: Array<Worker> = []

/** For short inputs. Loads the libraries for markdown on first use. */
export const runHere = <Name extends keyof Jobs>(
  name: Name,
  input: Jobs[Name]["input"]
): Effect.Effect<Jobs[Name]["output"]> =>
  Effect.map(Effect.promise(() => import("./Jobs.ts")), ({ jobs }) => jobs[name](input))

/** @param json a long document, as UTF-8: as part of `input` it would be in memory four times. */
export const runInThread = <Name extends keyof Jobs>(
  name: Name,
  input: Jobs[Name]["input"],
  json: Uint8Array = new Uint8Array()
): Effect.Effect<Jobs[Name]["output"], JobTooLong | RateLimited> =>
  Effect.flatMap(CurrentShare, (share) =>
    threads.inTurn(
      share?.member ?? "",
      Effect.flatMap(
        JobDeadlineMillis,
        (deadlineMillis) => ask<Jobs[Name]["output"]>(name, input, json, deadlineMillis)
      )
    ))

const ask = <Output>(
  name: keyof Jobs,
  input: unknown,
  json: Uint8Array,
  deadlineMillis: number
): Effect.Effect<Output, JobTooLong> =>
  Effect.callback<Output, JobTooLong>((resume) => {
    const worker = idle.pop() ?? startThread()
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
    const give = (effect: Effect.Effect<Output, JobTooLong>) => resume(Effect.andThen(kill(), effect))
    const deadline = setTimeout(() => give(Effect.fail(new JobTooLong())), deadlineMillis)
    worker.once("message", (output) => {
      end()
      worker.unref()
      idle.push(worker)
      resume(Effect.sync(() => JSON.parse(output)))
    })
    worker.once(
      "error",
      (error: NodeJS.ErrnoException) =>
        give(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? Effect.fail(new JobTooLong()) : Effect.die(error))
    )
    worker.ref()
    const job: Job = { name, input: JSON.stringify(input), json: new Uint8Array(json) }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
    worker.postMessage(job, [job.json.buffer])
    return Effect.suspend(kill)
  })

const startThread = (): Worker =>
  new Worker(new URL(`./Thread${extname(import.meta.url)}`, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }
  })
