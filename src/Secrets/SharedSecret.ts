import { Redacted } from "effect"
import { hash, timingSafeEqual } from "node:crypto"

const digest = (secret: Redacted.Redacted) => hash("sha256", Redacted.value(secret), "buffer")

export const matcher = (secret: Redacted.Redacted): (candidate: Redacted.Redacted) => boolean => {
  const expected = digest(secret)
  return (candidate) => timingSafeEqual(digest(candidate), expected)
}
