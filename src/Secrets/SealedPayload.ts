import { Schema } from "effect"
import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from "node:crypto"

const ivBytes = 12
const tagBytes = 16

export const hashOf = (id: string): Buffer => hash("sha256", id, "buffer")

/** Derived from the id, of which only the hash is stored: the database is not enough to decrypt the payload. */
const keyOf = (kind: string, id: string) =>
  Buffer.from(hkdfSync("sha256", id, "", `openaccounts oauth_tokens ${kind}`, 32))

export const sealPayload = (kind: string, id: string, payload: unknown): Sealed => {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv("aes-256-gcm", keyOf(kind, id), iv)
  const parts = [iv, cipher.update(JSON.stringify(payload)), cipher.final(), cipher.getAuthTag()]
  return { sealed: Buffer.concat(parts).toString("base64") }
}

export const openPayload = (kind: string, id: string, { sealed }: Sealed): unknown => {
  const bytes = Buffer.from(sealed, "base64")
  const decipher = createDecipheriv("aes-256-gcm", keyOf(kind, id), bytes.subarray(0, ivBytes))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()])
  return JSON.parse(text.toString())
}

export const Sealed = Schema.Struct({ sealed: Schema.String })
export type Sealed = typeof Sealed.Type
