import { Context, Effect, Layer } from "effect"
import { extname } from "node:path"
import type { ResultQuery } from "../../../Api/Calls/ResultsApi.ts"
import { InvalidInput, RateLimited, type ResultNotFound } from "../../../Api/Errors.ts"
import { JobTooLong, Threads } from "../../../Capacity/Threads.ts"
import type { Principal } from "../../../Domain/Access/Principal.ts"
import type { Table } from "../../../Domain/Table/Table.ts"
import { KeptResults, type StoredResult } from "../Kept/KeptResults.ts"
import { parseChunk } from "../Kept/ReadPage.ts"
import { ResultAccess } from "../Kept/ResultAccess.ts"
import type { QueryJob, QueryReply } from "./QueryThread.ts"
import type { NamedTable } from "./Sqlite.ts"

const makeThreads = (size: number) =>
  new Threads<QueryJob, QueryReply>({
    module: new URL(`./QueryThread${extname(import.meta.url)}`, import.meta.url),
    size,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
    exceeded: () =>
      new RateLimited({
        message: "The member asks too much of kept results at once. Retry after `Retry-After` seconds.",
        details: { limited_by: "member_share", retry_after_seconds: 5 }
      })
  })

/** Small tables are asked here first, so that short statements do not wait for long ones. */
const short = { threads: makeThreads(1), loadMillis: 5000, statementMillis: 500 }

/** For large tables, and for what has taken too long there. */
const long = { threads: makeThreads(2), loadMillis: 30_000, statementMillis: 5000 }

/** Of all tables, as JSON. They take about as much in SQLite, which has 256 MB. */
const maxBytes = 256 * 1024 * 1024

/** In bytes. A thread keeps the memory that SQLite took. */
const maxReused = 16 * 1024 * 1024

/** Results are found again for each query, so that it sees only what its caller may see now. */
export class ResultQueries extends Context.Service<ResultQueries, {
  readonly query: (
    principal: Principal,
    id: string,
    query: ResultQuery
  ) => Effect.Effect<Table & { readonly truncated: boolean }, ResultNotFound | InvalidInput | RateLimited>
}>()("openaccounts/Calls/Results/Query/ResultQueries") {
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
        const chunks: Array<string> = []
        yield* results.chunks(
          result,
          { offset: 0, limit: result.rows },
          ({ json }) => Effect.sync(() => void chunks.push(json))
        )
        return { name, columns: columns.map((column) => column.name), chunks }
      })

      return ResultQueries.of({
        query: Effect.fn("ResultQueries.query")(function*(principal, id, { results: others = {}, sql }) {
          const named = yield* Effect.forEach(
            Object.entries({ ...others, result: id }),
            ([name, id]) => Effect.map(access.find(principal, id), (result) => ({ name, result }))
          )
          const bytes = named.reduce((sum, { result }) => sum + result.bytes, 0)
          if (bytes > maxBytes) return yield* failed("out of memory: the results need more than 256 MB")
          const isSmall = bytes <= maxReused
          const runIn = ({ loadMillis, statementMillis, threads }: typeof short) =>
            threads.run(
              principal.memberId,
              Effect.map(
                Effect.forEach(named, ({ name, result }) => load(name, result)),
                (tables): QueryJob => ({ sql, tables, withinMillis: statementMillis })
              ),
              () => ({ withinMillis: loadMillis, isLast: !isSmall })
            ).pipe(Effect.filterOrFail((answer) => answer !== "interrupted", () => new JobTooLong()))
          const answer = yield* (
            isSmall ? Effect.catchTag(runIn(short), "JobTooLong", () => runIn(long)) : runIn(long)
          ).pipe(
            Effect.catchTags({
              JobTooLong: () => failed("interrupted: it needs more than 5 s"),
              JobTooLarge: () => failed("out of memory: it needs more than 256 MB")
            })
          )
          if ("message" in answer) return yield* failed(answer.message)
          return { columns: answer.columns, rows: parseChunk(answer.rows), truncated: answer.truncated }
        })
      })
    })
  ).pipe(Layer.provide([KeptResults.layer, ResultAccess.layer]))
}

const failed = (message: string) =>
  Effect.fail(new InvalidInput({ message: "The query failed.", details: [{ path: ["sql"], message }] }))
