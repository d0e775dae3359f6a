import { type IncomingMessage, type RequestListener, ServerResponse } from "node:http"

/** Keeps the library's response, so that the middleware can process it. */
class KeptResponse extends ServerResponse {
  body = ""

  override end(chunk?: unknown, ...rest: ReadonlyArray<unknown>): this {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) this.body = Buffer.from(chunk).toString()
    const done = rest.find((argument) => typeof argument === "function")
    return typeof done === "function" ? super.end(() => Reflect.apply(done, undefined, [])) : super.end()
  }
}

export interface LibraryResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: ReadonlyArray<string>
  readonly body: string
}

export interface LibraryRequest {
  readonly message: IncomingMessage
  /** Path and query, relative to `prefix`. */
  readonly url: string
  readonly prefix: string
  readonly host: string
  readonly isSecure: boolean
}

/** Reads the body of the message. The library derives addresses from `BASE_URL` only. */
export const exchange = async (
  listener: RequestListener,
  { host, isSecure, message, prefix, url }: LibraryRequest
): Promise<LibraryResponse> => {
  Object.assign(message.headers, {
    host,
    "x-forwarded-host": host,
    "x-forwarded-proto": isSecure ? "https" : "http"
  })
  Object.assign(message, { url, originalUrl: `${prefix}${url}` })
  const response = new KeptResponse(message)
  await listener(message, response)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (name !== "set-cookie" && value !== undefined) headers[name] = String(value)
  }
  return {
    status: response.statusCode,
    headers,
    cookies: [response.getHeader("set-cookie") ?? []].flat().map(String),
    body: response.body
  }
}
