import { Redacted } from "effect"
import { hash } from "node:crypto"
import { generateSecret, isSecret } from "./ChecksummedSecret.ts"

const prefix = "oa_"

export const generateApiKey = (): Redacted.Redacted => generateSecret(prefix, "api key")

export const isApiKey = (key: Redacted.Redacted): boolean => isSecret(prefix, key)

export const hashApiKey = (key: Redacted.Redacted): string => hash("sha256", Redacted.value(key))

export const hintOf = (key: Redacted.Redacted): string => Redacted.value(key).slice(-4)
