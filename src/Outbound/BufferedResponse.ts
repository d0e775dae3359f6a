import { Effect, Inspectable, Option, Pipeable } from "effect"
import {
  Cookies,
  type Headers,
  type HttpClientError,
  type HttpClientRequest,
  HttpClientResponse,
  HttpIncomingMessage
} from "effect/http"

export class BufferedResponse extends Inspectable.Class implements HttpClientResponse.HttpClientResponse {
  readonly [HttpIncomingMessage.TypeId]: typeof HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly [HttpClientResponse.TypeId]: typeof HttpClientResponse.TypeId = HttpClientResponse.TypeId
  readonly request: HttpClientRequest.HttpClientRequest
  readonly status: number
  readonly headers: Headers.Headers
  readonly bytes: Uint8Array<ArrayBuffer>

  constructor(
    request: HttpClientRequest.HttpClientRequest,
    status: number,
    headers: Headers.Headers,
    bytes: Uint8Array<ArrayBuffer>
  ) {
    super()
    this.request = request
    this.status = status
    this.headers = headers
    this.bytes = bytes
  }

  get url() {
    return this.request.url
  }

  get remoteAddress() {
    return Option.none<string>()
  }

  get cookies() {
    return Cookies.fromSetCookie(this.headers["set-cookie"] ?? [])
  }

  get arrayBuffer() {
    return Effect.sync(() => this.bytes.slice().buffer)
  }

  get stream() {
    return this.#body.stream
  }

  get text() {
    return this.#body.text
  }

  get json() {
    return this.#body.json
  }

  get urlParamsBody() {
    return this.#body.urlParamsBody
  }

  get formData() {
    return this.#body.formData
  }

  get upgrade() {
    return this.#body.upgrade
  }

  toJSON() {
    return HttpIncomingMessage.inspect(this, {
      _id: "effect/http/HttpClientResponse",
      request: this.request.toJSON(),
      status: this.status
    })
  }

  pipe() {
    return Pipeable.pipeArguments(this, arguments)
  }

  get #body() {
    return HttpClientResponse.fromWeb(this.request, new Response(this.bytes, { headers: this.headers }))
  }
}

export const bytesOf = (
  response: HttpClientResponse.HttpClientResponse
): Effect.Effect<Uint8Array<ArrayBuffer>, HttpClientError.HttpClientError> =>
  response instanceof BufferedResponse
    ? Effect.succeed(response.bytes)
    : Effect.map(response.arrayBuffer, (bytes) => new Uint8Array(bytes))
