import { Context, type Effect, Predicate } from "effect"
import { type CallRequest, type StepField, stepFields } from "../Api/Calls/CallApi.ts"
import type { CallError, InvalidInput } from "../Api/Errors.ts"
import type { Share } from "../Capacity/Capacity.ts"
import type { Sends } from "../Connections/Bounds/Sends.ts"
import type { Principal } from "../Domain/Access/Principal.ts"
import type { CallId } from "../Domain/Ids.ts"
import type { Issue } from "../Domain/Validation/Issue.ts"
import type { Operation } from "../Providers/Catalog/Operation.ts"
import type { Access } from "../Providers/ProviderClient.ts"
import type { CallContext } from "./CallContext.ts"
import type { StepResult } from "./CallResult.ts"
import type { IncomingCall, MadeRequest } from "./Request/IncomingCall.ts"
import type { RunnableCall } from "./Request/RunnableCall.ts"
import type { Permitted } from "./Rights.ts"

/** A call whose input is valid. */
export interface PreparedCall {
  readonly incoming: IncomingCall
  readonly context: CallContext
  readonly principal: Principal
  readonly share: Share
  /** The body. */
  readonly json: unknown
  readonly request: CallRequest
  readonly operation: Operation
  readonly prepared: RunnableCall
  readonly undoOf: CallId | undefined
  /** What the steps of the call tell the steps of its requests. */
  readonly notes: Context.Context<never>
}

/** A call that may use its connection. */
export interface PermittedCall extends PreparedCall, Permitted {
  readonly access: Access
  readonly sends: Sends
}

export type Run<Call> = (call: Call) => Effect.Effect<StepResult, CallError>

export interface Step<At, Call> {
  readonly name: string
  readonly of: "reads" | "writes" | "calls"
  /** Before or after the connection is known. */
  readonly at: At
  /** Runs only for calls that ask a step for something. */
  readonly whenAsked?: true
  /** The fields of the body that the step serves. Without the step, they are refused. */
  readonly takes?: ReadonlyArray<StepField>
  /** Issues of a request that its schema does not find. */
  readonly issues?: (json: unknown, incoming: IncomingCall) => Effect.Effect<ReadonlyArray<Issue>> | undefined
  /** Makes the request that undoes a call. `by` is the id of the undo. */
  readonly undo?: (principal: Principal, callId: string, by: CallId) => Effect.Effect<MadeRequest, CallError>
  /** Refuses a request that its operation cannot serve: before its input is decoded (`found`) or after (`prepared`). */
  readonly refuses?: {
    readonly at: "found" | "prepared"
    readonly why: (request: CallRequest, operation: Operation) => InvalidInput | undefined
  }
  /** `next` is the rest of the call. A step that does not run it returns a result of its own. */
  readonly wrap: (next: Run<Call>) => Run<Call>
}

/** What a feature adds to a call. */
export type CallStep = Step<"prepared", PreparedCall> | Step<"permitted", PermittedCall>

/** The steps in the order of the checks: the first is the outermost. */
export class CallSteps extends Context.Service<CallSteps, ReadonlyArray<CallStep>>()("openaccounts/Calls/CallSteps") {}

/** Whether a call asks a step for something: with its body or a header, or because a feature or an agent makes it. */
export const asksSteps = (json: unknown, { door, headers, origin }: IncomingCall): boolean =>
  door !== undefined || origin !== undefined || headers.idempotencyKey !== undefined ||
  stepFields.some((field) => Predicate.hasProperty(json, field))

/** The steps of calls that ask nothing of a step. */
export const plainSteps = (steps: ReadonlyArray<CallStep>): ReadonlyArray<CallStep> =>
  steps.filter(({ whenAsked }) => whenAsked !== true)

interface Core {
  /** Finds the connection before `next`. */
  readonly connect: (next: Run<PermittedCall>) => Run<PreparedCall>
  readonly run: Run<PermittedCall>
}

/** The steps of all reads or all writes. The core finds the connection between them, and runs the call after them. */
export const composeCalls = (
  steps: ReadonlyArray<CallStep>,
  of: "reads" | "writes",
  { connect, run }: Core
): Run<PreparedCall> => {
  const own = stepsOf(steps, of)
  const permitted = own.filter((step) => step.at === "permitted").reduceRight((next, { wrap }) => wrap(next), run)
  return own.filter((step) => step.at === "prepared").reduceRight((next, { wrap }) => wrap(next), connect(permitted))
}

export const stepsOf = (steps: ReadonlyArray<CallStep>, of: "reads" | "writes"): ReadonlyArray<CallStep> =>
  steps.filter((step) => step.of === "calls" || step.of === of)

/** The fields of a body that the steps serve. */
export const fieldsOf = (steps: ReadonlyArray<CallStep>): ReadonlySet<string> =>
  new Set(steps.flatMap(({ takes = [] }) => takes))

/** The first refusal by a step, if there is one. */
export const makeRefusal = (steps: ReadonlyArray<CallStep>, at: "found" | "prepared") => {
  const refusals = steps.flatMap(({ refuses }) => refuses?.at === at ? [refuses.why] : [])
  return (request: CallRequest, operation: Operation): InvalidInput | undefined => {
    for (const why of refusals) {
      const refusal = why(request, operation)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }
}
