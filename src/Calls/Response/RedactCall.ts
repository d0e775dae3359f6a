import { Redacted } from "effect"
import type { CallEntry } from "../../Domain/Calls/Call.ts"
import { exceedsBytes, type JsonText } from "../../Domain/Json/JsonText.ts"
import { storedText } from "../../Domain/Text/StoredText.ts"
import type { OnRemoved } from "../../Secrets/Redaction/JsonFields.ts"
import { redactJsonText, redactPreview, redactText, sourceLength } from "../../Secrets/Redaction/Redaction.ts"
import { RemovedSecrets } from "../../Secrets/Redaction/RemovedSecrets.ts"
import type { CallResponse } from "./CallResponse.ts"

export interface UnredactedCall extends Omit<CallEntry, "response" | "secret_hashes"> {
  readonly response: CallResponse | string
  /** Secrets of the connection that the provider repeated, and that were already removed. */
  readonly echoed?: ReadonlyArray<Redacted.Redacted> | undefined
}

/** `limit` is in bytes of each body. `hash` gets what redaction removed, if anything. */
export const redactCall = (
  { echoed, response, ...call }: UnredactedCall,
  limit: number,
  hash: (secrets: ReadonlyArray<string>) => string | null
): CallEntry => {
  let removed: RemovedSecrets | undefined
  const onRemoved = (text: string) => (removed ??= new RemovedSecrets()).add(text)
  for (const secret of echoed ?? []) onRemoved(Redacted.value(secret))
  const entry = {
    ...call,
    ...redactNames(call, onRemoved),
    request: call.request === null ? null : redactBody(call.request, limit, onRemoved),
    response: redactResponse(response, call.cached, limit, onRemoved)
  }
  return removed === undefined ? entry : { ...entry, secret_hashes: hash(removed.secrets) }
}

const redactNames = (
  { connection_id, provider, target }: Omit<UnredactedCall, "response">,
  onRemoved: OnRemoved
): Pick<CallEntry, "provider" | "target"> => {
  // A connection is chosen only for names of the catalog.
  if (connection_id !== null) return { provider, target }
  return {
    provider: provider === null ? null : redactName(provider, onRemoved),
    target: target === null ? null : redactName(target, onRemoved)
  }
}

/** Cached data without secrets. Each further call returns the same data, and a scan takes 5 % of the CPU of such a call. */
const clean = new WeakSet<JsonText>()

const redactResponse = (
  response: CallResponse | string,
  isCached: boolean,
  limit: number,
  onRemoved: OnRemoved
): string => {
  if (typeof response === "string") return redactBody(response, limit, onRemoved)
  const { data } = response
  if (data.exceedsBytes(limit)) {
    return truncated(response.byteLength, response.start(sourceLength(limit)), limit, onRemoved)
  }
  const { text } = response
  if (clean.has(data)) return text
  const redacted = redactBody(text, limit, onRemoved)
  if (isCached && redacted === text) clean.add(data)
  return redacted
}

export const redactBody = (body: string, limit: number, onRemoved?: OnRemoved): string => {
  const text = body.startsWith("\"") ? String(JSON.parse(body)) : body
  return exceedsBytes(text, limit)
    ? truncated(Buffer.byteLength(text), text, limit, onRemoved)
    : redactJsonText(body, onRemoved)
}

const truncated = (bytes: number, text: string, limit: number, onRemoved: OnRemoved | undefined): string =>
  JSON.stringify({ truncated: true, bytes, preview: redactPreview(text, limit, onRemoved).toWellFormed() })

const maxNameLength = 200

export const redactName = (name: string, onRemoved?: OnRemoved): string =>
  storedText(redactText(name.slice(0, 4 * maxNameLength), onRemoved).slice(0, maxNameLength))
