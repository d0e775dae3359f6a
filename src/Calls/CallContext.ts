import { Cause, type Effect, Exit, Option } from "effect"
import { type CallRequest, toTarget } from "../Api/CallApi.ts"
import { CallerDisconnected, type CallError, InternalError } from "../Api/Errors.ts"
import { toLatencyMillis } from "../Domain/Call.ts"
import type { Connection } from "../Domain/Connection.ts"
import type { MemberShare } from "../Domain/FairCapacity.ts"
import type { CallId } from "../Domain/Ids.ts"
import type { JsonText } from "../Domain/JsonText.ts"
import { callerOf, type Principal } from "../Domain/Principal.ts"
import type { CallBytes } from "../Providers/CallBytes.ts"
import { TransportError } from "../Providers/Upstream/UpstreamResponse.ts"
import { tooManyBytes } from "./CallCapacity.ts"
import type { IdempotentWrite } from "./IdempotentWrite.ts"
import type { CompletedCall } from "./RedactCall.ts"
import { appendData } from "./ResponseText.ts"

export class CallContext {
  readonly id: CallId
  principal: Principal | undefined
  body: string | undefined
  request: CallRequest | undefined
  connection: Connection | undefined
  cached = false
  store: Effect.Effect<void> | undefined
  /** The provider may have carried out a write, so the answer goes out whatever else fails. */
  mayHaveWritten = false
  turn: MemberShare | undefined
  bytes: CallBytes | undefined
  /** The bytes of a large answer, released when the caller has read it. */
  answer: MemberShare | undefined
  /** True while the call waits for its turn, and for reads: an interruption loses nothing. */
  stoppable = false
  hungUp = false
  idempotentWrite: IdempotentWrite | undefined

  constructor(id: CallId) {
    this.id = id
  }

  hangUp(): boolean {
    this.hungUp = true
    return this.stoppable
  }

  release(whenSent: (release: () => void) => void): void {
    this.turn?.release()
    this.bytes?.release()
    if (this.answer !== undefined) whenSent(() => this.answer?.release())
  }

  /**
   * Makes the answer, and the call for the log, from the exit of the pipeline.
   *
   * @param latency nanoseconds
   * @param price of a call that reached a provider, in US dollars
   */
  complete(exit: Exit.Exit<JsonText, CallError>, latency: bigint, price: number) {
    const latency_ms = toLatencyMillis(latency)
    return Exit.match(exit, {
      onSuccess: (data) => {
        const costs = { cached: this.cached, cost_usd: this.cached ? 0 : price, latency_ms }
        const envelope = JSON.stringify({ call_id: this.id, connection_id: this.connection?.id, ...costs })
        const response = appendData(envelope, data.text)
        return {
          answer: Exit.succeed(response),
          call: this.#toCall({ ...costs, http_status: 200, response, data })
        }
      },
      onFailure: (cause) => {
        const error = this.errorOf(cause)
        return {
          answer: Exit.fail(error),
          call: this.#toCall({
            cached: false,
            cost_usd: 0,
            latency_ms,
            http_status: error.status,
            error_code: error.code,
            response: JSON.stringify(error.body(this.id)),
            data: null
          })
        }
      }
    })
  }

  errorOf(cause: Cause.Cause<CallError>): CallError {
    const error = Option.getOrUndefined(Cause.findErrorOption(cause))
    if (error === undefined) return this.hungUp ? new CallerDisconnected() : new InternalError({ cause })
    return isOverShare(error) && !this.mayHaveWritten ? tooManyBytes() : error
  }

  #toCall(
    outcome:
      & Pick<CompletedCall, "latency_ms" | "cached" | "cost_usd" | "http_status" | "response" | "data">
      & { readonly error_code?: string }
  ): CompletedCall {
    return {
      error_code: null,
      ...outcome,
      id: this.id,
      provider: this.request?.provider ?? null,
      target: this.request === undefined ? null : toTarget(this.request),
      outcome: outcome.error_code === undefined ? "ok" : "error",
      connection_id: this.connection?.id ?? null,
      client_id: this.connection?.client_id ?? null,
      ...callerOf(this.principal),
      request: this.body ?? null
    }
  }
}

const isOverShare = ({ cause }: CallError): boolean => cause instanceof TransportError && cause.overShare === true
