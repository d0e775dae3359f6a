import type { Schema } from "effect"
import { isTooDeep, type JsonText } from "../Domain/JsonText.ts"
import type { KnownSecretsRedactor } from "../Redaction/KnownSecrets.ts"

/** In characters (contract section 7). */
const longestPreview = 2000

const longestMessage = 300

/** The `details` of an error: the provider's body, or the beginning of a body that is not JSON or nests too deeply. */
export const errorDetails = (text: string, body: JsonText | undefined, redactor: KnownSecretsRedactor): Schema.Json =>
  body === undefined || isTooDeep(body.value)
    ? { body: cut(redactor.text(text), longestPreview) }
    : redactor.json(body.value)

/** A provider's error message on one line; `undefined` where it is empty. */
export const toOneLine = (message: string | undefined): string | undefined => {
  if (message === undefined || message === "") return undefined
  const line = message.replace(/[\s\p{Cc}]+/gu, " ").trim()
  return line.length > longestMessage ? `${cut(line, longestMessage)}…` : line
}

/** Leaves no half of a surrogate pair, which Postgres refuses. */
const cut = (text: string, length: number) => text.slice(0, length).toWellFormed()
