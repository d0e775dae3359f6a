import type { CallEntry } from "../../Domain/Calls/Call.ts"
import { exceedsBytes, type JsonText } from "../../Domain/Json/JsonText.ts"
import { redactJsonText, redactPreview, redactText, sourceLength } from "../../Secrets/Redaction/Redaction.ts"
import type { CallResponse } from "./CallResponse.ts"

export interface UnredactedCall extends Omit<CallEntry, "response"> {
  readonly response: CallResponse | string
}

/** `limit` is in bytes of each body. */
export const redactCall = ({ response, ...call }: UnredactedCall, limit: number): CallEntry => ({
  ...call,
  ...redactNames(call),
  request: call.request === null ? null : redactBody(call.request, limit),
  response: redactResponse(response, call.cached, limit)
})

const redactNames = (
  { connection_id, provider, target }: Omit<UnredactedCall, "response">
): Pick<CallEntry, "provider" | "target"> => {
  // A connection is chosen only for names of the catalog.
  if (connection_id !== null) return { provider, target }
  return {
    provider: provider === null ? null : redactName(provider),
    target: target === null ? null : redactName(target)
  }
}

/** Cached data without secrets. Each further call returns the same data, and a scan takes 5 % of the CPU of such a call. */
const clean = new WeakSet<JsonText>()

const redactResponse = (response: CallResponse | string, isCached: boolean, limit: number): string => {
  if (typeof response === "string") return redactBody(response, limit)
  const { data } = response
  if (data.exceedsBytes(limit)) {
    return truncated(response.byteLength, response.start(sourceLength(limit)), limit)
  }
  const { text } = response
  if (clean.has(data)) return text
  const redacted = redactBody(text, limit)
  if (isCached && redacted === text) clean.add(data)
  return redacted
}

export const redactBody = (body: string, limit: number): string => {
  const text = body.startsWith("\"") ? String(JSON.parse(body)) : body
  return exceedsBytes(text, limit) ? truncated(Buffer.byteLength(text), text, limit) : redactJsonText(body)
}

const truncated = (bytes: number, text: string, limit: number): string =>
  JSON.stringify({ truncated: true, bytes, preview: redactPreview(text, limit).toWellFormed() })

const maxNameLength = 200

/** Postgres stores no NUL. */
export const redactName = (name: string): string =>
  redactText(name.slice(0, 4 * maxNameLength)).slice(0, maxNameLength).replaceAll("\0", "\uFFFD").toWellFormed()
