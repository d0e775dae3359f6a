export interface RequestOptions {
  /** Ends the request and its retries. The promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface ResourceRequest {
  readonly method: string
  readonly path: ReadonlyArray<string>
  readonly query?: object
  readonly body?: object
  /** A field of every response. Without one, the response is empty. */
  readonly has?: string
}

export interface FileRequest {
  readonly path: ReadonlyArray<string>
}

export type SendRequest = <Output>(request: ResourceRequest, options?: RequestOptions) => Promise<Output>

export type RequestFile = (request: FileRequest, options?: RequestOptions) => Promise<ReadableStream<Uint8Array>>
