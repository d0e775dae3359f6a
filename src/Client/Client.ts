import { type Ga4, ga4 } from "./Generated/Ga4.ts"
import { type Gdocs, gdocs } from "./Generated/Gdocs.ts"
import { type Gsc, gsc } from "./Generated/Gsc.ts"
import { type Gsheets, gsheets } from "./Generated/Gsheets.ts"
import { type Sitesearch, sitesearch } from "./Generated/Sitesearch.ts"
import { OpenAccountsError } from "./OpenAccountsError.ts"
import type { CallOptions, CallResponse, MakeOperation, Target } from "./Operation.ts"
import { mayRetry, pause, pauseBefore } from "./Retry.ts"
import { send } from "./Send.ts"

export { type ErrorCode, type ErrorDetails, type Issue, OpenAccountsError } from "./OpenAccountsError.ts"
export type { CallOptions, CallResponse, Operation, OptionalOperation, Target } from "./Operation.ts"

export interface ClientOptions {
  /** The address of the service, such as `https://accounts.example.com`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** By default the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** How often a failed call is retried where that is safe, 2 by default. */
  readonly retries?: number
}

export interface Client {
  readonly gsc: Gsc
  readonly ga4: Ga4
  readonly sitesearch: Sitesearch
  readonly gsheets: Gsheets
  readonly gdocs: Gdocs
  /** Also for operations of providers that a team adds. */
  readonly call: <Data = unknown>(target: Target, input?: object, options?: CallOptions) => Promise<CallResponse<Data>>
}

/** Throws a `TypeError` for an invalid `baseUrl`, and for an `apiKey` that no header can hold. */
export const createClient = (
  { apiKey, baseUrl, fetch = globalThis.fetch, retries = 2 }: ClientOptions
): Client => {
  if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl)) throw new TypeError("`baseUrl` is not an http(s) URL")
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError("`apiKey` is not an API key")
  // Browsers refuse a `fetch` that is called as a method.
  const destination = { apiKey, fetch: fetch.bind(globalThis), url: baseUrl.replace(/\/+(?:v1\/*)?$/, "") }

  const call = async <Data>(
    target: Target,
    input: object | undefined,
    options: CallOptions = {}
  ): Promise<CallResponse<Data>> => {
    const { connectionId, idempotencyKey, maxAge, signal } = options
    const { endpoint, provider, tool } = target
    if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
      throw new TypeError("`idempotencyKey` is not 1 to 255 visible ASCII characters")
    }
    const body = JSON.stringify({ provider, endpoint, tool, input, connection_id: connectionId, max_age: maxAge })
    for (let attempt = 0;; attempt++) {
      try {
        return await send(destination, { body, idempotencyKey, signal })
      } catch (error) {
        if (!(error instanceof OpenAccountsError) || attempt >= retries || !mayRetry(error, target, options)) {
          throw error
        }
        const millis = pauseBefore(error, attempt)
        if (millis === undefined) throw error
        await pause(millis, signal)
      }
    }
  }

  const operation: MakeOperation =
    <Input extends object, Output>(target: Target) => (input?: Input, options?: CallOptions) =>
      call<Output>(target, input, options)

  return {
    gsc: gsc(operation),
    ga4: ga4(operation),
    sitesearch: sitesearch(operation),
    gsheets: gsheets(operation),
    gdocs: gdocs(operation),
    call
  }
}
