import type { CallEntry } from "../../Domain/Calls/Call.ts"
import { exceedsBytes, JsonText } from "../../Domain/Json/JsonText.ts"
import { redactJsonText, redactPreview, redactText, sourceLength } from "../../Secrets/Redaction/Redaction.ts"
import { redactDataText } from "./CleanData.ts"
import { type CallResponse, LongResponse, textOf } from "./LongResponse.ts"
import { appendData, withoutData } from "./ResponseText.ts"

export interface UnredactedCall extends Omit<CallEntry, "response"> {
  readonly response: CallResponse
}

/** `limit` is in bytes of each body. `data` is null if the response is truncated. */
export const redactCall = (call: UnredactedCall, limit: number): CallEntry => ({
  ...call,
  ...redactNames(call),
  request: call.request === null ? null : redactBody(call.request, limit),
  ...redactResponse(call, limit)
})

const redactNames = ({ connection_id, provider, target }: UnredactedCall): Pick<CallEntry, "provider" | "target"> => {
  // A connection is chosen only for names of the catalog.
  if (connection_id !== null) return { provider, target }
  return {
    provider: provider === null ? null : redactName(provider),
    target: target === null ? null : redactName(target)
  }
}

const redactResponse = (
  { data, response: whole }: UnredactedCall,
  limit: number
): Pick<CallEntry, "response" | "data"> => {
  if (whole instanceof LongResponse && whole.byteLength > limit) {
    return { response: truncated(whole.byteLength, whole.start(sourceLength(limit)), limit), data: null }
  }
  const response = textOf(whole)
  if (data === null || exceedsBytes(response, limit)) return { response: redactBody(response, limit), data: null }
  const before = data.text
  const text = redactDataText(data)
  return text === before
    ? { response, data }
    : { response: appendData(withoutData(response, before), text), data: JsonText.trusted(text) }
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
