import { Redacted } from "effect"
import { hash, randomBytes } from "node:crypto"

const prefixes = { session: "oas_", link: "oal_", connect: "oac_" } as const
type Kind = keyof typeof prefixes

export const generateToken = (kind: Kind): Redacted.Redacted =>
  Redacted.make(`${prefixes[kind]}${randomBytes(32).toString("base64url")}`, { label: `${kind} token` })

export const isToken = (kind: Kind, token: Redacted.Redacted): boolean => {
  const text = Redacted.value(token)
  return text.startsWith(prefixes[kind]) && /^[\w-]{43}$/.test(text.slice(prefixes[kind].length))
}

export const hashToken = (token: Redacted.Redacted): string => hash("sha256", Redacted.value(token))
