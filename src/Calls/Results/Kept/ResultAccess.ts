import { Context, Effect, Layer, Option } from "effect"
import { ResultNotFound } from "../../../Api/Errors.ts"
import { BoundCalls } from "../../../Connections/Bounds/BoundCalls.ts"
import { CachedConnections } from "../../../Connections/CachedConnections.ts"
import { boundsOf, textOfBounds } from "../../../Domain/Access/Bounds.ts"
import { type Principal, seesConnection } from "../../../Domain/Access/Principal.ts"
import type { KeptResult } from "../../../Domain/Calls/Result.ts"
import type { PageRequest } from "../../../Domain/Page.ts"
import { Catalog } from "../../../Providers/Catalog/Catalog.ts"
import { KeptResults, type StoredResult } from "./KeptResults.ts"

export interface ResultPage {
  readonly results: ReadonlyArray<KeptResult>
  readonly cursor: string | null
}

/**
 * Kept results as the caller may see them: its own, on a connection that it sees and that is not revoked, inside its
 * bounds.
 */
export class ResultAccess extends Context.Service<ResultAccess, {
  readonly find: (principal: Principal, id: string) => Effect.Effect<StoredResult, ResultNotFound>
  readonly list: (principal: Principal, page: PageRequest) => Effect.Effect<ResultPage>
}>()("openaccounts/Calls/Results/Kept/ResultAccess") {
  static readonly layer = Layer.effect(
    ResultAccess,
    Effect.gen(function*() {
      const results = yield* KeptResults
      const connections = yield* CachedConnections
      const catalog = yield* Catalog
      const boundCalls = yield* BoundCalls

      const check = Effect.fnUntraced(function*(principal: Principal, result: StoredResult) {
        const found = yield* connections.find(result.connectionId)
        if (Option.isNone(found)) return yield* new ResultNotFound()
        const connection = found.value
        const { client_id, id, status } = connection
        if (status === "revoked" || !seesConnection(principal, id, client_id)) return yield* new ResultNotFound()
        const bounds = boundsOf(principal, connection)
        if (bounds === undefined || textOfBounds(bounds) === result.bounds) return
        // A list may have what is outside of other bounds.
        if (result.names.length === 0) return yield* new ResultNotFound()
        const provider = yield* catalog.provider(result.provider)
        const { names, urls } = result
        yield* boundCalls.check(bounds, provider, {
          names,
          urls,
          creates: undefined,
          isDeclared: true,
          refuses: () => []
        })
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
              Effect.andThen(check(principal, result), results.columns(result)),
              (columns): KeptResult => ({
                id: result.id,
                columns,
                rows: result.rows,
                bytes: result.bytes,
                expires_at: result.expiresAt
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
