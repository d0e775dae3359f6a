import { Redacted } from "effect"
import { hash, randomInt } from "node:crypto"
import { crc32 } from "node:zlib"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const form = /^oa_[0-9A-Za-z]{38}$/

/** `oa_`, 32 random base-62 characters and their CRC-32 in six digits (contract section 2). */
export const generateApiKey = (): Redacted.Redacted => {
  const random = Array.from({ length: 32 }, () => alphabet.charAt(randomInt(alphabet.length))).join("")
  return Redacted.make(`oa_${random}${checksum(`oa_${random}`)}`, { label: "api key" })
}

export const isApiKey = (key: Redacted.Redacted): boolean => {
  const text = Redacted.value(key)
  return form.test(text) && checksum(text.slice(0, -6)) === text.slice(-6)
}

/** Only this SHA-256 is stored, in hexadecimal. */
export const hashApiKey = (key: Redacted.Redacted): string => hash("sha256", Redacted.value(key))

export const hintOf = (key: Redacted.Redacted): string => Redacted.value(key).slice(-4)

const checksum = (text: string): string => {
  let rest = crc32(text)
  let digits = ""
  for (let i = 0; i < 6; i++) {
    digits = alphabet.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
