import { isHeading, looksRandom, namesSecret } from "./SecretName.ts"

export const redacted = "[redacted]"

/** Gets what redaction removes, as it stood in the text. */
export type OnRemoved = (text: string) => void

/**
 * Redacts the values of fields whose names are secret. The text is JSON, a prefix of JSON, or contains JSON, also as
 * strings nested at any depth.
 */
export const redactFields = (text: string, onRemoved?: OnRemoved): string => {
  let rest = ""
  let done = 0
  for (const { 0: match, index } of text.matchAll(endOfName)) {
    if (index < done) continue
    const level = quoteLevel(text, index)
    const name = nameBefore(text, index, level)
    const start = index + match.length
    if (!namesSecret(name) || !holdsSecret(text, start, level, name)) continue
    const quote = `${"\\".repeat(level)}"`
    rest += `${text.slice(done, start)}${quote}${redacted}${quote}`
    done = endOfValue(text, start, level)
    onRemoved?.(text.slice(start, done))
  }
  return rest + text.slice(done)
}

const endOfName = /"\s*:(?:\s|\\+[nrt])*/g

const maxNameCharacters = 200

/**
 * The number of backslashes before a quote that delimits a string: 0 in JSON, 1 in JSON in a string, 3 in JSON in a
 * string in a string. Other backslashes before it are escaped characters of the string.
 */
const quoteLevel = (text: string, quote: number): number => {
  let backslashes = 0
  while (text[quote - 1 - backslashes] === "\\") backslashes++
  let level = 0
  while ((backslashes & (level + 1)) !== 0) level = 2 * level + 1
  return level
}

/** The end of a long name. */
const nameBefore = (text: string, end: number, level: number): string => {
  const from = Math.max(0, end - maxNameCharacters)
  for (let at = end - 1; at >= from; at--) {
    if (text[at] === "\"" && quoteLevel(text, at) <= level) return decodeName(text.slice(at + 1, end))
  }
  return decodeName(text.slice(from, end))
}

const decodeName = (name: string): string =>
  name.replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const holdsSecret = (text: string, start: number, level: number, name: string): boolean => {
  if (/^(?:null|true|false)(?!\w)/.test(text.slice(start, start + 6))) return false
  const content = isString(text, start, level)
    ? text.slice(start + level + 1, endOfString(text, start + level, level) - level)
    : undefined
  return isHeading(name) ? content !== undefined && looksRandom(content) : content !== ""
}

const isString = (text: string, start: number, level: number): boolean =>
  text[start + level] === "\"" && quoteLevel(text, start + level) === level

const endOfString = (text: string, start: number, level: number): number => {
  let end = text.indexOf("\"", start + 1)
  while (end !== -1 && quoteLevel(text, end) > level) end = text.indexOf("\"", end + 1)
  return end === -1 ? text.length : end
}

const endOfPrimitive = /[^\s,}\]"\\]*/y

const endOfValue = (text: string, start: number, level: number): number => {
  if (isString(text, start, level)) return afterString(text, start + level, level)
  if (text[start] !== "{" && text[start] !== "[") {
    endOfPrimitive.lastIndex = start
    endOfPrimitive.test(text)
    return endOfPrimitive.lastIndex
  }
  let depth = 0
  for (let at = start; at < text.length; at++) {
    switch (text[at]) {
      case "\"": {
        const quote = quoteLevel(text, at)
        if (quote < level) return at - quote
        if (quote === level) at = afterString(text, at, level) - 1
        break
      }
      case "{":
      case "[":
        depth++
        break
      case "}":
      case "]":
        if (--depth === 0) return at + 1
    }
  }
  return text.length
}

const afterString = (text: string, start: number, level: number): number => {
  const end = endOfString(text, start, level)
  if (end === text.length) return end
  const quote = quoteLevel(text, end)
  return quote < level ? end - quote : end + 1
}
