import { Context, Effect } from "effect"
import type { ProviderCallError, ToolCallError } from "../../Api/Errors.ts"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import { ProviderClient, type ProviderRequest } from "../ProviderClient.ts"
import { type Caller, serviceCaller } from "./Caller.ts"

/** Sends one request. `E` are the errors of a sender that has lost its rights meanwhile. */
export type Send<E> = (request: ProviderRequest) => Effect.Effect<JsonText, ProviderCallError | E>

/** Who sends: a call, a dataset, or the service itself. */
export interface Sender<E extends ToolCallError = never> {
  readonly caller: Caller
  /** Fails if the sender may no longer send. Used for a request that has waited. */
  readonly recheck: Effect.Effect<unknown, E>
  /** Sends the reads beside a write, within the bounds and without the steps of writes. */
  readonly read: Send<E>
  /** What the steps of a call tell the steps of its requests. */
  readonly notes: Context.Context<never>
}

/** A step around each request to a provider. */
export interface SendStep {
  readonly name: string
  /** Whether it is around all requests, or only those of calls that write, their reads included. */
  readonly of: "calls" | "writes"
  readonly wrap: <E extends ToolCallError>(sender: Sender<E>, next: Send<E>) => Send<E>
}

/** The steps in the order of the checks: the first is the outermost. */
export class SendSteps
  extends Context.Service<SendSteps, ReadonlyArray<SendStep>>()("openaccounts/Providers/Sending/SendSteps")
{}

export const isOfCalls = ({ of }: SendStep): boolean => of === "calls"

export const throughSteps = <E extends ToolCallError>(
  steps: ReadonlyArray<SendStep>,
  sender: Sender<E>,
  send: Send<E>
): Send<E> => steps.reduceRight((next, step) => step.wrap(sender, next), send)

/** Sends requests of the service itself, such as the test of a connection. */
export const makeServiceClient = Effect.map(
  Effect.all([ProviderClient, SendSteps]),
  ([client, steps]): ProviderClient["Service"] => {
    const ofCalls = steps.filter(isOfCalls)
    return {
      call: (request) => {
        const sender = { caller: serviceCaller(), recheck: Effect.void, read: client.call, notes: Context.empty() }
        return throughSteps(ofCalls, sender, client.call)(request)
      }
    }
  }
)
