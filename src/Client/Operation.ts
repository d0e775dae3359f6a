export interface CallOptions {
  /** Required when the key sees several active connections of the provider. */
  readonly connectionId?: string | undefined
  /** Accepts a cached response of at most this age, in seconds. */
  readonly maxAge?: number | undefined
  /** Makes a write safe to repeat, so that it is retried. 1 to 255 visible ASCII characters. */
  readonly idempotencyKey?: string | undefined
  /** Ends the call and its retries. The promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface CallResponse<Data> {
  readonly call_id: string
  readonly connection_id: string
  readonly cached: boolean
  readonly cost_usd: number
  readonly latency_ms: number
  /** The provider's body, or the tool's output. */
  readonly data: Data
}

/** Rejects with an `OpenAccountsError`. */
export type Operation<Input, Output> = (input: Input, options?: CallOptions) => Promise<CallResponse<Output>>

export type OptionalOperation<Input, Output> = (input?: Input, options?: CallOptions) => Promise<CallResponse<Output>>

export interface Target {
  readonly provider: string
  /** Exactly one of `endpoint` and `tool`. */
  readonly endpoint?: string
  readonly tool?: string
  /** Whether it changes data. Only reads are retried without an idempotency key. */
  readonly writes: boolean
}

export type MakeOperation = <Input extends object, Output>(target: Target) => OptionalOperation<Input, Output>
