import type { Schema } from "effect"
import { exceedsBytes, isTooDeep, type JsonText } from "../Domain/Json/JsonText.ts"
import type { KnownSecretsRedactor } from "../Secrets/Redaction/KnownSecrets.ts"

const longestPreview = 2000

/** The longest text that is redacted, in characters. Longer than a preview, because redaction can shorten it. */
const longestSource = 100_000

const longestMessage = 300

/** The longest `details`, in bytes. The whole body of an error stays below 1 MiB. */
const maxDetails = 1_000_000

export const errorDetails = (text: string, body: JsonText | undefined, redactor: KnownSecretsRedactor): Schema.Json => {
  if (body !== undefined && !exceedsBytes(text, maxDetails) && !isTooDeep(body.value)) {
    const details = redactor.json(body.value)
    if (!exceedsBytes(JSON.stringify(details), maxDetails)) return details
  }
  return { body: cut(redactor.text(text.slice(0, longestSource)), longestPreview) }
}

export const toOneLine = (message: string | undefined): string | undefined => {
  if (message === undefined || message === "") return undefined
  const line = message.replace(/[\s\p{Cc}]+/gu, " ").trim()
  return line.length > longestMessage ? `${cut(line, longestMessage)}…` : line
}

/** Postgres rejects half a surrogate pair. */
const cut = (text: string, length: number) => text.slice(0, length).toWellFormed()
