import { Predicate } from "effect"

/** What stands where a secret stood (section 8 of the contract). */
export const redacted = "[redacted]"

/** How the names of fields end whose values are secrets: those of the contract, and what providers call theirs. */
const secretName = new RegExp(
  `(?:${
    [
      "authorization",
      "tokens?",
      "secrets?",
      "password",
      "passwd",
      "passphrase",
      "cookies?",
      "credentials?",
      "assertion",
      "jwt",
      "(?:api|private|secret|access|encryption|signing)keys?",
      "authenticationcode",
      "dnsverificationcode",
      "codeverifier"
    ].join("|")
  })\\d*$`
)

/** Tokens that only say where a list goes on. */
const ordinaryName = /(?:page|sync)token$/

/** Whether the value of a field of this name is a secret, however the name is spelled: `api_key`, `Set-Cookie`. */
export const namesSecret = (name: string): boolean => {
  const letters = name.replace(/[^a-z0-9]+/gi, "").toLowerCase()
  return secretName.test(letters) && !ordinaryName.test(letters)
}

/**
 * Strings that are secrets by their looks, wherever they stand. The part named `keep` stays. Each form is told apart
 * from any place of a text in one look: a caller must not be able to make it costly.
 */
const secretForms = [
  /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g,
  /(?<keep>\b(?:Bearer|Basic)\s+)(?:(?=[^\s"',;]*[\d_])[\w.~+/-]{8,}|[\w.~+/-]{20,})=*/gi,
  /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g,
  /\bya29\.[\w.-]+/g,
  /(?<![\w/])1\/\/[\w-]{6,}/g,
  /\boa_[0-9A-Za-z]{16,}/g,
  /\bAIza[\w-]{20,}/g,
  /\bGOCSPX-[\w-]{6,}/g
]

/** A parameter of a URL or a form. */
const parameter = /(?<=^|[?&])([\w.-]{1,100})=[^&\s"'<>#]+/g

/**
 * What every text with a secret in it has: a word that all names of that kind end with, in any spelling, or the first
 * characters of a secret's looks. An escape could hide one. It need not be exact, but it must be cheap, for it is all
 * that most texts are put to: patterns that need not look for either case skip more, and searched for in these groups
 * they take half the time of all in one.
 */
const suspiciousWords = [
  new RegExp(
    [
      "authorization",
      "token",
      "secret",
      "passw",
      "passphrase",
      "cookie",
      "credential",
      "assertion",
      "jwt",
      String.raw`(?:authentication|verification)[^a-z0-9"]*code`,
      String.raw`(?:bearer|basic)\s`
    ].join("|")
  ),
  /key(?<=(?:api|private|secret|access|encryption|signing)[^a-z0-9"]*key)/,
  /code[^a-z0-9"]*(?:verifier|=)/
]
const suspiciousLooks = /ya29\.|1\/\/|1\\\/|oa_|AIza|GOCSPX|eyJ|-----BEGIN|\\u/

const isSuspicious = (text: string): boolean => {
  const lowerCase = text.toLowerCase()
  return suspiciousWords.some((words) => words.test(lowerCase)) || suspiciousLooks.test(text)
}

/** Text without the secrets in it; what surrounds them stays. */
export const redactText = (text: string): string =>
  isSuspicious(text)
    ? secretForms.reduce(
      (rest, form) => rest.replace(form, (...match) => `${keptPart(match.at(-1))}${redacted}`),
      redactFields(text).replace(
        parameter,
        (whole, name: string) => name === "code" || namesSecret(name) ? `${name}=${redacted}` : whole
      )
    )
    : text

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

/** JSON text without the secrets in it. Text in which nothing looks like one, which is most of it, is not parsed. */
export const redactJsonText = (text: string): string =>
  isSuspicious(text) ? JSON.stringify(redactJson(JSON.parse(text))) : text

/** The name of a field, in JSON text that need not be whole; longer ones name no secret. */
const fieldName = /"((?:[^"\\]|\\.){0,200})"\s*:\s*/g

/** JSON text that need not be whole, or stands inside other text, without the values of fields that name a secret. */
const redactFields = (text: string): string => {
  let rest = ""
  let done = 0
  for (const field of text.matchAll(fieldName)) {
    if (field.index < done || !namesSecret(field[1] ?? "")) continue
    const start = field.index + field[0].length
    rest += `${text.slice(done, start)}"${redacted}"`
    done = endOfValue(text, start)
  }
  return rest + text.slice(done)
}

/** Where the JSON value that begins at `start` ends, or the text. */
const endOfValue = (text: string, start: number): number => {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    switch (character) {
      case "\"":
        at = endOfString(text, at)
        break
      case "{":
      case "[":
        depth++
        break
      case "}":
      case "]":
        if (depth === 0) return at
        depth--
        break
      default:
        if (depth === 0 && /[\s,]/.test(character)) return at
        continue
    }
    if (depth === 0) return at + 1
  }
  return text.length
}

/** The closing quote of the string that begins at `start`, or the end of the text. */
const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === "\"") return at
  }
  return text.length
}

/** The first `length` characters of JSON text, which are seldom JSON, without the secrets in them. */
export const redactPreview = (text: string, length: number): string =>
  // Cut after redaction, and well behind the end of the preview before it: half a secret has no looks.
  redactText(text.slice(0, length + longestSecret)).slice(0, length)

/** No secret that passes through here is longer, in characters. */
const longestSecret = 16_384
