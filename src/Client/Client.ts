import { type Bulk, makeBulk } from "./Bulk.ts"
import { callFields } from "./Generated/CallOptions.ts"
import { type Ga4, ga4 } from "./Generated/Ga4.ts"
import { type Gdocs, gdocs } from "./Generated/Gdocs.ts"
import { type Gsc, gsc } from "./Generated/Gsc.ts"
import { type Gsheets, gsheets } from "./Generated/Gsheets.ts"
import { type Resources, resources } from "./Generated/Resources.ts"
import { type Sitesearch, sitesearch } from "./Generated/Sitesearch.ts"
import type { CallOptions, CallResponse, MakeOperation, OptionalOperation, Target } from "./Operation.ts"
import { pathOf } from "./Path.ts"
import { type PausableDatasets, withPauses } from "./PausableDatasets.ts"
import type { RequestFile, SendRequest } from "./Request.ts"
import { retrying } from "./Retry.ts"
import { send, sendForFile } from "./Send.ts"

export type { Bulk, BulkOptions, BulkRow, FinishedBulk, NewBulkCall } from "./Bulk.ts"
export type {
  Approval,
  BulkCall,
  Change,
  Connection,
  ConnectLink,
  CreatedConnectLink,
  CreatedWebhook,
  Dataset,
  DatasetDay,
  DatasetFile,
  Delivery,
  LoggedCall,
  LoggedCallDetail,
  NotShown,
  QueriedRows,
  Quota,
  ResultRows,
  ResultSummary,
  Webhook
} from "./Generated/Resources.ts"
export { type ErrorCode, type ErrorDetails, type Issue, OpenAccountsError } from "./OpenAccountsError.ts"
export type {
  CallOptions,
  CallResponse,
  DataWith,
  KeptData,
  KeptResult,
  Operation,
  OptionalOperation,
  Preview,
  Target
} from "./Operation.ts"
export type { RequestOptions } from "./Request.ts"

export interface ClientOptions {
  /** The address of the service, such as `https://accounts.example.com`. */
  readonly baseUrl: string
  /** Paths of `/admin/v1` need a key with `manage`, or the admin token. */
  readonly apiKey: string
  /** Sends the requests. By default the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** How often a failed request is retried where that is safe, 2 by default. */
  readonly retries?: number
}

export interface Client extends Resources {
  readonly datasets: PausableDatasets
  readonly bulk: Bulk
  readonly gsc: Gsc
  readonly ga4: Ga4
  readonly sitesearch: Sitesearch
  readonly gsheets: Gsheets
  readonly gdocs: Gdocs
  /** Calls any operation, also those of providers that a team adds. */
  readonly call: <Data = unknown>(target: Target, input?: object, options?: CallOptions) => Promise<CallResponse<Data>>
}

/** Throws a `TypeError` for an invalid `baseUrl`, and for an `apiKey` that no header can hold. */
export const createClient = (
  { apiKey, baseUrl, fetch = globalThis.fetch, retries = 2 }: ClientOptions
): Client => {
  if (!/^\s*https?:/.test(baseUrl) || !URL.canParse(baseUrl)) throw new TypeError("`baseUrl` is not an http(s) URL")
  const key = apiKey.trim()
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError("`apiKey` is not an API key")
  // Browsers refuse a `fetch` that is called as a method.
  const destination = { apiKey: key, fetch: fetch.bind(globalThis), url: baseUrl.trim().replace(/\/+(?:v1\/*)?$/, "") }

  const call = async <Data>(
    { endpoint, provider, tool, writes }: Target,
    input: object | undefined,
    { idempotencyKey, signal, ...options }: CallOptions = {}
  ): Promise<CallResponse<Data>> => {
    if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
      throw new TypeError("`idempotencyKey` is not 1 to 255 visible ASCII characters")
    }
    const body = JSON.stringify({ provider, endpoint, tool, input, ...callFields(options) })
    const request = { method: "POST", path: "/v1/call", body, idempotencyKey, has: "data", signal }
    return retrying(() => send(destination, request), { writes, retries, idempotencyKey, signal })
  }

  const operation: MakeOperation =
    <Input extends object, Output>(target: Target): OptionalOperation<Input, Output> => (input, options) =>
      call(target, input, options)

  const sendRequest: SendRequest = async ({ body, has, method, path, query }, { signal } = {}) => {
    const request = { method, path: pathOf(path, query), body: body && JSON.stringify(body), has, signal }
    return retrying(() => send(destination, request), { writes: method !== "GET", retries, signal })
  }

  const requestFile: RequestFile = async ({ path }, { signal } = {}) =>
    retrying(() => sendForFile(destination, { method: "GET", path: pathOf(path), signal }), {
      writes: false,
      retries,
      signal
    })

  const all = resources(sendRequest, requestFile)

  return {
    gsc: gsc(operation),
    ga4: ga4(operation),
    sitesearch: sitesearch(operation),
    gsheets: gsheets(operation),
    gdocs: gdocs(operation),
    ...all,
    datasets: withPauses(all.datasets),
    bulk: makeBulk(all),
    call
  }
}
