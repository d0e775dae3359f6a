import { Data, Predicate } from "effect"
import type { JsonText } from "../../Domain/JsonText.ts"

/** What an upstream sent back, whole. */
export interface UpstreamResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  /** The body where it is JSON; an empty one is none. */
  readonly json: JsonText | undefined
}

export const isSuccessful = (status: number): boolean => status >= 200 && status < 300

/** Why there is no answer. `message` names the host and what happened: no URL, no header, nothing secret. */
export class TransportError extends Data.TaggedError("Unanswered")<{
  readonly message: string
  /** The upstream cannot have seen anything of the request. */
  readonly connectFailed: boolean
}> {
  static readonly of = (message: string) => new TransportError({ message, connectFailed: false })
}

/** What Node's sockets, its TLS and undici call their failures. */
export const toTransportError = (cause: unknown, host: string): TransportError => {
  const code = codeOf(cause)
  const found = explanations.find(({ codes }) => codes.test(code))
  return new TransportError({
    message: `${host} ${found?.happened ?? "could not be reached"} (${code}).`,
    connectFailed: found?.connectFailed ?? false
  })
}

/** The name stands in: undici's parser errors do not always have a code. */
const codeOf = (cause: unknown): string => {
  if (Predicate.hasProperty(cause, "code") && typeof cause.code === "string") return cause.code
  return cause instanceof Error ? cause.name : "unknown failure"
}

const explanations: ReadonlyArray<{
  readonly codes: RegExp
  readonly happened: string
  readonly connectFailed: boolean
}> = [
  { codes: /^(?:ENOTFOUND|EAI_\w+)$/, happened: "could not be found: its name does not resolve", connectFailed: true },
  {
    codes: /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL)$/,
    happened: "could not be connected to",
    connectFailed: true
  },
  {
    codes: /^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    happened: "could not be connected to in time",
    connectFailed: true
  },
  {
    codes: /^(?:ERR_SSL|ERR_TLS|EPROTO|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/,
    happened: "could not be trusted: TLS failed",
    connectFailed: false
  },
  {
    codes: /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    happened: "closed the connection before the answer was complete",
    connectFailed: false
  },
  {
    codes: /^(?:HPE_\w+|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)$/,
    happened: "did not answer in valid HTTP",
    connectFailed: false
  },
  {
    codes: /^UND_ERR_RES_EXCEEDED_MAX_SIZE$/,
    happened: "answered with more bytes than MAX_RESPONSE_BYTES allows",
    connectFailed: false
  },
  {
    codes: /^UND_ERR_INVALID_ARG$/,
    happened: "could not be asked: the request is not valid HTTP",
    connectFailed: false
  }
]
