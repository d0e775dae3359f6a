import { Context, Effect, Layer, Option } from "effect"
import { makeDataAccess } from "../../../Calls/DataAccess.ts"
import { BoundCalls } from "../../../Connections/Bounds/BoundCalls.ts"
import { CachedConnections } from "../../../Connections/CachedConnections.ts"
import { textOfBounds } from "../../../Domain/Access/Bounds.ts"
import type { Principal } from "../../../Domain/Access/Principal.ts"
import type { PageRequest } from "../../../Domain/Page.ts"
import { ResultNotFound } from "../Contract.ts"
import type { ResultSummary } from "../Result.ts"
import { KeptResults, type StoredResult } from "./KeptResults.ts"

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

      const check = Effect.fnUntraced(function*(principal: Principal, result: StoredResult) {
        const bounds = yield* access.bounds(principal, result.connectionId)
        if (bounds === undefined || textOfBounds(bounds) === result.bounds) return
        // A list may have what is outside of other bounds.
        if (result.names.length === 0) return yield* new ResultNotFound()
        yield* access.inside(bounds, result.provider, { names: result.names, urls: result.urls })
      }, Effect.mapError(() => new ResultNotFound()))

      return ResultAccess.of({
        find: Effect.fnUntraced(function*(principal, id) {
          const result = yield* results.find(holderOf(principal), id)
          yield* check(principal, result)
          return result
        }),
        list: Effect.fnUntraced(function*(principal, page) {
          const { cursor, items } = yield* results.list(holderOf(principal), page)
          const described = yield* Effect.forEach(items, (result) =>
            Effect.option(Effect.map(
              Effect.andThen(check(principal, result), results.briefColumns(result)),
              (columns): ResultSummary => ({
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

export const holderOf = (principal: Principal): string => {
  switch (principal.via) {
    case "key":
      return principal.keyId
    case "grant":
      return principal.grantId
    case "session":
      return principal.sessionId
  }
}
