import type { CallEntry } from "../Domain/Call.ts"
import { exceedsBytes, JsonText } from "../Domain/JsonText.ts"
import { redactJsonText, redactPreview, redactText } from "../Redaction/Redaction.ts"
import { appendData, withoutData } from "./ResponseText.ts"

/** A finished call before redaction. */
export type CompletedCall = CallEntry

/**
 * Returns what may be stored of a call: names cut and redacted, bodies redacted, bodies over `limit` bytes truncated.
 * `data` is null where the response is truncated.
 */
export const redactCall = (call: CompletedCall, limit: number): CallEntry => ({
  ...call,
  provider: call.provider === null ? null : redactName(call.provider),
  target: call.target === null ? null : redactName(call.target),
  request: call.request === null ? null : redactBody(call.request, limit),
  ...redactResponse(call, limit)
})

const redactResponse = (
  { data, response }: CompletedCall,
  limit: number
): Pick<CallEntry, "response" | "data"> => {
  if (data === null || exceedsBytes(response, limit)) return { response: redactBody(response, limit), data: null }
  const redacted = redactData(data)
  return redacted === data
    ? { response, data }
    : { response: appendData(withoutData(response, data.text), redacted.text), data: redacted }
}

/** Hashes of data without secrets. Reports are requested more often than they change, and the log needs the hash anyway. */
const clean = new Set<string>()
const cleanCapacity = 10_000
/** Shorter data is cheaper to scan than to hash, in characters. */
const minHashedLength = 512

/** Returns `data` itself where it holds no secret. */
const redactData = (data: JsonText): JsonText => {
  const isHashed = data.text.length >= minHashedLength
  if (isHashed && clean.has(data.hash)) return data
  const text = redactJsonText(data.text)
  if (text !== data.text) return JsonText.trusted(text)
  if (isHashed) {
    if (clean.size >= cleanCapacity) clean.clear()
    clean.add(data.hash)
  }
  return data
}

/**
 * Redacts a body, given as JSON text. A body that is not JSON comes as a JSON string. Returns JSON text, of the form
 * `{ truncated, bytes, preview }` where the body is longer than `limit` bytes.
 */
export const redactBody = (body: string, limit: number): string => {
  const text = body.startsWith("\"") ? String(JSON.parse(body)) : body
  if (exceedsBytes(text, limit)) {
    const bytes = Buffer.byteLength(text)
    return JSON.stringify({ truncated: true, bytes, preview: redactPreview(text, limit).toWellFormed() })
  }
  return redactJsonText(body)
}

/** In characters. */
const maxNameLength = 200

/** Redacts a provider or operation name from a request, which may be any text. Postgres stores no NUL. */
export const redactName = (name: string): string =>
  redactText(name.slice(0, 4 * maxNameLength)).slice(0, maxNameLength).replaceAll("\0", "\uFFFD").toWellFormed()
