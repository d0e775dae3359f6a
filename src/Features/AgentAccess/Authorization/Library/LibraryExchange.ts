import { IncomingMessage, type RequestListener, ServerResponse } from "node:http"

/** Keeps the library's response, so that the middleware can process it. */
class KeptResponse extends ServerResponse {
  text = ""

  override end(chunk?: unknown, ...rest: ReadonlyArray<unknown>): this {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) this.text = Buffer.from(chunk).toString()
    const done = rest.find((argument) => typeof argument === "function")
    return typeof done === "function" ? super.end(() => Reflect.apply(done, undefined, [])) : super.end()
  }
}

export interface LibraryResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: ReadonlyArray<string>
  readonly text: string
}

export interface LibraryRequest {
  readonly message: IncomingMessage
  readonly body: Uint8Array | undefined
  /** Path and query, relative to `prefix`. */
  readonly url: string
  readonly prefix: string
  readonly host: string
  readonly isSecure: boolean
}

/** A request whose body has been read. The library derives addresses from `BASE_URL` only. */
const receivedRequest = ({ body, host, isSecure, message, prefix, url }: LibraryRequest): IncomingMessage => {
  const request = new IncomingMessage(message.socket)
  Object.assign(request, {
    method: message.method,
    httpVersion: message.httpVersion,
    // Without this, Node closes the connection once the library has read the body.
    complete: true,
    url,
    originalUrl: `${prefix}${url}`,
    headers: {
      ...message.headers,
      host,
      "x-forwarded-host": host,
      "x-forwarded-proto": isSecure ? "https" : "http"
    }
  })
  if (body !== undefined) request.push(body)
  request.push(null)
  return request
}

export const exchange = async (listener: RequestListener, received: LibraryRequest): Promise<LibraryResponse> => {
  const request = receivedRequest(received)
  const response = new KeptResponse(request)
  await listener(request, response)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (name !== "set-cookie" && value !== undefined) headers[name] = String(value)
  }
  return {
    status: response.statusCode,
    headers,
    cookies: [response.getHeader("set-cookie") ?? []].flat().map(String),
    text: response.text
  }
}
