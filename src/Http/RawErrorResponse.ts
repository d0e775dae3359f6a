import { Effect } from "effect"
import { type ServerResponse, STATUS_CODES } from "node:http"
import type { ApiError } from "../Api/Errors.ts"
import { CallId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"

/** An error as it is answered where no handler comes to: its own `call_id`, and the end of the connection. */
const plainAnswer = (error: ApiError) => {
  const callId = CallId.make(Effect.runSync(newId("call")))
  const body = JSON.stringify(error.body(callId))
  const headers = {
    "content-type": "application/json",
    "content-length": `${Buffer.byteLength(body)}`,
    "x-call-id": callId,
    connection: "close",
    ...(error.retryAfter === undefined ? {} : { "retry-after": error.retryAfter })
  }
  return { status: error.status, headers, body }
}

export const sendError = (response: ServerResponse, error: ApiError): void => {
  const { body, headers, status } = plainAnswer(error)
  response.writeHead(status, headers).end(body)
}

/** An answer to a client that has not sent a request which could be answered, byte for byte. */
export const serializeError = (error: ApiError): string => {
  const { body, headers, status } = plainAnswer(error)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n")
}
