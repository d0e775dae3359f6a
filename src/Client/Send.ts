import { type ErrorCode, OpenAccountsError } from "./OpenAccountsError.ts"

export interface Destination {
  readonly url: string
  readonly apiKey: string
  readonly fetch: typeof globalThis.fetch
}

export interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: string | undefined
  readonly idempotencyKey?: string | undefined
  readonly signal: AbortSignal | undefined
}

interface SentForJson extends Sent {
  /** A field of every response. Without one, the response is empty. */
  readonly has: string | undefined
}

export const send = async <Output>(destination: Destination, request: SentForJson): Promise<Output> => {
  const { content, response } = await exchange(destination, request, (response) => response.text())
  const parsed = parse<Output>(content)
  if (response.ok && isResponse(parsed, content, request.has)) return parsed
  throw failure(response, parsed, content)
}

/** Resolves before the content has arrived. */
export const sendForFile = async (destination: Destination, request: Sent): Promise<ReadableStream<Uint8Array>> => {
  const { content, response } = await exchange(
    destination,
    request,
    async (response) => isFile(response) ? response.body : response.text()
  )
  if (typeof content === "object" && content !== null) return content
  throw failure(response, parse(content ?? ""), content ?? "")
}

const exchange = async <Content>(
  { apiKey, fetch, url }: Destination,
  { body, idempotencyKey, method, path, signal }: Sent,
  read: (response: Response) => Promise<Content>
) => {
  let response
  try {
    response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
      },
      redirect: "error",
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal })
    })
    return { response, content: await read(response) }
  } catch (cause) {
    signal?.throwIfAborted()
    throw unreachable(url, cause, response === undefined)
  }
}

const isFile = ({ headers, ok }: Response): boolean => ok && headers.get("content-type")?.startsWith("text/") !== true

/** A page of a proxy can have the status 200. */
const isResponse = <Output>(parsed: Output | undefined, text: string, has: string | undefined): parsed is Output =>
  has === undefined ? text === "" : isObject(parsed) && has in parsed

/** Errors of Node's `fetch` before it connects. Browsers give no reason. */
const notConnected = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]

const unreachable = (url: string, cause: unknown, isWithoutResponse: boolean) => {
  const reason = isObject(cause) && isObject(cause["cause"]) ? cause["cause"] : {}
  return new OpenAccountsError({
    code: "unreachable",
    message: isWithoutResponse
      ? `No service answers at ${url}.`
      : `The connection to ${url} ended before the whole answer had arrived.`,
    status: 0,
    callId: undefined,
    retryAfterMillis: undefined,
    details: { sent: !(isWithoutResponse && notConnected.includes(String(reason["code"]))) },
    cause
  })
}

const failure = ({ headers, status }: Response, json: unknown, text: string) => {
  const common = {
    status,
    callId: headers.get("x-call-id") ?? undefined,
    retryAfterMillis: retryAfterMillis(headers.get("retry-after"))
  }
  const error = isObject(json) ? json["error"] : undefined
  if (isObject(error) && isCode(error["code"])) {
    return new OpenAccountsError({
      ...common,
      code: error["code"],
      message: String(error["message"]),
      details: error["details"]
    })
  }
  return new OpenAccountsError({
    ...common,
    code: "invalid_response",
    message: `The response with status ${status} is not from the service. Check baseUrl.`,
    details: { body: text.slice(0, 300) }
  })
}

/** Accepts codes of later versions of the service too. */
const isCode = (code: unknown): code is ErrorCode => typeof code === "string"

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const parse = <A>(text: string): A | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const retryAfterMillis = (value: string | null): number | undefined => {
  if (value === null) return undefined
  const millis = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(millis) ? undefined : Math.max(0, millis)
}
