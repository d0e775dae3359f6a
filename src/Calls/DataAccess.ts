import { Data, Effect, Option } from "effect"
import { BoundCalls } from "../Connections/Bounds/BoundCalls.ts"
import { CachedConnections } from "../Connections/CachedConnections.ts"
import { type Bounds, boundsOf } from "../Domain/Access/Bounds.ts"
import { type Principal, seesConnection } from "../Domain/Access/Principal.ts"
import type { StoredConnection } from "../Domain/Connection.ts"
import type { ConnectionId } from "../Domain/Ids.ts"
import { Catalog } from "../Providers/Catalog/Catalog.ts"
import { type Subject, subjectOf } from "../Providers/Resources.ts"

export class NotVisible extends Data.TaggedError("NotVisible") {}

/** The part of a subject that can be stored. */
export interface StoredSubject extends Pick<Subject, "names" | "urls"> {
  readonly creates?: string
}

/** Whether a caller may still see the data of an earlier call. */
export const makeDataAccess = Effect.gen(function*() {
  const connections = yield* CachedConnections
  const catalog = yield* Catalog
  const boundCalls = yield* BoundCalls

  /** The bounds of a caller on a connection. Fails if the caller does not see it, or it is revoked. */
  const visible = Effect.fnUntraced(function*(
    principal: Principal,
    connection: StoredConnection | undefined
  ): Effect.fn.Return<Bounds | undefined, NotVisible> {
    if (connection === undefined || connection.status === "revoked") return yield* new NotVisible()
    if (!seesConnection(principal, connection.id, connection.client_id)) return yield* new NotVisible()
    return boundsOf(principal, connection)
  })

  return {
    boundsOf: visible,

    bounds: (principal: Principal, id: ConnectionId) =>
      Effect.flatMap(connections.find(id), (found) => visible(principal, Option.getOrUndefined(found))),

    inside: Effect.fnUntraced(
      function*(bounds: Bounds, provider: string, subject: StoredSubject) {
        yield* boundCalls.check(bounds, yield* catalog.provider(provider), {
          ...subjectOf("none", undefined),
          ...subject
        })
      },
      Effect.mapError(() => new NotVisible())
    )
  }
})
