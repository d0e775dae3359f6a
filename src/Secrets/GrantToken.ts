import type { Redacted } from "effect"
import { generateSecret, isSecret } from "./ChecksummedSecret.ts"

const prefixes = { access: "oat_", refresh: "ort_" } as const
type Kind = keyof typeof prefixes

export const generateGrantToken = (kind: Kind): Redacted.Redacted => generateSecret(prefixes[kind], `${kind} token`)

export const isGrantToken = (kind: Kind, token: Redacted.Redacted): boolean => isSecret(prefixes[kind], token)
