import { Cause, Effect, Exit, Option, Result, Scope } from "effect"
import type { Reader } from "../Api/ApiError.ts"
import { namesOf } from "../Api/Calls/CallApi.ts"
import { CallerDisconnected, type CallError, InternalError, type RateLimited } from "../Api/Errors.ts"
import { type Share, smallBytes } from "../Capacity/Capacity.ts"
import { callerOf, type Principal } from "../Domain/Access/Principal.ts"
import type { Resource } from "../Domain/Access/Resource.ts"
import { toLatencyMillis } from "../Domain/Calls/Call.ts"
import type { TablePart } from "../Domain/Calls/TablePart.ts"
import type { StoredConnection } from "../Domain/Connection.ts"
import type { CallId } from "../Domain/Ids.ts"
import type { JsonText } from "../Domain/Json/JsonText.ts"
import type { QuotaCaller } from "../Providers/Quotas/QuotaCaller.ts"
import { isTooLong } from "./Cache/Cache.ts"
import { StoredResponse } from "./Idempotency/Idempotency.ts"
import type { IdempotentWrite } from "./Idempotency/IdempotentWrite.ts"
import type { IncomingCall } from "./Request/IncomingCall.ts"
import { type CallResponse, withData } from "./Results/LongResponse.ts"
import type { UnredactedCall } from "./Results/RedactCall.ts"

export interface CompletedCall {
  readonly result: Exit.Exit<CallResponse, CallError>
  readonly call: UnredactedCall
}

export class CallContext {
  readonly id: CallId
  principal: Principal | undefined
  /** Closes when the call ends. */
  readonly scope = Scope.makeUnsafe()
  share: Share | undefined
  body: string | undefined
  names = namesOf(undefined)
  idempotentWrite: IdempotentWrite | undefined
  connection: StoredConnection | undefined
  resource: Resource | null = null
  quotaCaller: QuotaCaller | undefined
  cached = false
  store: Effect.Effect<void> | undefined
  /** What the provider sent, where the caller gets a part or another form of it. */
  whole: JsonText | undefined
  /** What that says of rows that it lacks. */
  page: TablePart | undefined
  mayHaveWritten = false
  /** A request of this call has gone to the provider. */
  hasAsked = false
  dryRun = false
  undoOf: CallId | null = null
  undoableUntil: Date | null = null

  readonly #reader: Reader | undefined

  constructor(id: CallId, reader?: Reader) {
    this.id = id
    this.#reader = reader
  }

  /** Holds the memory of a large response until it is sent. */
  holdResponse(response: JsonText | StoredResponse, { sent }: IncomingCall): Effect.Effect<void, RateLimited> {
    const { length } = response instanceof StoredResponse ? response.body : response
    if (this.share === undefined || length <= smallBytes) return Effect.void
    return this.mayHaveWritten
      ? this.share.neverRefusing.reserve("response", length, sent())
      : Effect.interruptible(this.share.reserve("response", length, sent()))
  }

  succeed(data: JsonText, nanos: bigint, priceUsd: number): CompletedCall {
    const { cached, connection, hasAsked, id } = this
    const costs = { cached, cost_usd: hasAsked ? priceUsd : 0, latency_ms: toLatencyMillis(nanos) }
    const envelope = { call_id: id, connection_id: connection?.id, ...costs }
    // Without `store`, other calls share the response. The cache stores only shorter ones.
    const isLastUse = this.store !== undefined && this.whole === undefined && isTooLong(data)
    const response = withData(JSON.stringify({ ...envelope, page: this.page }), data, isLastUse)
    const logged = this.whole === undefined
      ? { response, data }
      : { response: withData(JSON.stringify(envelope), this.whole, false), data: this.whole }
    return { result: Exit.succeed(response), call: this.#toCall({ ...costs, http_status: 200, ...logged }) }
  }

  fail(cause: Cause.Cause<CallError>, nanos: bigint): CompletedCall {
    const error = this.#errorOf(cause)
    return {
      result: error._tag === "CallerDisconnected" ? Exit.failCause(cause) : Exit.fail(error),
      call: this.#toCall({
        cached: false,
        cost_usd: 0,
        latency_ms: toLatencyMillis(nanos),
        http_status: error.status,
        error_code: error.code,
        response: JSON.stringify(error.body(this.id, this.#reader)),
        data: null
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
      & Pick<UnredactedCall, "latency_ms" | "cached" | "cost_usd" | "http_status" | "response" | "data">
      & { readonly error_code?: string }
  ): UnredactedCall {
    return {
      error_code: null,
      ...outcome,
      id: this.id,
      ...this.names,
      outcome: outcome.error_code === undefined ? "ok" : "error",
      connection_id: this.connection?.id ?? null,
      client_id: this.connection?.client_id ?? null,
      resource: this.resource,
      dry_run: this.dryRun,
      undo_of: this.undoOf,
      undoable_until: this.undoableUntil,
      ...callerOf(this.principal),
      request: this.body ?? null
    }
  }
}
