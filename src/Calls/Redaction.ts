import { Predicate } from "effect"

/** What stands where a secret stood (section 8 of the contract). */
export const redacted = "[redacted]"

/** Words that, at the end of a field's name, say that its value is a secret. */
const secretNouns = new Set([
  "authorization",
  "token",
  "tokens",
  "secret",
  "secrets",
  "password",
  "passwd",
  "passphrase",
  "cookie",
  "cookies",
  "credential",
  "credentials",
  "assertion",
  "apikey",
  "privatekey",
  "jwt"
])

/** Words that, before `key`, make it a secret one: `api_key`, `privateKey`. */
const secretKeys = new Set(["api", "private", "secret", "access", "encryption", "signing"])

/** Words that, before `token`, make it an ordinary value: `pageToken`. */
const ordinaryTokens = new Set(["page", "sync"])

/** Names that say it as a whole: the verification codes of site search, the connect flow's proof. */
const secretNames = new Set(["authenticationcode", "dnsverificationcode", "codeverifier"])

/** Whether the value of a field of this name is a secret, however the name is spelled: `api_key`, `Set-Cookie`. */
export const namesSecret = (name: string): boolean => {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
  const last = words.at(-1) ?? ""
  const before = words.at(-2) ?? ""
  if (secretNames.has(words.join(""))) return true
  if (last === "key") return secretKeys.has(before)
  if (last === "token") return !ordinaryTokens.has(before)
  return secretNouns.has(last)
}

/** Strings that are secrets by their looks, wherever they stand. The part named `keep` stays. */
const secretForms = [
  /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g,
  /(?<keep>\b(?:Bearer|Basic)\s+)(?:(?=[^\s"',;]*\d)[\w.~+/-]{8,}|[\w.~+/-]{20,})=*/gi,
  /\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g,
  /\bya29\.[\w.-]+/g,
  /(?<![\w/])1\/\/[\w-]{6,}/g,
  /\boa_[0-9A-Za-z]{16,}/g,
  /\bAIza[\w-]{20,}/g,
  /\bGOCSPX-[\w-]{6,}/g,
  /(?<keep>[?&](?:api_?key|access_token|refresh_token|id_token|client_secret|assertion|code)=)[^&\s"'<>#]+/gi
]

/** Text without the secrets in it; what surrounds them stays. */
export const redactText = (text: string): string =>
  secretForms.reduce(
    (rest, form) => rest.replace(form, (...match) => `${keptPart(match.at(-1))}${redacted}`),
    text
  )

const keptPart = (groups: unknown): string =>
  Predicate.isObject(groups) && Predicate.hasProperty(groups, "keep") && Predicate.isString(groups.keep)
    ? groups.keep
    : ""

/** A JSON value without the secrets in it. */
export const redactJson = (value: unknown): unknown => {
  if (typeof value === "string") return redactText(value)
  if (Array.isArray(value)) return value.map(redactJson)
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      redactText(name),
      namesSecret(name) && holdsSecret(field) ? redacted : redactJson(field)
    ])
  )
}

/** `null`, booleans and empty strings tell nothing. */
const holdsSecret = (value: unknown): boolean => value !== null && value !== "" && !Predicate.isBoolean(value)

/** Anything that a secret's name or looks could begin with; an escape could hide one. */
const suspicious =
  /author|token|secret|passw|passphrase|key|cookie|credential|assertion|jwt|code|bearer|basic|ya29|1\/\/|1\\\/|oa_|AIza|GOCSPX|eyJ|-----BEGIN|\\u/i

/** JSON text without the secrets in it. Text in which nothing looks like one, which is most of it, is not parsed. */
export const redactJsonText = (text: string): string =>
  suspicious.test(text) ? JSON.stringify(redactJson(JSON.parse(text))) : text

/** A field of a secret name and its value, in JSON text that need not be whole. */
const secretField = /"((?:[^"\\]|\\.)*)"(\s*:\s*)("(?:[^"\\]|\\.)*(?:"|$)|[^\s"[\]{},]+|[[{][^\]}]*[\]}]?)/g

/** The first `length` characters of JSON text, which are seldom JSON, without the secrets in them. */
export const redactPreview = (text: string, length: number): string =>
  // Cut after redaction, and well behind the end of the preview before it: half a secret has no looks.
  redactText(
    text.slice(0, length + longestSecret).replace(
      secretField,
      (field, name: string, colon: string) => namesSecret(name) ? `"${name}"${colon}"${redacted}"` : field
    )
  ).slice(0, length)

/** No secret that passes through here is longer, in characters. */
const longestSecret = 16_384
