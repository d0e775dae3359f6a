import type { JsonText } from "../../Domain/Json/JsonText.ts"
import { redactJsonText } from "../../Secrets/Redaction/Redaction.ts"

/** Hashes of data without secrets, because reports are requested more often than they change. */
const clean = new Set<string>()
const cleanCapacity = 10_000
/** In characters. Shorter data is cheaper to scan than to hash. */
const minHashedLength = 512

export const redactDataText = (data: JsonText): string => {
  const before = data.text
  const isHashed = before.length >= minHashedLength
  if (isHashed && clean.has(data.hash)) return before
  const text = redactJsonText(before)
  if (isHashed && text === before) {
    if (clean.size >= cleanCapacity) clean.clear()
    clean.add(data.hash)
  }
  return text
}
