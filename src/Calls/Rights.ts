import { Effect, Schema } from "effect"
import type { InvalidInput, ReadOnly, ResourceNotFound, RightsLost } from "../Api/Errors.ts"
import { Auth } from "../Auth/Auth.ts"
import { BoundCalls } from "../Connections/Bounds/BoundCalls.ts"
import { makeChooseConnection } from "../Connections/ChooseConnection.ts"
import { type Bounds, boundsOf } from "../Domain/Access/Bounds.ts"
import type { Principal } from "../Domain/Access/Principal.ts"
import type { StoredConnection } from "../Domain/Connection.ts"
import type { Operation, PreparedOperation } from "../Providers/Catalog/Operation.ts"
import type { CallContext } from "./CallContext.ts"
import type { StoredResponse } from "./Idempotency/Idempotency.ts"
import { makeReadOnlyRefusal } from "./ReadOnlyRefusal.ts"
import type { IncomingCall } from "./Request/IncomingCall.ts"

export interface Permitted {
  readonly connection: StoredConnection
  readonly bounds: Bounds | undefined
}

type Prepared = Pick<PreparedOperation, "subject">

const decodeResponse = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ data: Schema.Unknown })))

/** Who calls, and what the caller may do with which connection. */
export const makeRights = Effect.gen(function*() {
  const auth = yield* Auth
  const boundCalls = yield* BoundCalls
  const chooseConnection = yield* makeChooseConnection
  const readOnlyRefusal = yield* makeReadOnlyRefusal

  const access = (principal: Principal, { writes }: Operation): Effect.Effect<void, ReadOnly> =>
    writes && principal.access === "read_only" ? Effect.fail(readOnlyRefusal(principal)) : Effect.void

  const principalOf = ({ approved, credential }: IncomingCall) =>
    approved === undefined ? auth.authenticate(credential) : auth.ofHolder(approved.holderId)

  const within = (
    principal: Principal,
    { provider }: Operation,
    { subject }: Prepared,
    connection: StoredConnection
  ): Effect.Effect<Permitted, ResourceNotFound | InvalidInput> => {
    const bounds = boundsOf(principal, connection)
    const permitted = { connection, bounds }
    return bounds === undefined
      ? Effect.succeed(permitted)
      : Effect.as(boundCalls.check(bounds, provider, subject()), permitted)
  }

  /** An active connection. `context` knows it also where the call may not use it. */
  const connection = (
    principal: Principal,
    operation: Operation,
    prepared: Prepared,
    id: string | undefined,
    context?: CallContext
  ): Effect.Effect<Permitted, RightsLost> =>
    Effect.flatMapEager(
      chooseConnection.visible(principal, operation.provider, id),
      (found): Effect.Effect<Permitted, RightsLost> => {
        if (context !== undefined) context.connection = found
        return found.status === "active"
          ? within(principal, operation, prepared, found)
          : chooseConnection.inactive(principal, operation.provider, found)
      }
    )

  /** For the response of an earlier call, whose connection may have ended. */
  const replayed = Effect.fnUntraced(function*(
    principal: Principal,
    operation: Operation,
    prepared: Prepared,
    { body, connectionId, status }: StoredResponse,
    context: CallContext
  ) {
    context.connection = yield* chooseConnection.visible(principal, operation.provider, connectionId ?? "")
    const { bounds } = yield* within(principal, operation, prepared, context.connection)
    const { creates } = prepared.subject()
    if (bounds === undefined || creates === undefined || status !== 200) return
    yield* boundCalls.checkCreated(bounds, operation.provider, creates, decodeResponse(body).data)
  })

  /** Of a call that waited, because its rights may have changed meanwhile. */
  const again = Effect.fnUntraced(function*(
    incoming: IncomingCall,
    operation: Operation,
    prepared: Prepared,
    id: string
  ): Effect.fn.Return<void, RightsLost> {
    const principal = yield* principalOf(incoming)
    yield* access(principal, operation)
    yield* connection(principal, operation, prepared, id)
  })

  return { principalOf, access, connection, replayed, again }
})

export type Rights = Effect.Success<typeof makeRights>
