import { Redacted } from "effect"
import { hash, randomBytes, randomInt } from "node:crypto"
import { crc32 } from "node:zlib"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const checksummed = /^[0-9A-Za-z]{38}$/

/** Ends with a checksum, so that a made-up secret is refused without a look at the database. */
export const generateSecret = (prefix: string, label: string): Redacted.Redacted => {
  const random = Array.from({ length: 32 }, () => alphabet.charAt(randomInt(alphabet.length))).join("")
  return Redacted.make(`${prefix}${random}${checksum(`${prefix}${random}`)}`, { label })
}

const isSecret = (prefix: string, secret: Redacted.Redacted): boolean => {
  const text = Redacted.value(secret)
  return text.startsWith(prefix) && checksummed.test(text.slice(prefix.length)) &&
    checksum(text.slice(0, -6)) === text.slice(-6)
}

const checksum = (text: string): string => {
  let rest = crc32(text)
  let digits = ""
  for (let i = 0; i < 6; i++) {
    digits = alphabet.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

const keyPrefix = "oa_"

export const generateApiKey = (): Redacted.Redacted => generateSecret(keyPrefix, "api key")

export const isApiKey = (key: Redacted.Redacted): boolean => isSecret(keyPrefix, key)

export const hintOf = (key: Redacted.Redacted): string => Redacted.value(key).slice(-4)

const grantPrefixes = { access: "oat_", refresh: "ort_" } as const
type GrantToken = keyof typeof grantPrefixes

export const generateGrantToken = (kind: GrantToken): Redacted.Redacted =>
  generateSecret(grantPrefixes[kind], `${kind} token`)

export const isGrantToken = (kind: GrantToken, token: Redacted.Redacted): boolean =>
  isSecret(grantPrefixes[kind], token)

const prefixes = { session: "oas_", link: "oal_", connect: "oac_" } as const
type Token = keyof typeof prefixes

export const generateToken = (kind: Token): Redacted.Redacted =>
  Redacted.make(`${prefixes[kind]}${randomBytes(32).toString("base64url")}`, { label: `${kind} token` })

export const isToken = (kind: Token, token: Redacted.Redacted): boolean => {
  const text = Redacted.value(token)
  return text.startsWith(prefixes[kind]) && /^[\w-]{43}$/.test(text.slice(prefixes[kind].length))
}

/** What the database has of a key or token. */
export const hashToken = (token: Redacted.Redacted): string => hash("sha256", Redacted.value(token))
