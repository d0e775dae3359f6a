import { Context, Effect, Exit, Layer, Option } from "effect"
import { makeDataAccess } from "../../../Calls/DataAccess.ts"
import { BoundCalls } from "../../../Connections/Bounds/BoundCalls.ts"
import { CachedConnections } from "../../../Connections/CachedConnections.ts"
import { textOfBounds } from "../../../Domain/Access/Bounds.ts"
import { holderIdOf, type Principal } from "../../../Domain/Access/Principal.ts"
import type { StoredConnection } from "../../../Domain/Connection.ts"
import type { PageRequest } from "../../../Domain/Page.ts"
import { ResultNotFound } from "../Contract.ts"
import type { ResultSummary } from "../Result.ts"
import { KeptResults } from "./KeptResults.ts"
import type { ResultPart, ResultSource, StoredResult } from "./StoredResult.ts"

export interface ResultPage {
  readonly results: ReadonlyArray<ResultSummary>
  readonly cursor: string | null
}

/**
 * Kept results as the caller may see them: its own, on a connection that it sees and that is not revoked, inside its
 * bounds.
 */
export class ResultAccess extends Context.Service<ResultAccess, {
  readonly find: (principal: Principal, id: string) => Effect.Effect<StoredResult, ResultNotFound>
  readonly list: (principal: Principal, page: PageRequest) => Effect.Effect<ResultPage>
}>()("openaccounts/Features/Results/Kept/ResultAccess") {
  static readonly layer = Layer.effect(
    ResultAccess,
    Effect.gen(function*() {
      const results = yield* KeptResults
      const access = yield* makeDataAccess
      const connections = yield* CachedConnections

      const check = Effect.fnUntraced(function*(
        principal: Principal,
        provider: string,
        source: Pick<ResultSource, "names" | "urls" | "bounds">,
        connection: StoredConnection | undefined
      ) {
        const bounds = yield* access.boundsOf(principal, connection)
        if (bounds === undefined || textOfBounds(bounds) === source.bounds) return
        // A list of resources may contain some that are outside of the caller's bounds.
        if (source.names.length === 0) return yield* new ResultNotFound()
        yield* access.inside(bounds, provider, { names: source.names, urls: source.urls })
      }, Effect.mapError(() => new ResultNotFound()))

      /** Leaves out the rows of sources that the caller may not see any more. */
      const shown = Effect.fnUntraced(function*(
        principal: Principal,
        result: StoredResult
      ): Effect.fn.Return<StoredResult, ResultNotFound> {
        const { connectionId, provider } = result
        if (connectionId !== null) {
          const connection = Option.getOrUndefined(yield* connections.find(connectionId))
          return yield* Effect.as(check(principal, provider, result, connection), result)
        }
        const all = yield* connections.all(principal.clientIds, provider)
        const byId = new Map(all.map((connection) => [connection.id, connection]))
        const stored = yield* results.parts(result)
        const parts: Array<ResultPart> = []
        let rows = 0
        for (const part of stored) {
          const { source } = part
          if (source === null) continue
          const checked = check(principal, provider, source, byId.get(source.connectionId))
          if (Exit.isFailure(yield* Effect.exit(checked))) continue
          parts.push({ ...part, firstRow: rows })
          rows += part.rows
        }
        const bytes = parts.length === stored.length ? result.bytes : parts.reduce((sum, { length }) => sum + length, 0)
        const isPart = parts.some(({ source }) => source?.part !== undefined)
        return { ...result, rows, bytes, parts, part: result.part ?? (isPart ? { has_more: true } : null) }
      })

      return ResultAccess.of({
        find: Effect.fnUntraced(function*(principal, id) {
          return yield* shown(principal, yield* results.find(holderIdOf(principal), id))
        }),
        list: Effect.fnUntraced(function*(principal, page) {
          const { cursor, items } = yield* results.list(holderIdOf(principal), page)
          const described = yield* Effect.forEach(items, (stored) =>
            Effect.option(Effect.map(
              Effect.all([shown(principal, stored), results.briefColumns(stored)]),
              ([result, columns]): ResultSummary => ({
                id: result.id,
                ...Option.isSome(columns) ? { columns: columns.value } : {},
                rows: result.rows,
                bytes: result.bytes,
                expires_at: result.expiresAt,
                ...result.part === null ? {} : { part: result.part }
              })
            )))
          return { results: described.flatMap(Option.toArray), cursor }
        })
      })
    })
  ).pipe(Layer.provide([BoundCalls.layer, CachedConnections.layer, KeptResults.layer]))
}
