import { Redacted, type Schema } from "effect"
import { JsonText } from "../../Domain/Json/JsonText.ts"
import { redacted } from "./JsonFields.ts"

export interface KnownSecretsRedactor {
  readonly text: (text: string) => string
  readonly json: (value: unknown) => Schema.Json
}

export const makeKnownSecretsRedactor = (secrets: ReadonlyArray<Redacted.Redacted>): KnownSecretsRedactor => {
  const spellings = new Set(secrets.map(Redacted.value).filter((secret) => secret !== "").flatMap(spellingsOf))
  const longestFirst = [...spellings].toSorted((a, b) => b.length - a.length)
  const text = (value: string) => longestFirst.reduce((rest, secret) => rest.replaceAll(secret, () => redacted), value)
  const json = (value: unknown): Schema.Json => {
    switch (typeof value) {
      case "string":
        return text(value)
      case "number":
      case "boolean":
        return value
      case "object":
        if (value === null) return null
        return Array.isArray(value)
          ? value.map(json)
          : Object.fromEntries(Object.entries(value).map(([key, field]) => [text(key), json(field)]))
      default:
        return null
    }
  }
  return { text, json }
}

/** Shorter text may occur in a body by chance. */
const minEchoed = 8

const plainParts = new WeakMap<Redacted.Redacted, string | undefined>()

/** The longest part that no encoding changes, `undefined` if that is too short. */
const plainPartOf = (secret: Redacted.Redacted): string | undefined => {
  if (!plainParts.has(secret)) {
    const text = Redacted.value(secret)
    const [longest] = (text.match(/[\w.-]+/g) ?? []).toSorted((a, b) => b.length - a.length)
    plainParts.set(secret, text.length < minEchoed ? undefined : longest ?? text)
  }
  return plainParts.get(secret)
}

export const redactEcho = (body: JsonText, secret: Redacted.Redacted): JsonText => {
  const part = plainPartOf(secret)
  if (part === undefined || !body.includes(part)) return body
  const { json, text } = makeKnownSecretsRedactor([secret])
  // Replacing in the text keeps every digit of numbers. The parsed value is only for secrets that are encoded twice or
  // spelled like a part of the JSON. A number that equals a secret stays.
  const before = body.text
  const rest = text(before)
  const parsed = parse(rest)
  const value = parsed ?? body.value
  const clean = json(value)
  if (JSON.stringify(clean) !== JSON.stringify(value)) return JsonText.stringify(clean)
  return parsed === undefined || rest === before ? body : JsonText.trusted(rest)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isRedacted = (body: JsonText): boolean => body.includes(redacted)

const spellingsOf = (secret: string): ReadonlyArray<string> => [
  secret,
  encodeURIComponent(secret.toWellFormed()),
  new URLSearchParams([["", secret]]).toString().slice(1),
  JSON.stringify(secret).slice(1, -1)
]
