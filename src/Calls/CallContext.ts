import { Cause, Effect, Exit, Option, type Redacted, Result, Scope } from "effect"
import type { Reader } from "../Api/ApiError.ts"
import { namesOf } from "../Api/Calls/CallApi.ts"
import { type CallError, InternalError, type RateLimited } from "../Api/Errors.ts"
import { CallerDisconnected } from "../Api/Errors/RequestErrors.ts"
import { type Share, smallBytes } from "../Capacity/Capacity.ts"
import { callerOf, type Principal } from "../Domain/Access/Principal.ts"
import type { Resource } from "../Domain/Access/Resource.ts"
import type { StoredConnection } from "../Domain/Connection.ts"
import type { BulkCallId, CallId } from "../Domain/Ids.ts"
import type { JsonText } from "../Domain/Json/JsonText.ts"
import type { Caller } from "../Providers/Sending/Caller.ts"
import { isTooLong } from "./Cache/Cache.ts"
import { type CallFacts, type CallResult, type OnLogged, type StepResult, StoredResponse } from "./CallResult.ts"
import type { IncomingCall } from "./Request/IncomingCall.ts"
import { CallResponse } from "./Response/CallResponse.ts"
import type { UnredactedCall } from "./Response/RedactCall.ts"

export interface CompletedCall {
  readonly result: Exit.Exit<CallResult, CallError>
  readonly facts: CallFacts
  /** The log redacts and stores it. Absent for the response of an earlier call. */
  readonly call: UnredactedCall | undefined
}

/** What is known of a call, however it ends. `Calls.ts` alone writes it. */
export class CallContext {
  readonly id: CallId
  principal: Principal | undefined
  /** Closes when the call ends. */
  readonly scope = Scope.makeUnsafe()
  share: Share | undefined
  body: string | undefined
  names = namesOf(undefined)
  connection: StoredConnection | undefined
  resource: Resource | null = null
  caller: Caller | undefined
  mayHaveWritten = false
  /** A request of this call has gone to the provider. */
  hasAsked = false
  /** Secrets of the connection that the provider repeated. */
  echoed: Array<Redacted.Redacted> | undefined
  dryRun = false
  undoOf: CallId | null = null
  readonly bulkCallId: BulkCallId | null
  readonly afterLog: Array<OnLogged> = []

  readonly #reader: Reader | undefined

  constructor({ door, id, origin }: Pick<IncomingCall, "id" | "door" | "origin">) {
    this.id = id
    this.bulkCallId = origin?.bulkCallId ?? null
    this.#reader = door?.reader
  }

  /** Holds the memory of a large response until it is sent. */
  holdResponse(response: JsonText | StoredResponse, { sent }: IncomingCall): Effect.Effect<void, RateLimited> {
    const { length } = response instanceof StoredResponse ? response.body : response
    if (this.share === undefined || length <= smallBytes) return Effect.void
    return this.mayHaveWritten
      ? this.share.neverRefusing.reserve("response", length, sent())
      : Effect.interruptible(this.share.reserve("response", length, sent()))
  }

  complete(exit: Exit.Exit<StepResult, CallError>, latencyMillis: number, priceUsd: number): CompletedCall {
    if (Exit.isFailure(exit)) return this.#fail(exit.cause, latencyMillis)
    const { data, facts } = exit.value
    return data instanceof StoredResponse
      ? { result: Exit.succeed({ response: data, facts }), facts, call: undefined }
      : this.#succeed(data, facts, latencyMillis, priceUsd)
  }

  /** Runs after the call is logged, because a replay refers to a logged call. */
  settle(result: CompletedCall["result"]): Effect.Effect<void> {
    return Effect.forEach(this.afterLog, (run) => run(result, this.connection?.id ?? null), { discard: true })
  }

  #succeed(data: JsonText, facts: CallFacts, latencyMillis: number, priceUsd: number): CompletedCall {
    const { connection, hasAsked, id } = this
    const { cached = false, page, store, undoableUntil = null, whole } = facts
    const costs = { cached, cost_usd: hasAsked ? priceUsd : 0, latency_ms: latencyMillis }
    const envelope = { call_id: id, connection_id: connection?.id, ...costs }
    // Without `store`, other calls share the response. The cache stores only shorter ones.
    const isLastUse = store !== undefined && whole === undefined && isTooLong(data)
    const response = new CallResponse({ ...envelope, page }, data, isLastUse)
    const logged = whole === undefined ? response : new CallResponse(envelope, whole)
    const call = this.#toCall({ ...costs, http_status: 200, undoable_until: undoableUntil, response: logged })
    return { result: Exit.succeed({ response, facts }), facts, call }
  }

  #fail(cause: Cause.Cause<CallError>, latencyMillis: number): CompletedCall {
    const error = this.#errorOf(cause)
    return {
      result: error._tag === "CallerDisconnected" ? Exit.failCause(cause) : Exit.fail(error),
      facts: {},
      call: this.#toCall({
        cached: false,
        cost_usd: 0,
        latency_ms: latencyMillis,
        http_status: error.status,
        error_code: error.code,
        response: JSON.stringify(error.body(this.id, this.#reader))
      })
    }
  }

  #errorOf(cause: Cause.Cause<CallError>): CallError | CallerDisconnected {
    const defect = Cause.findDefect(cause)
    if (Result.isSuccess(defect)) return new InternalError({ cause: defect.success })
    return Option.getOrElse(Cause.findErrorOption(cause), () => new CallerDisconnected())
  }

  #toCall(
    outcome:
      & Pick<UnredactedCall, "latency_ms" | "cached" | "cost_usd" | "http_status" | "response">
      & Partial<Pick<UnredactedCall, "error_code" | "undoable_until">>
  ): UnredactedCall {
    return {
      error_code: null,
      undoable_until: null,
      ...outcome,
      id: this.id,
      ...this.names,
      outcome: outcome.error_code === undefined ? "ok" : "error",
      connection_id: this.connection?.id ?? null,
      client_id: this.connection?.client_id ?? null,
      resource: this.resource,
      dry_run: this.dryRun,
      undo_of: this.undoOf,
      bulk_call_id: this.bulkCallId,
      ...callerOf(this.principal),
      request: this.body ?? null,
      echoed: this.echoed
    }
  }
}
