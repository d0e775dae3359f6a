import { Data, Predicate } from "effect"

/** `message` has the host and the failure, but no URL, header or secret. */
export class TransportError extends Data.TaggedError("TransportError")<{
  readonly message: string
  readonly connectFailed: boolean
  /** False for fewer failures than `connectFailed`: established connections can have codes such as `ETIMEDOUT` too. */
  readonly wasSent: boolean
}> {
  static readonly of = (message: string) => new TransportError({ message, connectFailed: false, wasSent: true })
}

export const toTransportError = (cause: unknown, host: string): TransportError => {
  const code = codeOf(cause)
  const explanation = explanations.find(({ codes }) => codes.test(code))
  return new TransportError({
    message: `${host} ${explanation?.failure ?? "could not be reached"} (${code}).`,
    connectFailed: explanation?.connectFailed ?? false,
    wasSent: !neverConnected.test(code)
  })
}

const neverConnected = /^(?:ENOTFOUND|EAI_\w+|ECONNREFUSED|UND_ERR_CONNECT_TIMEOUT)$/

const codeOf = (cause: unknown): string => {
  if (Predicate.hasProperty(cause, "code") && typeof cause.code === "string") return cause.code
  return cause instanceof Error ? cause.name : "unknown failure"
}

const explanations: ReadonlyArray<{
  readonly codes: RegExp
  readonly failure: string
  readonly connectFailed: boolean
}> = [
  { codes: /^(?:ENOTFOUND|EAI_\w+)$/, failure: "could not be found: its name does not resolve", connectFailed: true },
  {
    codes: /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL)$/,
    failure: "could not be connected to",
    connectFailed: true
  },
  {
    codes: /^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    failure: "could not be connected to in time",
    connectFailed: true
  },
  {
    codes: /^(?:ERR_SSL|ERR_TLS|EPROTO|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/,
    failure: "could not be trusted: TLS failed",
    connectFailed: false
  },
  {
    codes: /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    failure: "closed the connection before the answer was complete",
    connectFailed: false
  },
  {
    codes: /^(?:HPE_\w+|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)$/,
    failure: "did not answer in valid HTTP",
    connectFailed: false
  },
  {
    codes: /^UND_ERR_RES_EXCEEDED_MAX_SIZE$/,
    failure: "answered with more bytes than MAX_RESPONSE_BYTES allows",
    connectFailed: false
  },
  {
    codes: /^UND_ERR_INVALID_ARG$/,
    failure: "could not be reached: the request is not valid HTTP",
    connectFailed: false
  }
]
