import type { JsonText } from "../Domain/JsonText.ts"
import { isSuspicious, redactJsonText } from "../Redaction/Redaction.ts"

/** Hashes of data without secrets. Reports are requested more often than they change, and the log needs the hash anyway. */
const clean = new Set<string>()
const cleanCapacity = 10_000
/** Shorter data is cheaper to scan than to hash, in characters. */
const minHashedLength = 512

/** The text of the data without the secrets in it: the same text where it holds none. */
export const redactDataText = (data: JsonText): string => {
  const isHashed = data.text.length >= minHashedLength
  if (isHashed && clean.has(data.hash)) return data.text
  const text = redactJsonText(data.text)
  if (isHashed && text === data.text) {
    if (clean.size >= cleanCapacity) clean.clear()
    clean.add(data.hash)
  }
  return text
}

/** Longer data takes too long to redact for a yes or no, in characters. */
const maxScanned = 65_536

/** True where the log would store the data as it is. False also for long data that merely looks as if it held secrets. */
export const isClean = (data: JsonText): boolean =>
  data.text.length > maxScanned ? !isSuspicious(data.text) : redactDataText(data) === data.text
