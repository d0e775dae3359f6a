import { Context, Effect } from "effect"
import type { ToolCallError } from "../../Api/Errors.ts"
import { type Bounds } from "../../Domain/Access/Bounds.ts"
import type { StoredConnection } from "../../Domain/Connection.ts"
import { type SendRequest } from "../../Providers/ProviderClient.ts"
import { isOfCalls, type Sender, SendSteps, throughSteps } from "../../Providers/Sending/SendSteps.ts"
import { AccountResources } from "./AccountResources.ts"
import { BoundCalls } from "./BoundCalls.ts"

/** The senders of a call: within its bounds, and through the steps of features. */
export interface Sends {
  readonly limit: (send: SendRequest) => SendRequest
  /** For reads. Checks no bounds. */
  readonly read: SendRequest
  /** For a write and its reads. */
  readonly write: (notes: Context.Context<never>) => SendRequest
}

interface Reach {
  readonly connection: StoredConnection
  readonly bounds: Bounds | undefined
  readonly client: SendRequest
}

export const makeSends = Effect.gen(function*() {
  const accounts = yield* AccountResources
  const boundCalls = yield* BoundCalls
  const steps = yield* SendSteps
  const ofCalls = steps.filter(isOfCalls)

  return (
    { bounds, client, connection }: Reach,
    { caller, recheck }: Pick<Sender<ToolCallError>, "caller" | "recheck">
  ): Sends => {
    const limit = (send: SendRequest) => bounds === undefined ? send : boundCalls.limit(bounds, send)
    const explained = (send: SendRequest): SendRequest => (request) =>
      Effect.catchTag(
        send(request),
        "CredentialsRejected",
        (refusal) => accounts.explain(refusal, request, connection, bounds ?? [])
      )
    const sender = { caller, recheck, notes: Context.empty(), read: client }
    const read = explained(throughSteps(ofCalls, sender, client))
    return {
      limit,
      read,
      write: (notes) => limit(explained(throughSteps(steps, { ...sender, notes, read: limit(read) }, client)))
    }
  }
})
