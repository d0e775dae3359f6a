import { Effect } from "effect"
import type { CallError } from "../Api/Errors.ts"
import { CurrentShare, type Share } from "../Capacity/Capacity.ts"
import { AccountResources } from "../Connections/Bounds/AccountResources.ts"
import { BoundCalls } from "../Connections/Bounds/BoundCalls.ts"
import { ConnectionRepo } from "../Connections/ConnectionRepo.ts"
import type { Principal } from "../Domain/Access/Principal.ts"
import type { JsonText } from "../Domain/Json/JsonText.ts"
import type { Operation } from "../Providers/Catalog/Operation.ts"
import type { Access, ProviderClient, ProviderRequest, SendRequest } from "../Providers/ProviderClient.ts"
import { budgetsOf } from "../Providers/Quotas/Budgets.ts"
import { governed } from "../Providers/Quotas/Governed.ts"
import { priorityOf, waitMillisOf } from "../Providers/Quotas/QuotaCaller.ts"
import { Quotas } from "../Providers/Quotas/Quotas.ts"
import type { CallContext } from "./CallContext.ts"
import type { IncomingCall } from "./Request/IncomingCall.ts"
import type { Permitted, Rights } from "./Rights.ts"
import type { RunnableCall } from "./Undo/Preview.ts"

export interface PermittedCall extends Permitted {
  readonly incoming: IncomingCall
  readonly context: CallContext
  readonly principal: Principal
  readonly operation: Operation
  readonly prepared: RunnableCall
  readonly access: Access
}

/** How the requests of one call reach the provider: within the bounds of the call, and within the quotas. */
export interface Sending {
  /** `send` is by default that of this call. */
  readonly run: (share: Share, send?: SendRequest) => Effect.Effect<JsonText, CallError>
  readonly send: SendRequest
  /** For reads beside a write, which say nothing about whether the write was sent. Within the quotas alone. */
  readonly read: SendRequest
  readonly limit: (send: SendRequest) => SendRequest
}

export const makeSending = Effect.fnUntraced(function*(rights: Rights, client: ProviderClient["Service"]) {
  const accounts = yield* AccountResources
  const boundCalls = yield* BoundCalls
  const connections = yield* ConnectionRepo
  const quotas = yield* Quotas

  return (call: PermittedCall): Sending => {
    const { access, bounds, connection, context, incoming, operation, prepared, principal } = call
    const caller = context.quotaCaller = {
      member: principal.memberId,
      priority: priorityOf(incoming.priority),
      connectionId: connection.id,
      waitMillis: waitMillisOf(incoming.prefer),
      budgets: budgetsOf(principal, operation.writes && !context.dryRun),
      scarcest: undefined
    }
    const mayStill = rights.again(incoming, operation, prepared, connection.id)
    const limit = (send: SendRequest) => bounds === undefined ? send : boundCalls.limit(bounds, send)
    const sendWith = ({ call }: ProviderClient["Service"]) =>
      accounts.explain(
        connection,
        bounds ?? [],
        governed(
          quotas,
          (request: ProviderRequest) => {
            context.hasAsked = true
            return call(request)
          },
          caller,
          mayStill
        )
      )
    const own = limit(sendWith(context.idempotentWrite?.client ?? client))
    return {
      run: (share, send = own) =>
        Effect.andThen(
          connections.touch(connection.id),
          Effect.provideService(prepared.run(send, access), CurrentShare, share)
        ),
      send: own,
      read: sendWith(client),
      limit
    }
  }
})
