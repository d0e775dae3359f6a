import { Redacted } from "effect"
import { randomInt } from "node:crypto"
import { crc32 } from "node:zlib"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const form = /^[0-9A-Za-z]{38}$/

export const generateSecret = (prefix: string, label: string): Redacted.Redacted => {
  const random = Array.from({ length: 32 }, () => alphabet.charAt(randomInt(alphabet.length))).join("")
  return Redacted.make(`${prefix}${random}${checksum(`${prefix}${random}`)}`, { label })
}

export const isSecret = (prefix: string, secret: Redacted.Redacted): boolean => {
  const text = Redacted.value(secret)
  return text.startsWith(prefix) && form.test(text.slice(prefix.length)) &&
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
