import { Context, Effect, Fiber, Layer } from "effect"
import { HttpMiddleware, HttpServerRequest } from "effect/http"
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import { logSettings } from "../../Observability/LogFormat.ts"
import type { Held, Watched } from "./LoopWatchThread.ts"

const beatMillis = 100

/** The name of the function that the other thread calls. */
const reporterName = "openaccounts/heldBy"

const cpuMillis = () => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

/** The route that runs on this thread. The watching thread interrupts it to ask. */
const currentRoute = (): string => {
  const fiber = Fiber.getCurrent()
  const request = fiber && Context.getOrUndefined(fiber.context, HttpServerRequest.HttpServerRequest)
  return fiber === undefined || request === undefined
    ? "work outside of requests"
    : fiber.getRef(HttpMiddleware.SpanNameGenerator)(request)
}

/**
 * Logs the route of a request that has held the event loop for over 500 ms of CPU time. A thread of its own watches,
 * because a held loop runs nothing else.
 */
export const LoopWatch = Layer.effectDiscard(Effect.gen(function*() {
  const { format, level } = yield* logSettings
  if (level === "error" || level === "fatal" || level === "none") return
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const beats = new Int32Array(new SharedArrayBuffer(4))
  let lastBeat = cpuMillis()
  const held = (): Held => ({ route: currentRoute(), millis: cpuMillis() - lastBeat })
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const timer = setInterval(() => {
        Atomics.add(beats, 0, 1)
        lastBeat = cpuMillis()
      }, beatMillis).unref()
      Reflect.set(globalThis, reporterName, () => JSON.stringify(held()))
      const workerData: Watched = { beats, reporterName, format }
      const worker = new Worker(new URL(`./LoopWatchThread${extname(import.meta.url)}`, import.meta.url), {
        workerData
      })
      worker.unref()
      worker.on("error", (error) => run(Effect.logWarning("Nothing watches the event loop any more", error)))
      return { timer, worker }
    }),
    ({ timer, worker }) => {
      clearInterval(timer)
      return Effect.promise(() => worker.terminate())
    }
  )
}))
