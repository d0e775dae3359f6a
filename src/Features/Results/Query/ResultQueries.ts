import { Context, Duration, Effect, Exit, Layer } from "effect"
import { availableParallelism } from "node:os"
import { extname } from "node:path"
import { InvalidInput, type RateLimited } from "../../../Api/Errors.ts"
import { overMemberShare } from "../../../Capacity/Capacity.ts"
import { FairCapacity } from "../../../Capacity/FairCapacity.ts"
import { JobTooLong, Processes } from "../../../Capacity/Processes.ts"
import type { Principal } from "../../../Domain/Access/Principal.ts"
import type { ResultNotFound, ResultQuery } from "../Contract.ts"
import { KeptResults } from "../Kept/KeptResults.ts"
import { ResultAccess } from "../Kept/ResultAccess.ts"
import type { StoredResult } from "../Kept/StoredResult.ts"
import type { TableForm } from "../TableWriter.ts"
import type { QueryJob, QueryReply } from "./QueryProcess.ts"
import type { NamedTable, QueryResult } from "./Sqlite.ts"
import { StatementTime } from "./StatementTime.ts"

const refusal = "The member asks too much of kept results at once."

/** Statements of several other members may come first. */
const maxWait = Duration.minutes(1)

const statementTime = new StatementTime()

const makeProcesses = (size: number) =>
  new Processes<QueryJob, QueryReply>({
    module: new URL(`./QueryProcess${extname(import.meta.url)}`, import.meta.url),
    size,
    maxHeap: 256,
    refusal,
    maxWait,
    recentUse: (member) => statementTime.of(member)
  })

/** Small tables are asked here first, so that short statements do not wait for long ones. */
const short = { processes: makeProcesses(1), loadMillis: 5000, statementMillis: 500 }

/** Runs queries of large tables, and those that took too long elsewhere. A core stays free for everything else. */
const long = {
  processes: makeProcesses(Math.max(1, availableParallelism() - 1)),
  loadMillis: 30_000,
  statementMillis: 5000
}

/** The most bytes of all tables, as JSON. They take about as much in SQLite, which has 256 MB. */
const maxBytes = 256 * 1024 * 1024

/** The memory of tables that are asked, of all members. */
const loaded = new FairCapacity({
  capacity: maxBytes,
  maxWaiting: 10,
  maxWait,
  exceeded: () => overMemberShare(refusal)
})

/** The size in bytes after which a process is replaced. A process keeps the memory that SQLite took. */
const maxReused = 16 * 1024 * 1024

/** Results are found again for each query, so that it sees only what its caller may see now. */
export class ResultQueries extends Context.Service<ResultQueries, {
  readonly query: (
    principal: Principal,
    id: string,
    query: Pick<ResultQuery, "sql" | "results">,
    form: TableForm
  ) => Effect.Effect<QueryResult, ResultNotFound | InvalidInput | RateLimited>
}>()("openaccounts/Features/Results/Query/ResultQueries") {
  static readonly layer = Layer.effect(
    ResultQueries,
    Effect.gen(function*() {
      const access = yield* ResultAccess
      const results = yield* KeptResults

      const load = Effect.fnUntraced(function*(
        name: string,
        result: StoredResult
      ): Effect.fn.Return<NamedTable, ResultNotFound> {
        const columns = yield* results.columns(result)
        const { chunks } = yield* results.chunks(result, { offset: 0, limit: result.rows })
        return { name, columns: columns.map((column) => column.name), chunks: chunks.map(({ json }) => json) }
      })

      return ResultQueries.of({
        query: Effect.fn("ResultQueries.query")(function*(principal, id, { results: others = {}, sql }, form) {
          const { memberId } = principal
          const named = yield* Effect.forEach(
            Object.entries({ ...others, result: id }),
            ([name, id]) => Effect.map(access.find(principal, id), (result) => ({ name, result }))
          )
          const parts = Object.fromEntries(
            named.flatMap(({ name, result: { part } }) => part === null ? [] : [[name, part] as const])
          )
          const bytes = named.reduce((sum, { result }) => sum + result.bytes, 0)
          if (bytes > maxBytes) return yield* failed("out of memory: the results need more than 256 MB")
          const isSmall = bytes <= maxReused
          const runIn = Effect.fnUntraced(function*({ loadMillis, processes, statementMillis }: typeof short) {
            let start: number | undefined
            const job = Effect.map(
              Effect.forEach(named, ({ name, result }) => load(name, result)),
              (tables): QueryJob => {
                start = performance.now()
                // Counts the most that the statement may take while it runs.
                statementTime.take(memberId, statementMillis)
                return { sql, tables, form, parts, withinMillis: statementMillis }
              }
            )
            const ran = processes.run(memberId, job, { withinMillis: loadMillis, isLast: !isSmall })
            // A statement that was ended, also by its caller, has not reported its time.
            const { result } = yield* Effect.onExit(ran, (exit) =>
              Effect.sync(() => {
                if (start === undefined) return
                const past = Math.min(performance.now() - start, statementMillis)
                statementTime.take(memberId, (Exit.isSuccess(exit) ? exit.value.millis : past) - statementMillis)
              }))
            return result === "interrupted" ? yield* new JobTooLong() : result
          })
          const inLong = Effect.scopedWith((scope) =>
            Effect.andThen(loaded.reserve(memberId, bytes, scope), runIn(long))
          )
          const answer = yield* (isSmall ? Effect.catchTag(runIn(short), "JobTooLong", () => inLong) : inLong).pipe(
            Effect.catchTags({
              JobTooLong: () => failed("interrupted: it needs more than 5 s"),
              JobTooLarge: () => failed("out of memory: it needs more than 256 MB")
            })
          )
          return "message" in answer ? yield* failed(answer.message) : answer
        })
      })
    })
  ).pipe(Layer.provide([KeptResults.layer, ResultAccess.layer]))
}

const failed = (message: string) =>
  Effect.fail(new InvalidInput({ message: "The query failed.", details: [{ path: ["sql"], message }] }))
