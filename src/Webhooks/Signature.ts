import { Redacted } from "effect"
import { createHmac, randomBytes } from "node:crypto"

const prefix = "whsec_"

/** 256 random bits in the format of https://www.standardwebhooks.com. */
export const generateSecret = (): Redacted.Redacted =>
  Redacted.make(prefix + randomBytes(32).toString("base64"), { label: "webhook secret" })

export interface SignedMessage {
  readonly id: string
  readonly atMillis: number
  readonly body: string
}

export const signedHeaders = (
  secret: Redacted.Redacted,
  { atMillis, body, id }: SignedMessage
): Readonly<Record<string, string>> => {
  const timestamp = Math.floor(atMillis / 1000)
  const key = Buffer.from(Redacted.value(secret).slice(prefix.length), "base64")
  return {
    "webhook-id": id,
    "webhook-timestamp": `${timestamp}`,
    "webhook-signature": `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`
  }
}
