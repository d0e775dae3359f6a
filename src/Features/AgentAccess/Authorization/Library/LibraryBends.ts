import { Redacted } from "effect"
import { generateKeyPairSync } from "node:crypto"
import { IncomingMessage, type RequestListener, ServerResponse } from "node:http"
import type { AdapterPayload, ClientMetadata, Configuration, Provider } from "oidc-provider"

/*
 * Everything here depends on what `oidc-provider` does and does not document. Its version is exact, and
 * `LibraryBends.test.ts` has one test for each bend, which fails when another version does something else.
 */

/**
 * Bend 1. No setting gives tokens a prefix, so the classes that this `provider` owns make their ids here. The library
 * chooses the format of a token where it makes the id.
 */
export const replaceTokenIds = (
  { AccessToken, RefreshToken }: Pick<Provider, "AccessToken" | "RefreshToken">,
  generate: { readonly access: () => Redacted.Redacted; readonly refresh: () => Redacted.Redacted }
): void => {
  const classes = [[AccessToken, generate.access], [RefreshToken, generate.refresh]] as const
  for (const [{ prototype }, next] of classes) {
    Object.defineProperty(prototype, "generateTokenId", {
      value(this: { format?: string }) {
        this.format = "opaque"
        return Redacted.value(next())
      }
    })
  }
}

/** Bend 2. The library's message without a `client_id` does not say what to send. It is in the JSON of the response. */
export const withHelp = (text: string): string =>
  text.replace(
    "no client authentication mechanism provided",
    "client_id is missing. Agents are public clients here: send client_id, and no client assertion or secret"
  )

/** Bend 3. The library says that an expired code is expired, and ends the tokens only of a code that it takes for used. */
export const usedCode = (payload: AdapterPayload, nowMillis: number): AdapterPayload => ({
  ...payload,
  exp: Math.ceil(nowMillis / 1000) + 60
})

/** Bend 4. The library requires a signing key, though nothing is signed without the scope `openid`. */
export const unusedKey = () => ({
  ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
  alg: "ES256",
  use: "sig",
  kid: "unused"
})

/** Bend 5. The library checks each client's metadata in one place, and only for a property of the operator's. */
export const onEachClient = (
  check: (metadata: ClientMetadata) => void
): NonNullable<Configuration["extraClientMetadata"]> => ({
  properties: ["software_id"],
  validator: (_, __, ___, metadata) => check(metadata)
})

/** Keeps the library's response, so that the middleware can process it. */
class BufferedResponse extends ServerResponse {
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

/** Bend 6. The library writes to Node's response. This one has no socket, and gives what was written. */
export const exchange = async (listener: RequestListener, received: LibraryRequest): Promise<LibraryResponse> => {
  const request = receivedRequest(received)
  const response = new BufferedResponse(request)
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
