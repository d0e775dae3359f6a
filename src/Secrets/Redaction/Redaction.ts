import { Predicate } from "effect"
import { type OnRemoved, redacted, redactFields } from "./JsonFields.ts"
import { isHeading, looksRandom, namesSecret } from "./SecretName.ts"

/**
 * The place before a form. `\b` would miss a form behind an escaped line break in JSON or a percent-encoded character.
 */
const start = String.raw`(?:(?<!\w)|(?<=\\[bfnrt]|%[0-9A-Fa-f]{2}))`
const startOfWord = String.raw`(?:(?<![\w-])|(?<=\\[bfnrt]|%[0-9A-Fa-f]{2}))`

/** The group `keep` is not redacted. Each pattern takes linear time on any text. */
export const secretForms: ReadonlyArray<RegExp> = [
  /-----BEGIN [A-Z0-9 ]{1,100}-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,100}-----|$)/g,
  new RegExp(
    String.raw`(?<keep>${start}(?:Bearer|Basic)(?:\s|%20){1,20})` +
      String.raw`(?:(?=[^\s"',;%\d_]{0,200}[\d_])[\w.~+/-]{8,16384}|[\w.~+/-]{20,16384})=*`,
    "gi"
  ),
  // Header lines. The lists of cookies begin with a name. A word may say the scheme of the authorization.
  /(?<keep>cookie2?:[ \t]{0,20})(?=[\w.-]{1,100}=)[^\r\n"'\\]{3,16384}/gi,
  new RegExp(
    String.raw`(?<keep>authorization:[ \t]{0,20}(?:[a-z][\w-]{0,20}[ \t]{1,20})?)` +
      String.raw`(?=[^\s"'\\]{0,40}\d|[^\s"'\\]{1,40}(?:$|["'\\\r\n])|[^\s"'\\]{41})(?!\[redacted)[^\s"'\\,;]{1,16384}`,
    "gi"
  ),
  new RegExp(String.raw`${startOfWord}eyJ[\w-]{5,16384}\.[\w-]{5,16384}(?:\.[\w-]{0,16384})?`, "g"),
  new RegExp(String.raw`${start}ya29\.[\w.-]{1,16384}`, "g"),
  // A Google refresh token. Its slash is escaped in JSON and percent-encoded in a URL.
  /(?<![\w/])1(?:\\{0,8}\/|%2f){2}(?:[\w-]|%[0-9a-f]{2}){6,16384}/gi,
  new RegExp(String.raw`${start}oaa?_[0-9A-Za-z]{16,16384}`, "g"),
  new RegExp(String.raw`${start}o[ar]t_[0-9A-Za-z]{16,16384}`, "g"),
  new RegExp(String.raw`${start}oa[cls]_[\w-]{16,16384}`, "g"),
  new RegExp(String.raw`${start}whsec_(?:[\w+-]|\\{0,8}\/|%2[bf]){16,16384}=*`, "gi"),
  new RegExp(String.raw`${start}AIza[\w-]{20,16384}`, "g"),
  new RegExp(String.raw`${start}GOCSPX-[\w-]{6,16384}`, "g"),
  new RegExp(String.raw`${start}(?:gh[opsur]_[0-9A-Za-z]{16,16384}|github_pat_\w{16,16384})`, "g"),
  new RegExp(String.raw`${start}(?:AKIA|ASIA)[0-9A-Z]{12,16384}\b`, "g"),
  new RegExp(String.raw`${startOfWord}sk-(?=[A-Za-z_-]{0,40}\d)[\w-]{16,16384}`, "g"),
  // https://docs.slack.dev/authentication/tokens
  new RegExp(String.raw`${startOfWord}(?:xox[a-z]|xapp)-(?=[A-Za-z_-]{0,40}\d)[\w-]{6,16384}`, "g"),
  // User info of a URL, up to the last @ before the host: browsers accept others in a password.
  /(?<keep>:\\{0,8}\/\\{0,8}\/)[^\s/?#"'<>\\]{1,200}(?=@)/g
]

const parameter = /(?<=^|([?&\s;,('"/#]))([\w.-]{1,100}=(?:\\{0,8}["'])?)[^&\s"'<>#\\]+/g

/** A line of a header, of YAML, or of an object in JavaScript. */
const line = /(?<=([\w.-]{1,100})):([ \t]{0,20}(?:\\{0,8}["'])?)([^\s"'\\,;]{1,16384})/g

/**
 * Ends of secret names and beginnings of secret values, in lower case. Most texts are searched only for these. Two
 * patterns, one of long and one of short words, are faster than one or three.
 */
const suspiciousWords = new RegExp(
  [
    "authorization",
    "token",
    "secret",
    "passw",
    "passphrase",
    "cookie",
    "credential",
    "assertion",
    String.raw`(?:authentication|verification)[^a-z0-9"]*code`,
    String.raw`(?:bearer|basic)[\s%]`,
    String.raw`code[^a-z0-9"]*(?:verifier|=)`,
    "code%(?:25)*3d"
  ].join("|")
)
const suspiciousForms =
  /sk-|1\/\/|eyj|x(?:ox[a-z]|app)-|oa[acls]?_|o[ar]t_(?<=(?:^|\W|\\[bfnrt]|%[0-9a-f]{2})o[ar]t_)|gh[opsur]_|ya29\.|key(?<=(?:api|private|secret|access|encryption|signing)[^a-z0-9"]*key)/
/** Rare enough for `includes`, which takes 10 % of the time of a pattern. */
const rareWords = ["jwt", "----begin", "_pat_", "whsec_"]
const rareForms = ["\\", "AIza", "GOCSPX", "AKIA", "ASIA"]
const escapedForms = /1\\{1,8}\/|\\u|AIza|GOCSPX|AKIA|ASIA|1%2[Ff]%2/
const userInfo = /\/[^\s/?#@"'<>\\]{1,200}@/
const encodedMarks = /1%(?:25)+2f|%(?:25)*40/i

const typicalText =
  "{\"rows\":[{\"keys\":[\"running shoes for wide feet\",\"https://www.example.com/\"],\"clicks\":1000,\"ctr\":0.05}]}"
// V8 compiles a pattern at its second use, and fits it to the characters of that text. A short text makes the pattern
// half as fast.
for (const pattern of [suspiciousWords, suspiciousWords, suspiciousForms, suspiciousForms]) pattern.test(typicalText)

/** False only for text without secrets. Takes 3 % of the time of redaction. */
const isSuspicious = (text: string): boolean => {
  const lowerCase = text.toLowerCase()
  return suspiciousWords.test(lowerCase) || suspiciousForms.test(lowerCase) ||
    rareWords.some((word) => lowerCase.includes(word)) ||
    disguised.test(text) ||
    (lowerCase.includes("%2f") || rareForms.some((looks) => text.includes(looks))) && escapedForms.test(text) ||
    text.includes("@") && userInfo.test(text) ||
    text.includes("%") && encodedMarks.test(text)
}

export const redactText = (text: string, onRemoved?: OnRemoved): string =>
  isSuspicious(text) ? redactForms(redactFields(text, onRemoved), onRemoved) : text

const redactForms = (text: string, onRemoved: OnRemoved | undefined): string =>
  redactEncoded(redactPlainForms(text, onRemoved), onRemoved)

const redactPlainForms = (text: string, onRemoved: OnRemoved | undefined): string => {
  const unescaped = text.includes("\\u") ? text.replace(escapedCharacter, decodeEscape) : text
  const plain = disguised.test(unescaped)
    ? unescaped.replaceAll(encoded, decodeEscape).replaceAll(wide, toNarrow)
    : unescaped
  const remove = (kept: string, whole: string) => {
    onRemoved?.(whole.slice(kept.length))
    return `${kept}${redacted}`
  }
  const rest = redactLines(
    secretForms.reduce(
      (rest, form) => rest.replace(form, (...match) => remove(keptPart(match.at(-1)), match[0])),
      plain.replace(
        parameter,
        (whole, before: string | undefined, name: string) =>
          namesSecret(name) || name === "code=" && isInUrl(before) ? remove(name, whole) : whole
      )
    ),
    remove
  )
  return rest === plain ? text : rest
}

/** An escape at any depth of JSON in strings. It stands for neither a quote nor a backslash, so JSON stays JSON. */
const escapedCharacter = /(?<!\\)\\{1,16}u00(?!22|5c|7f)([2-7][0-9a-f])/gi

const decodeEscape = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16))

/** Letters, digits and marks that no URL needs to encode, percent-encoded once or more often. */
const encoded = /%(?:25){0,3}(2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f)/gi

/** Full-width forms of ASCII. */
const wide = /[\uFF01-\uFF5E]/g

/** Whether characters of a secret may be written in another way. */
const disguised = new RegExp(`${encoded.source}|[\\uFF10-\\uFF5A]{3}`, "i")

const toNarrow = (character: string): string => String.fromCharCode(character.charCodeAt(0) - 0xfee0)

/** Parts that are percent-encoded, once or more often, such as a URL in a URL. What is kept keeps its spelling. */
const redactEncoded = (text: string, onRemoved: OnRemoved | undefined): string =>
  text.includes("%")
    ? text.replace(encodedPart, (part) => {
      if (!encodedAscii.test(part)) return part
      const plain = part.replaceAll(everyEncoded, decodePercent)
      if (!isSuspicious(plain)) return part
      const clean = redactPlainForms(redactFields(plain, onRemoved), onRemoved)
      return clean === plain ? part : spellAs(part.match(everySpelling) ?? [], plain, clean)
    })
    : text

/** A refresh token begins a part. */
const encodedPart = /(?:\[redacted\]|\/(?!1(?:%(?:25)*2f){2})|[^\s"\\?&=/:;,#<>@|[\]{}])+/gi
const encodedAscii = /%(?:25)*(0[9ad]|[2-6][0-9a-f]|7[0-9a-e])/i
/** A `+` is a space, except in base64: before a long word with a digit. */
const everyEncoded = new RegExp(
  String.raw`${encodedAscii.source}|\+(?!(?=(?:[a-z/]|%2f){0,40}\d)(?:[\w/]|%2f){16})`,
  "gi"
)
const decodePercent = (spelling: string, code: string | undefined): string =>
  code === undefined ? " " : decodeEscape(spelling, code)
const everySpelling = new RegExp(`${everyEncoded.source}|[^]`, "gi")

/** @param spellings of the characters of `plain`, whose secrets are redacted in `clean` */
const spellAs = (spellings: ReadonlyArray<string>, plain: string, clean: string): string => {
  const known = new Map(spellings.map((spelling, at) => [plain[at], spelling]))
  let at = 0
  return clean.split(redacted).map((kept) => {
    // Quotes around a redacted value may be new.
    const unquoted = /[^"\\]{1,32}/.exec(kept)
    const found = unquoted === null ? at : plain.indexOf(unquoted[0], at)
    const start = found === -1 ? plain.length : found - (unquoted?.index ?? 0)
    at = start + kept.length
    return kept.replace(
      /[^]/g,
      (character, index: number) =>
        (plain[start + index] === character ? spellings[start + index] : known.get(character)) ?? character
    )
  }).join(redacted)
}

const redactLines = (text: string, remove: (kept: string, whole: string) => string): string =>
  text.replace(
    line,
    (whole, name: string, before: string, value: string, at: number, all: string) =>
      namesSecret(name) && isValue(value, following(all, at + whole.length)) ? remove(`:${before}`, whole) : whole
  )

const following = (text: string, at: number): string => text.slice(at, at + 20)

/** False for the first word of a sentence, as in "Password: how to reset it". */
const isValue = (value: string, next: string): boolean => /\d/.test(value) || !/^(?:[ \t]+\S|%20|\+)/.test(next)

const isInUrl = (before: string | undefined): boolean => before === undefined || before === "?" || before === "&"

const keptPart = (groups: unknown): string =>
  Predicate.isObject(groups) && Predicate.hasProperty(groups, "keep") && Predicate.isString(groups.keep)
    ? groups.keep
    : ""

export const redactJson = (value: unknown): unknown => {
  if (typeof value === "string") return redactText(value)
  if (Array.isArray(value)) return value.map(redactJson)
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      redactText(name),
      namesSecret(name) && holdsSecret(name, field) ? redacted : redactJson(field)
    ])
  )
}

const holdsSecret = (name: string, value: unknown): boolean =>
  isHeading(name)
    ? Predicate.isString(value) && looksRandom(value)
    : value !== null && value !== "" && !Predicate.isBoolean(value)

export const redactJsonText = (text: string, onRemoved?: OnRemoved): string =>
  isSuspicious(text) ? redactStrings(redactFields(text, onRemoved), onRemoved) : text

const redactStrings = (json: string, onRemoved: OnRemoved | undefined): string => {
  let rest = ""
  let done = 0
  for (let start = json.indexOf("\""); start !== -1;) {
    const end = endOfString(json, start)
    const string = json.slice(start, end)
    const decoded = string.includes("\\") ? String(JSON.parse(string)) : string.slice(1, -1)
    const kept = isSuspicious(decoded) ? redactForms(decoded, onRemoved) : decoded
    if (kept !== decoded) {
      rest += json.slice(done, start) + JSON.stringify(kept)
      done = end
    }
    start = json.indexOf("\"", end)
  }
  return rest + json.slice(done)
}

const endOfString = (json: string, start: number): number => {
  let end = start + 1
  while (end < json.length && json[end] !== "\"") end += json[end] === "\\" ? 2 : 1
  return end + 1
}

export const redactPreview = (text: string, length: number, onRemoved?: OnRemoved): string =>
  redactText(text.slice(0, sourceLength(length)), onRemoved).slice(0, length)

/** The number of characters to make a preview from. A secret at the cut must still match. */
export const sourceLength = (previewLength: number): number => previewLength + longestSecret

const longestSecret = 16_384
