import { Redacted } from "effect"
import { createHash, timingSafeEqual } from "node:crypto"

const digest = (secret: Redacted.Redacted) => createHash("sha256").update(Redacted.value(secret)).digest()

/** Whether a candidate is the secret; takes the same time whatever is wrong with it. */
export const matcher = (secret: Redacted.Redacted): (candidate: Redacted.Redacted) => boolean => {
  const expected = digest(secret)
  return (candidate) => timingSafeEqual(digest(candidate), expected)
}
