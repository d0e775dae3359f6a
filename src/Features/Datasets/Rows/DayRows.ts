import { Effect, Option, RcRef, type Scope, Semaphore } from "effect"
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import type { JsonText } from "../../../Domain/Json/JsonText.ts"
import type { Column } from "../../../Domain/Table/Table.ts"
import type { TableSource } from "../../../Domain/Table/TableSource.ts"
import { DatasetStorageFailed } from "../Files/FileStore.ts"
import type { EndedDay, Layout, ReadRows } from "./RowsOfDay.ts"
import type { Steps } from "./RowsThread.ts"

type Read = (
  body: JsonText,
  source: TableSource | undefined
) => Effect.Effect<Option.Option<ReadRows>, DatasetStorageFailed>

/** The rows of a day, in a thread that parses responses and encodes the file: other requests do not wait for it. */
export interface DayRows {
  /** Adds the rows of a response. `None` if it has no rows. Fails if a cell does not fit its column. */
  readonly write: Read
  /** Keeps the rows of a response of a part of the day, until `endPart`. */
  readonly keep: Read
  /** Sums the rows that were kept, over all parts, or forgets them. */
  readonly endPart: (options: { readonly isSummed: boolean }) => Effect.Effect<void>
  /** The file, with the sums. */
  readonly end: Effect.Effect<EndedDay>
}

/** How long an unused thread is kept: the next day usually follows soon. */
const idleTimeToLive = "10 seconds"

/** All days share a thread, which starts with the first one. If it runs out of memory, its days fail. */
export const makeDays = Effect.gen(function*() {
  const threads = yield* RcRef.make({ acquire: startThread, idleTimeToLive })
  let opened = 0

  return Effect.fnUntraced(function*(
    columns: ReadonlyArray<Column>,
    layout: Layout
  ): Effect.fn.Return<DayRows, never, Scope.Scope> {
    const thread = yield* RcRef.get(threads)
    const day = opened++
    const ask = <Name extends keyof Steps>(name: Name, input: Steps[Name]["input"]) =>
      Effect.tapDefect(thread(day, name, input), () => RcRef.invalidate(threads))

    const read = (name: "write" | "keep"): Read =>
      Effect.fnUntraced(function*(body, source) {
        const read = yield* ask(name, { json: body.bytes ?? body.text, source })
        if (read !== undefined && "wrongCell" in read) {
          return yield* new DatasetStorageFailed({ message: read.wrongCell })
        }
        return Option.fromUndefinedOr(read)
      })

    yield* Effect.acquireRelease(
      ask("open", { columns, layout }),
      () => Effect.ignoreCause(ask("close", undefined))
    )
    return {
      write: read("write"),
      keep: read("keep"),
      endPart: (input) => ask("endPart", input),
      end: ask("end", undefined)
    }
  })
})

const startThread = Effect.gen(function*() {
  const module = new URL(`./RowsThread${extname(import.meta.url)}`, import.meta.url)
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => new Worker(module)),
    (worker) => Effect.promise(() => worker.terminate())
  )
  worker.unref()
  let failure: Error | undefined
  worker.on("error", (error) => failure = error)
  const turn = yield* Semaphore.make(1)

  return <Name extends keyof Steps>(day: number, name: Name, input: Steps[Name]["input"]) =>
    Effect.callback<Steps[Name]["output"]>((resume) => {
      if (failure !== undefined) return resume(Effect.die(failure))
      const end = () => worker.off("message", onAnswer).off("error", onError)
      const onAnswer = (answer: Steps[Name]["output"]) => {
        end()
        resume(Effect.succeed(answer))
      }
      const onError = (error: Error) => {
        end()
        resume(Effect.die(error))
      }
      worker.on("message", onAnswer).on("error", onError)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
      worker.postMessage({ day, name, input })
    }).pipe(Effect.uninterruptible, turn.withPermit)
})
