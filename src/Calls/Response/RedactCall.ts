import type { CallEntry } from "../../Domain/Calls/Call.ts"
import { exceedsBytes, type JsonText } from "../../Domain/Json/JsonText.ts"
import { redactJsonText, redactPreview, redactText, sourceLength } from "../../Secrets/Redaction/Redaction.ts"
import { redactDataText } from "./CleanData.ts"
import { type CallResponse, LongResponse, textOf } from "./LongResponse.ts"
import { appendData, withoutData } from "./ResponseText.ts"

export interface UnredactedCall extends Omit<CallEntry, "response"> {
  readonly response: CallResponse
  /** In the response. `null` after a failure. */
  readonly data: JsonText | null
}

/** `limit` is in bytes of each body. */
export const redactCall = ({ data, response, ...call }: UnredactedCall, limit: number): CallEntry => ({
  ...call,
  ...redactNames(call),
  request: call.request === null ? null : redactBody(call.request, limit),
  response: redactResponse(response, data, limit)
})

const redactNames = (
  { connection_id, provider, target }: Omit<UnredactedCall, "data" | "response">
): Pick<CallEntry, "provider" | "target"> => {
  // A connection is chosen only for names of the catalog.
  if (connection_id !== null) return { provider, target }
  return {
    provider: provider === null ? null : redactName(provider),
    target: target === null ? null : redactName(target)
  }
}

const redactResponse = (whole: CallResponse, data: JsonText | null, limit: number): string => {
  if (whole instanceof LongResponse && whole.byteLength > limit) {
    return truncated(whole.byteLength, whole.start(sourceLength(limit)), limit)
  }
  const response = textOf(whole)
  if (data === null || exceedsBytes(response, limit)) return redactBody(response, limit)
  const before = data.text
  const text = redactDataText(data)
  return text === before ? response : appendData(withoutData(response, before), text)
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
