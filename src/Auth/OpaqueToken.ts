import { Redacted } from "effect"
import { hash, randomBytes } from "node:crypto"

const prefixes = { session: "oas_", link: "oal_" } as const
type Kind = keyof typeof prefixes

/** A prefix and 256 random bits. */
export const generateToken = (kind: Kind): Redacted.Redacted =>
  Redacted.make(`${prefixes[kind]}${randomBytes(32).toString("base64url")}`, { label: `${kind} token` })

export const isToken = (kind: Kind, token: Redacted.Redacted): boolean => {
  const text = Redacted.value(token)
  return text.startsWith(prefixes[kind]) && /^[\w-]{43}$/.test(text.slice(prefixes[kind].length))
}

/** Tokens are stored only as this SHA-256, here in hexadecimal. */
export const hashToken = (token: Redacted.Redacted): string => hash("sha256", Redacted.value(token))
