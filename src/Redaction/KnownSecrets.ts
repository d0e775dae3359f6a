import { Redacted, type Schema } from "effect"

const REPLACEMENT = "[redacted]"

export interface KnownSecretsRedactor {
  readonly text: (text: string) => string
  readonly json: (value: unknown) => Schema.Json
}

/** Removes secrets that a provider echoes, also where they are encoded for a URL or for JSON. */
export const makeKnownSecretsRedactor = (secrets: ReadonlyArray<Redacted.Redacted>): KnownSecretsRedactor => {
  const spellings = new Set(secrets.map(Redacted.value).filter((secret) => secret !== "").flatMap(spellingsOf))
  const longestFirst = [...spellings].toSorted((a, b) => b.length - a.length)
  const text = (value: string) =>
    longestFirst.reduce((rest, secret) => rest.replaceAll(secret, () => REPLACEMENT), value)
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

const spellingsOf = (secret: string): ReadonlyArray<string> => [
  secret,
  encodeURIComponent(secret.toWellFormed()),
  new URLSearchParams([["", secret]]).toString().slice(1),
  JSON.stringify(secret).slice(1, -1)
]
