import { Cause, type Effect, Exit, Option } from "effect"
import { type CallRequest, toTarget } from "../Api/CallApi.ts"
import { type CallError, InternalError } from "../Api/Errors.ts"
import type { Connection } from "../Domain/Connection.ts"
import type { CallId } from "../Domain/Ids.ts"
import type { Principal } from "../Domain/Principal.ts"
import type { JsonText } from "../Providers/JsonText.ts"
import { toMillis } from "./Latency.ts"
import type { CompletedCall } from "./Log/CallLog.ts"
import { withData } from "./SuccessfulResponse.ts"

/** What is known of a call so far. The pipeline fills it in, so that the log has as much as there was at the failure. */
export class CallContext {
  readonly id: CallId
  principal: Principal | undefined
  /** The body as received, as JSON text. */
  body: string | undefined
  request: CallRequest | undefined
  connection: Connection | undefined
  cached = false
  /** Keeps what was read for later calls. */
  store: Effect.Effect<void> | undefined
  /** Something may have been written at the provider, which the caller must learn whatever else fails. */
  mayHaveWritten = false

  constructor(id: CallId) {
    this.id = id
  }

  /**
   * The row of the log and what is answered, both from one exit.
   *
   * @param latency nanoseconds that the caller has waited
   * @param price of a call that reaches a provider, in US dollars
   */
  complete(exit: Exit.Exit<JsonText, CallError>, latency: bigint, price: number) {
    const latency_ms = toMillis(latency)
    return Exit.match(exit, {
      onSuccess: (data) => {
        const costs = { cached: this.cached, cost_usd: this.cached ? 0 : price, latency_ms }
        const response = withData(
          JSON.stringify({ call_id: this.id, connection_id: this.connection?.id, ...costs }),
          data.text
        )
        return { answer: Exit.succeed(response), entry: this.#entry({ ...costs, http_status: 200, response, data }) }
      },
      onFailure: (cause) => {
        const error = Option.getOrElse(Cause.findErrorOption(cause), () => new InternalError({ cause }))
        return {
          answer: Exit.fail(error),
          entry: this.#entry({
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

  #entry(
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
      key_id: this.principal?.keyId ?? null,
      member_id: this.principal?.memberId ?? null,
      request: this.body ?? null
    }
  }
}
