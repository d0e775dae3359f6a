import { redactJsonText, redactPreview, redactText } from "../../Redaction/Redaction.ts"

/**
 * A request or response body as the log keeps it: redacted JSON text, or `{ truncated, bytes, preview }` where it is
 * longer than `limit` bytes. One that is not JSON comes, and is kept, as a JSON string.
 */
export const loggedBody = (body: string, limit: number): string => {
  const text = body.startsWith("\"") ? String(JSON.parse(body)) : body
  if (isLongerThan(text, limit)) {
    const bytes = Buffer.byteLength(text)
    return JSON.stringify({ truncated: true, bytes, preview: redactPreview(text, limit).toWellFormed() })
  }
  try {
    return redactJsonText(body)
  } catch {
    // Nested too deeply to be taken apart.
    return JSON.stringify(redactText(body))
  }
}

/** Whether text has more than `limit` bytes of UTF-8, of which a character takes one to three. */
export const isLongerThan = (text: string, limit: number): boolean =>
  3 * text.length > limit && (text.length > limit || Buffer.byteLength(text) > limit)

/** The longest name that the log keeps, in characters. */
const longestName = 200

/** What a caller gave as the name of a provider or an operation, as the log keeps it: it may be anything. */
export const loggedName = (name: string): string =>
  redactText(name.slice(0, 4 * longestName)).slice(0, longestName).replaceAll("\0", "\uFFFD")
