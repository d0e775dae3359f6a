import { Effect, Schema } from "effect"
import { type InvalidInput, ReadOnly, type ResourceNotFound, type RightsLost } from "../Api/Errors.ts"
import { Auth } from "../Auth/Auth.ts"
import { BoundCalls } from "../Connections/Bounds/BoundCalls.ts"
import { makeChooseConnection } from "../Connections/ChooseConnection.ts"
import { type Bounds, boundsOf } from "../Domain/Access/Bounds.ts"
import type { Principal } from "../Domain/Access/Principal.ts"
import type { StoredConnection } from "../Domain/Connection.ts"
import type { Operation, PreparedOperation } from "../Providers/Catalog/Operation.ts"
import { ownDashboardUrl } from "../Settings.ts"
import type { StoredResponse } from "./CallResult.ts"
import type { IncomingCall } from "./Request/IncomingCall.ts"

export interface Permitted {
  readonly connection: StoredConnection
  readonly bounds: Bounds | undefined
}

/** A caller, and the operation that it asks for. */
export interface Asked {
  readonly principal: Principal
  readonly operation: Operation
  readonly prepared: Pick<PreparedOperation, "subject">
}

const decodeResponse = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ data: Schema.Unknown })))

/** Says where the caller's member gives more access. */
export const makeReadOnlyRefusal = Effect.map(ownDashboardUrl, (url) => {
  const messages: Readonly<Record<Principal["via"], string>> = {
    key: `This key only reads. Its member makes one with read-write access at ${url}/dashboard/keys.`,
    grant:
      "This agent may only read: its grant is read-only, or its token was given for reading. Its member allows it to " +
      `write at ${url}/dashboard/agents, and then connects the agent anew if it is still refused.`,
    session: "A session can only read, unless the request has `X-OA-Access: read_write`."
  }
  return ({ via }: Principal) => new ReadOnly({ message: messages[via] })
})

/** Who calls, and what the caller may do with which connection. */
export const makeRights = Effect.gen(function*() {
  const auth = yield* Auth
  const boundCalls = yield* BoundCalls
  const chooseConnection = yield* makeChooseConnection
  const readOnlyRefusal = yield* makeReadOnlyRefusal

  const access = (principal: Principal, { writes }: Operation): Effect.Effect<void, ReadOnly> =>
    writes && principal.access === "read_only" ? Effect.fail(readOnlyRefusal(principal)) : Effect.void

  const authenticate = ({ credential, origin }: IncomingCall) =>
    origin?.holderId === undefined ? auth.authenticate(credential) : auth.ofHolder(origin.holderId)

  /** Finds the connection of a call. Does not check whether the call may use it. */
  const choose = (principal: Principal, { provider }: Operation, id: string | undefined) =>
    chooseConnection.visible(principal, provider, id)

  const within = (
    { operation: { provider }, prepared, principal }: Asked,
    connection: StoredConnection
  ): Effect.Effect<Permitted, ResourceNotFound | InvalidInput> => {
    const bounds = boundsOf(principal, connection)
    const permitted = { connection, bounds }
    return bounds === undefined
      ? Effect.succeed(permitted)
      : Effect.as(boundCalls.check(bounds, provider, prepared.subject()), permitted)
  }

  /** The bounds of a call on its connection. Fails if the connection is not active. */
  const permit = (asked: Asked, connection: StoredConnection): Effect.Effect<Permitted, RightsLost> =>
    connection.status === "active"
      ? within(asked, connection)
      : chooseConnection.inactive(asked.principal, asked.operation.provider, connection)

  /** Checks whether the caller may still see the response of an earlier call. Its connection may have ended. */
  const replay = Effect.fnUntraced(function* checkReplay(
    asked: Asked,
    { body, status }: StoredResponse,
    connection: StoredConnection
  ) {
    const { bounds } = yield* within(asked, connection)
    const { creates } = asked.prepared.subject()
    if (bounds === undefined || creates === undefined || status !== 200) return
    yield* boundCalls.checkCreated(bounds, asked.operation.provider, creates, decodeResponse(body).data)
  })

  /** Reads the rights of a call that waited, because they may have changed meanwhile. */
  const recheck = Effect.fnUntraced(function* checkRightsAgain(
    { incoming, operation, prepared }: Omit<Asked, "principal"> & { readonly incoming: IncomingCall },
    id: string
  ): Effect.fn.Return<void, RightsLost> {
    const principal = yield* authenticate(incoming)
    yield* access(principal, operation)
    yield* permit({ principal, operation, prepared }, yield* choose(principal, operation, id))
  })

  return { authenticate, access, choose, permit, replay, recheck }
})

export type Rights = Effect.Success<typeof makeRights>
