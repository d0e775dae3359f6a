import type { CallFields } from "./Generated/CallOptions.ts"

export interface RequestOptions {
  /** Ends the request and its retries. The promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface CallOptions extends CallFields, RequestOptions {
  /** Makes a write safe to repeat, so that it is retried. 1 to 255 visible ASCII characters. */
  readonly idempotencyKey?: string | undefined
}

export interface CallResponse<Data> {
  readonly call_id: string
  readonly connection_id: string
  readonly cached: boolean
  readonly cost_usd: number
  readonly latency_ms: number
  readonly data: Data
}

export type Operation<Input, Output> = (input: Input, options?: CallOptions) => Promise<CallResponse<Output>>

export type OptionalOperation<Input, Output> = (input?: Input, options?: CallOptions) => Promise<CallResponse<Output>>

export interface Target {
  readonly provider: string
  readonly endpoint?: string
  readonly tool?: string
  /** Without an idempotency key, only reads are retried. */
  readonly writes: boolean
}

export type MakeOperation = <Input extends object, Output>(target: Target) => OptionalOperation<Input, Output>

export interface ResourceRequest {
  readonly method: string
  readonly path: ReadonlyArray<string>
  readonly query?: object
  readonly body?: object
  /** A field of every response. Without one, the response is empty. */
  readonly has?: string
}

export type SendRequest = <Output>(request: ResourceRequest, options?: RequestOptions) => Promise<Output>
