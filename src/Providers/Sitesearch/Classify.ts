import { Option, Schema } from "effect"
import type { AuthMethod, Provider, Verdict } from "../Provider.ts"

const decodeErrorBody = Schema.decodeUnknownOption(Schema.Struct({ ErrorCode: Schema.Finite }))

/** The `ErrorCode` of an error body, under whatever status it came; 0 means that there was no error. */
export const errorCode = (body: unknown): number =>
  Option.match(decodeErrorBody(body), { onNone: () => 0, onSome: ({ ErrorCode }) => ErrorCode })

/** InvalidApiKey, UserBlocked, UserNotFound: the account itself is refused, which no fresh token mends. */
const refusals = new Set([3, 6, 10])
const invalidToken = 18

export const classifySitesearch: Provider["classify"] = ({ authMethod, body, status }) => {
  const code = errorCode(body())
  if (refusals.has(code)) return "rejected"
  if (code === invalidToken || status === 401) return unauthorized(authMethod)
  return status >= 200 && status < 300 && code === 0 ? "ok" : "error"
}

/** An API key cannot be refreshed. */
const unauthorized = (authMethod: AuthMethod): Verdict => authMethod === "oauth" ? "unauthorized" : "rejected"
