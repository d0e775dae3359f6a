import { Effect, Schema } from "effect"
import type { InvalidInput, ReadOnly, ResourceNotFound, RightsLost } from "../Api/Errors.ts"
import { Auth } from "../Auth/Auth.ts"
import { BoundCalls } from "../Connections/Bounds/BoundCalls.ts"
import { makeChooseConnection } from "../Connections/ChooseConnection.ts"
import { type Bounds, boundsOf } from "../Domain/Access/Bounds.ts"
import type { Principal } from "../Domain/Access/Principal.ts"
import type { StoredConnection } from "../Domain/Connection.ts"
import type { Operation, PreparedOperation } from "../Providers/Catalog/Operation.ts"
import type { StoredResponse } from "./Answered.ts"
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

  const principalOf = ({ credential, origin }: IncomingCall) =>
    origin?.approval === undefined ? auth.authenticate(credential) : auth.ofHolder(origin.approval.holderId)

  /** The connection of a call. The call may not be allowed to use it. */
  const choose = (principal: Principal, { provider }: Operation, id: string | undefined) =>
    chooseConnection.visible(principal, provider, id)

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

  /** What the call may do with the connection, if this is active. */
  const permit = (
    principal: Principal,
    operation: Operation,
    prepared: Prepared,
    connection: StoredConnection
  ): Effect.Effect<Permitted, RightsLost> =>
    connection.status === "active"
      ? within(principal, operation, prepared, connection)
      : chooseConnection.inactive(principal, operation.provider, connection)

  /** For the response of an earlier call: its connection may have ended, and the caller may have other rights. */
  const replay = Effect.fnUntraced(function*(
    principal: Principal,
    operation: Operation,
    prepared: Prepared,
    { body, status }: StoredResponse,
    connection: StoredConnection
  ) {
    const { bounds } = yield* within(principal, operation, prepared, connection)
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
    yield* permit(principal, operation, prepared, yield* choose(principal, operation, id))
  })

  return { principalOf, access, choose, permit, replay, again }
})

export type Rights = Effect.Success<typeof makeRights>
