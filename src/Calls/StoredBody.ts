import { redactJsonText, redactPreview, redactText } from "./Redaction.ts"

/**
 * A request or response body as the log keeps it: redacted JSON text, or `{ truncated, bytes, preview }` where it is
 * longer than `limit` bytes. A body that is not JSON becomes a JSON string.
 */
export const storedBody = (body: string, limit: number): string => {
  const bytes = Buffer.byteLength(body)
  if (bytes > limit) {
    return JSON.stringify({ truncated: true, bytes, preview: redactPreview(body, limit).toWellFormed() })
  }
  try {
    return redactJsonText(body)
  } catch {
    return JSON.stringify(redactText(body))
  }
}
